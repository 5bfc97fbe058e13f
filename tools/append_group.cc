#include "tools/append_group.h"

#include <utility>

#include <fmt/format.h>

#include "tools/json_line.h"

namespace runlog::tools {

bool AppendGroup::Takes(const EventLine& next) const {
  if (lines_.empty()) return true;
  return lines_.size() < lines_max_ && next.thread_id == lines_.front().thread_id &&
         bytes_ + next.line_bytes <= bytes_max_;
}

void AppendGroup::Add(EventLine line) {
  bytes_ += line.line_bytes;
  lines_.push_back(std::move(line));
}

Result<AppendReceipt> AppendGroup::Append(EventStore& store, const AppendOptions& options) const {
  std::vector<Event> events;
  events.reserve(lines_.size());
  for (const EventLine& line : lines_)
    events.push_back(line.event());
  return store.Append(front().thread_id, events, options);
}

std::string AppendGroup::LineRange() const {
  if (lines_.size() == 1) return fmt::format("line {}", front().line_number);
  return fmt::format("lines {}-{}", front().line_number, back().line_number);
}

void AppendGroup::Clear() {
  lines_.clear();
  bytes_ = 0;
}

std::string FormatReceipt(const std::string& thread_id, const AppendReceipt& receipt) {
  JsonLine line;
  line.Text("thread_id", thread_id)
      .Number("first_seq", receipt.first_seq)
      .Number("last_seq", receipt.last_seq)
      .Number("count", receipt.count)
      .Number("commit", receipt.commit)
      .Text("durability", DurabilityName(receipt.durability))
      .Number("incarnation", receipt.incarnation)
      .Number("epoch", receipt.epoch);
  if (receipt.replayed) line.Bool("replayed", true);
  if (receipt.deleted) line.Bool("deleted", true);
  return line.Take();
}

}  // namespace runlog::tools
