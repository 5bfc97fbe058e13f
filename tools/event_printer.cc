#include "tools/event_printer.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/event_json.h"

namespace runlog::tools {
namespace {

std::string ContentCell(const Content& content) {
  switch (content.kind) {
    case ContentKind::kAbsent:
      return "";
    case ContentKind::kText:
    case ContentKind::kJson:
      return std::string(content.bytes);
    case ContentKind::kBytes:
      return fmt::format("({} bytes)", content.bytes.size());
  }
  return "";
}

}  // namespace

EventPrinter::EventPrinter(Console& console, const FormatFlag& format) : console_(console) {
  if (!format.table()) return;
  table_.emplace(console, std::vector<std::string>{"seq", "created_at", "run_id", "event_type",
                                                   "category", "user_id", "content"});
}

bool EventPrinter::Print(const EventView& event) {
  if (table_) {
    table_->Row({std::to_string(event.seq()), FormatTimestamp(event.created_at()),
                 std::string(event.run_id()), std::string(event.event_type()),
                 std::string(event.category()), std::string(event.user_id().value_or("")),
                 ContentCell(event.content())});
  } else {
    console_.PrintLine(FormatEventLine(event));
  }
  return console_.out_status().ok();
}

void EventPrinter::End() {
  if (table_) table_->End();
}

}  // namespace runlog::tools
