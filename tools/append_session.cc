#include "tools/append_session.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace runlog::tools {
namespace {

// Half of what one append may hold when it is encoded: an encoded event can be larger than its
// line by the fields it repeats.
constexpr std::size_t kBatchBytesMax = Limits{}.append_bytes / 2;

// Lines can be six times as long as what they encode to; past this the store would refuse anyway.
constexpr std::size_t kOneAppendBytesMax = Limits{}.append_bytes * 7;

}  // namespace

AppendSession::AppendSession(EventLines& lines, EventStore& store, Console& console,
                             std::size_t batch_lines, Conditions conditions)
    : lines_(lines),
      store_(store),
      console_(console),
      batch_lines_(batch_lines),
      conditions_(std::move(conditions)),
      progress_(console, "events appended") {}

Status AppendSession::AppendEach() {
  AppendGroup group(batch_lines_, kBatchBytesMax);
  for (;;) {
    Result<std::optional<EventLine>> line = lines_.Next();
    if (!line.ok()) return Dropped(line.status(), group);
    const bool ends_group = !*line || !group.Takes(**line);
    if (ends_group && !group.empty()) {
      if (Status s = Commit(group); !s.ok()) return s;
      group.Clear();
    }
    if (!*line) return {};
    group.Add(*std::move(line).value());
  }
}

Status AppendSession::AppendOnce() {
  AppendGroup group(batch_lines_, kOneAppendBytesMax);
  for (;;) {
    Result<std::optional<EventLine>> line = lines_.Next();
    if (!line.ok()) return line.status();
    if (!*line) break;
    if (!group.Takes(**line)) return MoreThanOne(**line, group);
    group.Add(*std::move(line).value());
  }
  if (!group.empty()) return Commit(group);
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{}: no event, where one append was asked for", lines_.name()));
}

Status AppendSession::Commit(const AppendGroup& group) {
  const Result<AppendOptions> options = conditions_(group);
  const Result<AppendReceipt> receipt =
      options.ok() ? group.Append(store_, *options) : Result<AppendReceipt>(options.status());
  if (!receipt.ok()) {
    return Status(
        receipt.status().code(),
        fmt::format("{}: {}: {}", lines_.name(), group.LineRange(), receipt.status().message()));
  }
  progress_.Add(receipt->count);
  console_.PrintLine(FormatReceipt(group.front().thread_id, *receipt));
  if (console_.Flush()) return {};
  return Status(StatusCode::kIoError,
                fmt::format("{}: stopped behind {}, whose receipt nobody reads", lines_.name(),
                            group.LineRange()));
}

Status AppendSession::Dropped(const Status& cause, const AppendGroup& group) const {
  if (group.empty()) return cause;
  return Status(cause.code(), fmt::format("{}; not appended either: {}, which stood before it",
                                          cause.message(), group.LineRange()));
}

Status AppendSession::MoreThanOne(const EventLine& next, const AppendGroup& group) const {
  const bool other_thread = next.thread_id != group.front().thread_id;
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{}:{}: starts a second append ({}), where one append was asked for",
                            lines_.name(), next.line_number,
                            other_thread ? "another thread" : "over --batch"));
}

}  // namespace runlog::tools
