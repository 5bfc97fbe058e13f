#include "engine/page_builder.h"

#include <algorithm>
#include <utility>

namespace runlog {

PageBuilder::PageBuilder(const engine::ThreadSnapshot& thread, std::uint64_t epoch) {
  page_.high_water_ = thread.record.mark;
  page_.incarnation_ = format::Raw(thread.thread);
  page_.epoch_ = epoch;
}

Page PageBuilder::Finish(engine::EventPins pins, index::Direction read_in,
                         std::uint64_t highest_seq_scanned) {
  if (read_in == index::Direction::kBackward) {
    std::reverse(page_.events_.begin(), page_.events_.end());
  }
  page_.highest_seq_scanned_ = highest_seq_scanned;
  if (!page_.empty()) page_.pins_ = std::make_unique<Page::Pins>(Page::Pins{std::move(pins)});
  return std::move(page_);
}

}  // namespace runlog
