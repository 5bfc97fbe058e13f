// runlog/options.h - settings of a store and of its write commands.

#ifndef RUNLOG_OPTIONS_H_
#define RUNLOG_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <runlog/event.h>
#include <runlog/export.h>
#include <runlog/limits.h>
#include <runlog/status.h>

namespace runlog {

/// What an acknowledged write survives. Values are on disk: never renumber.
enum class Durability : std::uint8_t {
  kBuffered = 1,  ///< In the kernel: survives a killed process, not a power cut.
  kSync = 3,      ///< On the device: the write-ahead log was synced before the answer.
};

/// "buffered", "sync".
RUNLOG_EXPORT std::string_view DurabilityName(Durability level);

/// Where time comes from. A seam for tests; implementations are called from any worker.
class RUNLOG_EXPORT Clock {
 public:
  virtual ~Clock();
  virtual Timestamp Now() const = 0;
  /// The machine's clock. Lives for ever.
  static const Clock& System();
};

/// Sizes past which the store warns: a counter in Stats and a call of `on_warning`, never a
/// refusal.
struct WarningThresholds {
  std::uint64_t run_events = 1'000'000;
  std::uint64_t thread_bytes = std::uint64_t{4} << 30;
  std::chrono::milliseconds commit_time{1'000};
};

/// Settings of one open store. Each may differ from one open to the next.
struct RUNLOG_EXPORT StoreOptions {
  /// Make the store when its folder is missing or empty. A folder with other files is always
  /// refused.
  bool create_if_missing = true;

  /// Go on where the store was found to have lost acknowledged events, or where it cannot tell.
  /// What there is, is first linked into FOLDER/set-aside-N; then the store opens with what is
  /// left, in a new epoch. Has no effect on a store that opens without it, and none where a table
  /// is missing.
  bool accept_loss = false;

  /// The level of a write that does not name one. The default pays for a sync on every group of
  /// commits because a log that loses acknowledged events is worse than a slow one.
  Durability durability = Durability::kSync;

  /// How long a write waits for room and for its answer when it names no timeout of its own.
  std::chrono::milliseconds timeout{30'000};

  Limits limits;

  /// Bytes of commands that may wait for the committer. Range [append_bytes, 1 GiB].
  std::uint64_t commit_queue_bytes = std::uint64_t{64} << 20;

  /// Memory for the state of threads in use. Past it the least recently used are dropped and read
  /// back on their next use.
  std::uint64_t thread_cache_bytes = std::uint64_t{64} << 20;

  /// Memory for blocks read from disk; memtables are charged to it.
  std::uint64_t block_cache_bytes = std::uint64_t{256} << 20;

  /// Memtable of the events family, in bytes; the other families' are fractions of it.
  std::uint64_t memtable_bytes = std::uint64_t{64} << 20;

  /// Remove hidden events in the background. Off: they wait for Compact() or the next open.
  bool background_purge = true;

  WarningThresholds warn;
  /// Called from a worker of the store with a sentence; must not block or call the store.
  std::function<void(std::string_view)> on_warning;

  const Clock* clock = &Clock::System();

  /// kInvalidArgument naming the first field out of range, or OK. Open() calls this.
  Status Validate() const;
};

/// Conditions and promises of one append.
struct AppendOptions {
  /// Absent: the store's own level.
  std::optional<Durability> durability;

  /// Refuse with kConflict unless the thread's high-water mark is N. 0 means "only if the thread
  /// has no live event under any owner".
  std::optional<std::uint64_t> expected_seq;

  /// 1 to 128 bytes, or empty for none. The same key with the same events again answers with the
  /// first receipt and writes nothing, also after a reopen and after the events were deleted; with
  /// other events it is kConflict.
  std::string_view idempotency_key;

  /// Refuse with kGone unless this is the thread's incarnation now.
  std::optional<std::uint64_t> expect_incarnation;

  /// Absent: the store's own.
  std::optional<std::chrono::milliseconds> timeout;
};

/// Conditions and promises of put_if_absent.
struct PutOptions {
  std::optional<Durability> durability;
  std::optional<std::uint64_t> expect_incarnation;
  std::optional<std::chrono::milliseconds> timeout;
};

/// Scope and promises of a delete.
struct DeleteOptions {
  /// Only this owner's events. Events without an owner belong to nobody and stay.
  std::optional<std::string_view> user_id;
  std::optional<Durability> durability;
  std::optional<std::chrono::milliseconds> timeout;
};

}  // namespace runlog

#endif  // RUNLOG_OPTIONS_H_
