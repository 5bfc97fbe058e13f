// Lines of events become appends: what `append` and `import` have in common.

#ifndef RUNLOG_TOOLS_APPEND_SESSION_H_
#define RUNLOG_TOOLS_APPEND_SESSION_H_

#include <cstdint>
#include <functional>

#include <runlog/event_store.h>
#include <runlog/status.h>

#include "tools/append_group.h"
#include "tools/console.h"
#include "tools/event_lines.h"
#include "tools/progress.h"

namespace runlog::tools {

/// `--batch`.
inline constexpr std::int64_t kBatchLinesDefault = 100;
inline constexpr std::int64_t kBatchLinesMax = Limits{}.append_events;

/// Appends the events of one input, and prints a receipt line for each append.
class AppendSession {
 public:
  /// Says under which conditions a group is appended, or why it is not.
  using Conditions = std::function<Result<AppendOptions>(const AppendGroup&)>;

  AppendSession(EventLines& lines, EventStore& store, Console& console, std::size_t batch_lines,
                Conditions conditions);

  /// Consecutive lines of one thread form an append of at most `batch_lines`. It is committed only
  /// when the line behind it is known to be valid, or at the end.
  /// Errors: of the input and of the store; what was printed is committed, the rest is not.
  Status AppendEach();

  /// The whole input is one append, or nothing is written.
  Status AppendOnce();

 private:
  Status Commit(const AppendGroup& group);
  Status Dropped(const Status& cause, const AppendGroup& group) const;
  Status MoreThanOne(const EventLine& next, const AppendGroup& group) const;

  EventLines& lines_;
  EventStore& store_;
  Console& console_;
  std::size_t batch_lines_;
  Conditions conditions_;
  Progress progress_;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_APPEND_SESSION_H_
