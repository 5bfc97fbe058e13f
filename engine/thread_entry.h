// What the engine keeps in memory of one thread: its records as of the last applied commit, and
// what the committer has assigned beyond that.

#ifndef RUNLOG_ENGINE_THREAD_ENTRY_H_
#define RUNLOG_ENGINE_THREAD_ENTRY_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "format/numbers.h"
#include "format/records.h"

namespace runlog::engine {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
template <typename V>
using StringMap = std::unordered_map<std::string, V, StringHash, std::equal_to<>>;

/// A run_id of the thread. `run` is kNone while no live run has this id.
struct RunEntry {
  format::RunNumber run{};
  format::RunRecord record;
  bool dirty = false;           // record is newer than the one on disk
  bool pending = false;         // a group under way holds a pointer to this entry
  std::uint64_t last_used = 0;  // ThreadState::uses at its last use
};

/// A user_id of the thread. record.owner is kNone while it owns nothing.
struct OwnerEntry {
  format::OwnerRecord record;
  bool dirty = false;
  bool pending = false;
};

/// An idempotency key that a command asks about. Lives from before it is read from disk until the
/// last such command is answered, so that no commit with the key goes unseen.
struct IdempotencySlot {
  std::optional<format::IdempotencyRecord> record;
  bool loaded = false;
  std::uint32_t pins = 0;
};

/// What a singleton is one of: (run_id, event_type) of its thread.
using SingletonKey = std::pair<std::string, std::string>;

/// The lowest live seq of (run_id, event_type) that a put_if_absent asks about. Lives as
/// IdempotencySlot does.
struct SingletonSlot {
  std::uint64_t seq = 0;  // 0: none
  bool loaded = false;
  std::uint64_t generation = 0;  // raised when what is being read from disk became void
  std::uint64_t read_after =
      0;  // events up to here were assigned before the slot was: read when they are visible
  std::uint32_t pins = 0;
};

/// Guarded by ThreadEntry::mutex.
struct ThreadState {
  format::ThreadNumber thread{};  // kNone: no live incarnation
  format::ThreadRecord record;    // as applied; record.mark == visible seq
  std::uint64_t applied_commit = 0;

  // Assigned by the committer, at or ahead of what is applied.
  std::uint64_t assigned_mark = 0;
  std::uint64_t assigned_events = 0;
  std::uint32_t next_run = 1;
  std::uint32_t next_owner = 1;

  StringMap<RunEntry> runs;
  StringMap<OwnerEntry> owners;
  StringMap<IdempotencySlot> idempotency;
  std::map<SingletonKey, SingletonSlot> singletons;

  bool all_runs_loaded = false;  // runs holds every live run of the thread
  std::uint64_t load_revision =
      0;  // raised when something is dropped: what was read before is void
  std::uint64_t uses = 0;
  std::uint64_t first_dirty_commit = 0;  // 0: every record on disk is up to date
};

/// Woken when a thread's visible seq moves or its incarnation ends.
class Waker {
 public:
  virtual ~Waker() = default;
  virtual void Wake() = 0;
};

/// One thread in the cache.
struct ThreadEntry {
  explicit ThreadEntry(std::string_view id) : thread_id(id) {}

  const std::string thread_id;
  std::mutex mutex;
  ThreadState state;                          // guarded by mutex
  std::vector<std::weak_ptr<Waker>> wakers;   // guarded by mutex
  std::atomic<std::uint64_t> visible_seq{0};  // state.record.mark, readable without the mutex
  std::atomic<bool> watched{false};      // wakers may hold somebody; set and cleared under mutex
  std::atomic<bool> wake_queued{false};  // the notifier has this entry in its list

  // Guarded by the CommitQueue's mutex.
  std::uint32_t small_queued = 0;
  std::uint32_t large_queued = 0;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_THREAD_ENTRY_H_
