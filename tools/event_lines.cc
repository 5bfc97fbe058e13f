#include "tools/event_lines.h"

#include <string_view>

#include <fmt/format.h>

namespace runlog::tools {
namespace {

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == line.npos;
}

}  // namespace

Result<EventLines> EventLines::Open(const std::string& path, SeqKey seq_key) {
  Result<LineReader> lines = LineReader::Open(path);
  if (!lines.ok()) return lines.status();
  return EventLines(std::move(lines).value(), seq_key);
}

Result<std::optional<EventLine>> EventLines::Next() {
  const Result<std::optional<std::string_view>> line = lines_.Next();
  if (!line.ok()) return line.status();
  if (!*line) return std::optional<EventLine>();
  if (IsBlank(**line)) {
    if (Status s = RefuseBlankInside(); !s.ok()) return s;
    return std::optional<EventLine>();
  }
  Result<EventLine> event = ParseEventLine(**line, seq_key_);
  if (!event.ok()) {
    return Status(event.status().code(),
                  fmt::format("{}:{}: {}", name(), lines_.line_number(), event.status().message()));
  }
  event.value().line_number = lines_.line_number();
  return std::optional(std::move(event).value());
}

// Editors like to leave an empty line at the end of a file; anywhere else it is a line lost.
Status EventLines::RefuseBlankInside() {
  const std::uint64_t blank = lines_.line_number();
  const Result<std::optional<std::string_view>> behind = lines_.Next();
  if (!behind.ok()) return behind.status();
  if (!*behind) return {};
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{}:{}: event: an empty line at byte 0", name(), blank));
}

}  // namespace runlog::tools
