// What a caller asks the committer to do. Everything that needs the disk was done before a command
// is queued: it carries encoded events and pins.

#ifndef RUNLOG_ENGINE_COMMAND_H_
#define RUNLOG_ENGINE_COMMAND_H_

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <runlog/options.h>
#include <runlog/receipt.h>
#include <runlog/status.h>

#include "engine/hidden_set.h"
#include "engine/thread_cache.h"
#include "format/event_codec.h"
#include "format/key_space.h"
#include "format/records.h"

namespace runlog::engine {

using Deadline = std::chrono::steady_clock::time_point;

/// How the committer left a command.
enum class Verdict : std::uint8_t {
  kPending,
  kCommitted,  ///< Written, or answered from what was written before.
  kRefused,    ///< `status` says why; nothing was written.
  kMissed,     ///< Something it pinned is gone: pin again and queue again.
  kUnknown,    ///< The write failed: `status`.
};

/// Base of all commands. A command is shared by its caller, who may give up waiting, and the
/// committer.
class Command {
 public:
  enum class Kind : std::uint8_t { kAppend, kDelete, kPurge };

  explicit Command(Kind command_kind) : kind(command_kind) {}
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  const Kind kind;
  ThreadCache::Pin thread;
  Durability durability = Durability::kSync;
  std::uint64_t bytes = 0;  // what it takes of the queue
  bool large = false;       // waits in the line of large ones
  /// Called instead of waking a waiter. Runs on the notifier's worker.
  std::function<void()> on_done;

  // Written by the committer before Finish, read after it.
  Verdict verdict = Verdict::kPending;
  Status status;

  /// Committer: hands the command back. True if its caller sleeps: then somebody must Wake it, and
  /// it will in turn wake the callers of `wakes`, who have been handed theirs back before.
  bool Finish(std::array<std::shared_ptr<Command>, 2> wakes);
  void Wake() { done_.notify_one(); }
  /// Caller: makes a finished command ready to be queued again.
  void Reset();
  /// Caller: waits for Finish. Returns false at the deadline.
  bool WaitUntil(Deadline deadline);
  bool finished() const;

 private:
  mutable std::mutex mutex_;  // guards the next block
  bool finished_ = false;
  bool sleeps_ = false;
  std::array<std::shared_ptr<Command>, 2> wakes_;

  std::condition_variable done_;
};

inline SingletonKey SingletonKeyOf(const format::EncodedEvent& event) {
  return {std::string(event.run_id), std::string(event.event_type)};
}

/// Keeps a thread's slots for one command. Requires: the entry outlives it.
class SlotPins {
 public:
  SlotPins() = default;
  SlotPins(const SlotPins&) = delete;
  SlotPins& operator=(const SlotPins&) = delete;
  ~SlotPins();

  /// Each at most once. Locks the entry's mutex.
  void PinIdempotency(ThreadEntry& entry, std::string key);
  void PinSingleton(ThreadEntry& entry, SingletonKey key);

 private:
  ThreadEntry* entry_ = nullptr;
  std::string idempotency_key_;
  std::optional<SingletonKey> singleton_;
};

/// append and put_if_absent.
class AppendCommand final : public Command {
 public:
  AppendCommand() : Command(Kind::kAppend) {}

  std::vector<format::EncodedEvent> events;
  std::optional<std::uint64_t> expected_seq;
  std::optional<std::uint64_t> expect_incarnation;
  std::string idempotency_key;  // empty: none
  format::Digest128 request_digest;
  SlotPins slots;
  bool singleton = false;  // put_if_absent: the one event's (run_id, event_type)
  bool resolves = false;   // only asks for the idempotency key's receipt
  std::int64_t at_us = 0;  // the caller's clock

  // Made by the committer.
  AppendReceipt receipt;
  std::uint64_t found_seq = 0;  // singleton that exists
  std::uint64_t commit = 0;
  format::CommandRow row;
  /// Beside row.slices: the entries they belong to. Pending entries do not move.
  std::vector<RunEntry*> slice_runs;
  std::vector<OwnerEntry*> slice_owners;  // null without an owner
  std::vector<RunEntry*> state_runs;      // beside row.states
};

/// delete_run and delete_thread, of all owners or of one.
class DeleteCommand final : public Command {
 public:
  DeleteCommand() : Command(Kind::kDelete) {}

  std::optional<std::string> run_id;  // absent: the thread
  std::optional<std::string> user_id;
  std::int64_t at_us = 0;

  /// What a run's state will be when only its surviving events count. Read from disk by the
  /// caller's worker; void when it is another run by now, has grown, or has lost events.
  struct SurvivingState {
    format::ThreadNumber thread{};
    std::uint64_t seen_last_seq = 0;
    std::uint64_t seen_revision = 0;
    format::StateDelta state;
  };
  StringMap<SurvivingState> states;  // by run_id, of runs that keep events
  /// Names of the owners whose events go, as they were numbered when it was prepared.
  std::unordered_map<std::uint32_t, std::string> owner_names;

  // Made by the committer.
  DeleteReceipt receipt;
  bool needs_all_runs = false;  // with kMissed: the thread's bounds change, load every run
  std::uint64_t commit = 0;
  format::CommandRow row;
  HiddenRange hides;
};

/// One slice of a purge: rows to remove and to write, prepared by the purger.
class PurgeCommand final : public Command {
 public:
  PurgeCommand() : Command(Kind::kPurge) {}

  struct Change {
    format::Family family{};
    std::string key;
    std::optional<std::string> value;  // absent: delete the key
  };
  std::vector<Change> changes;
  /// The range whose last event is gone: its row goes too, unless a later delete has raised it
  /// meanwhile.
  std::optional<HiddenRange> finishes;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_COMMAND_H_
