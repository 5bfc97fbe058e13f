// runlog/page.h - what to read, and what a read answers.

#ifndef RUNLOG_PAGE_H_
#define RUNLOG_PAGE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/event.h>
#include <runlog/export.h>

namespace runlog {

/// A window of a thread's seqs. Both bounds are exclusive and may be any number, also one that was
/// never given out.
///
///   after_seq given:        the first `limit` events behind it (also when both are given)
///   only before_seq given:  the last `limit` events before it
///   neither:                the latest for messages, the first for events
///
/// A page is ascending whichever end it comes from.
struct PageRequest {
  std::optional<std::int64_t> after_seq;
  std::optional<std::int64_t> before_seq;
  /// 0 answers an empty page; a negative one is kInvalidArgument.
  std::int64_t limit = 500;
  /// kGone unless this is the thread's incarnation now.
  std::optional<std::uint64_t> expect_incarnation;
};

/// Which events of the window. Filters apply before the limit; absent ones match everything.
struct EventFilter {
  /// Absent: all types. Empty: none.
  std::optional<std::vector<std::string>> types;
  /// Matches metadata.task_id where that is a JSON string.
  std::optional<std::string> task_id;
  std::optional<std::string> category;
  /// The owner, exactly; events without one never match.
  std::optional<std::string> user_id;
};

/// A page of events, with what a reader needs to go on.
///
/// Lifetime: its views point into blocks that the page pins; it keeps the database open.
/// Concurrency: immutable; any worker.
class RUNLOG_EXPORT Page {
 public:
  Page();
  Page(Page&&) noexcept;
  Page& operator=(Page&&) noexcept;
  ~Page();

  const std::vector<EventView>& events() const { return events_; }
  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }

  /// Whether at least one more event of the window matches, in the direction of the page.
  bool has_more() const { return has_more_; }
  /// The cursor to go on from: the highest seq that was looked at, not only returned. For a page
  /// from the latest end it is the seq of its last event, or the bound.
  std::uint64_t highest_seq_scanned() const { return highest_seq_scanned_; }
  /// The thread's last assigned seq when the page was read.
  std::uint64_t high_water() const { return high_water_; }
  /// 0 where the thread does not exist.
  std::uint64_t incarnation() const { return incarnation_; }
  std::uint64_t epoch() const { return epoch_; }
  /// after_seq is above the high-water mark: the cursor comes from another life of the thread.
  bool cursor_ahead() const { return cursor_ahead_; }

 private:
  friend class PageBuilder;
  struct Pins;
  std::vector<EventView> events_;
  std::unique_ptr<Pins> pins_;
  std::uint64_t highest_seq_scanned_ = 0;
  std::uint64_t high_water_ = 0;
  std::uint64_t incarnation_ = 0;
  std::uint64_t epoch_ = 0;
  bool has_more_ = false;
  bool cursor_ahead_ = false;
};

}  // namespace runlog

#endif  // RUNLOG_PAGE_H_
