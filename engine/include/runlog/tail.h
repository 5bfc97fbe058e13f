// runlog/tail.h - follow a thread or a run from any cursor.
//
// A tail reads what is there, then waits for more, from the same cursor: replay and live have no
// seam. It never drops anything, and a slow tail costs the store no memory.

#ifndef RUNLOG_TAIL_H_
#define RUNLOG_TAIL_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <runlog/event.h>
#include <runlog/export.h>
#include <runlog/listing.h>
#include <runlog/page.h>
#include <runlog/status.h>

namespace runlog {

namespace engine {
class TailImpl;
}

struct TailRequest {
  std::string thread_id;
  std::optional<std::string> run_id;  ///< Absent: the whole thread.
  EventFilter filter;                 ///< Anything; the cursor moves over what it leaves out.

  /// Start behind this seq; 0 is the beginning. Absent: behind what is there now.
  std::optional<std::uint64_t> after_seq;
  /// The incarnation `after_seq` belongs to. Another one now: the first item is a reset.
  std::optional<std::uint64_t> incarnation;

  /// End when the run has a terminal event and `linger` has passed since the tail saw it. Needs
  /// run_id. A run that starts again within the linger goes on.
  bool until_terminal = false;
  std::chrono::milliseconds linger{0};
};

enum class TailItemKind : std::uint8_t {
  kEvent = 1,     ///< `event`.
  kHole = 2,      ///< `hole`: seqs that were deleted.
  kReset = 3,     ///< The thread began a new life; `incarnation` names it, the cursor is 0.
  kCaughtUp = 4,  ///< Everything that was there has been handed out. Repeats after each wait.
  kEnd = 5,       ///< Nothing more will come; `end` says why.
};

enum class TailEnd : std::uint8_t {
  kTerminal = 1,       ///< until_terminal: the run ended.
  kThreadDeleted = 2,  ///< until_terminal: the thread's incarnation ended.
  kRunDeleted = 3,     ///< until_terminal: the run was deleted.
};

struct TailItem {
  TailItemKind kind = TailItemKind::kCaughtUp;
  EventView event;
  Hole hole;
  TailEnd end = TailEnd::kTerminal;
  std::uint64_t incarnation = 0;
};

/// Items, and the memory their views point into.
class RUNLOG_EXPORT TailBatch {
 public:
  const std::vector<TailItem>& items() const { return items_; }
  bool empty() const { return items_.empty(); }

 private:
  friend class engine::TailImpl;
  std::vector<TailItem> items_;
  Page page_;
};

/// One reader of one thread.
///
/// Concurrency: Next and TryNext one at a time; Cancel and OnReady from any worker.
class RUNLOG_EXPORT Tail {
 public:
  explicit Tail(std::shared_ptr<engine::TailImpl> impl);
  Tail(Tail&&) noexcept;
  Tail& operator=(Tail&&) noexcept;
  ~Tail();

  /// At most `limit` items that are ready now; empty when there are none. Never waits.
  /// Errors: as Reader; kClosed after Cancel or when the store closed.
  Result<TailBatch> TryNext(std::size_t limit = 500);

  /// As TryNext, but waits up to `timeout` for the first item.
  Result<TailBatch> Next(std::chrono::milliseconds timeout, std::size_t limit = 500);

  /// Calls `ready` once, from the store's notifier worker, when TryNext may have something; at once
  /// where it already has. One tail waits for one call. `ready` must not block.
  void OnReady(std::function<void()> ready);

  /// Wakes a waiting Next, which answers kClosed, as does every later call.
  void Cancel();

  /// The seq and incarnation to resume from: the last seq handed out or passed over.
  std::uint64_t cursor() const;
  std::uint64_t incarnation() const;

 private:
  std::shared_ptr<engine::TailImpl> impl_;
};

}  // namespace runlog

#endif  // RUNLOG_TAIL_H_
