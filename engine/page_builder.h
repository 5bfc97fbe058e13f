// Makes a Page: the only writer of its members.

#ifndef RUNLOG_ENGINE_PAGE_BUILDER_H_
#define RUNLOG_ENGINE_PAGE_BUILDER_H_

#include <cstddef>
#include <cstdint>

#include <runlog/page.h>

#include "engine/event_fetch.h"
#include "engine/thread_snapshot.h"

namespace runlog {

struct Page::Pins : engine::EventPins {};

class PageBuilder {
 public:
  /// A page without events, with what it says of its thread.
  PageBuilder(const engine::ThreadSnapshot& thread, std::uint64_t epoch);

  /// Adds the next event in the order of reading. Its bytes are in the pins that Finish gets.
  void Append(const EventView& event) { page_.events_.push_back(event); }
  std::size_t size() const { return page_.events_.size(); }

  void SetCursorAhead(bool ahead) { page_.cursor_ahead_ = ahead; }
  void SetHasMore(bool has_more) { page_.has_more_ = has_more; }
  bool has_more() const { return page_.has_more_; }
  /// Of the events appended so far, in the order of reading. Requires: size() > 0.
  std::uint64_t first_seq() const { return page_.events_.front().seq(); }
  std::uint64_t last_seq() const { return page_.events_.back().seq(); }

  /// The page, ascending. A builder finishes once.
  Page Finish(engine::EventPins pins, index::Direction read_in, std::uint64_t highest_seq_scanned);

 private:
  Page page_;
};

}  // namespace runlog

#endif  // RUNLOG_ENGINE_PAGE_BUILDER_H_
