#include "tools/event_query.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace runlog::tools {
namespace {

constexpr std::int64_t kPageEvents = 500;
constexpr NumberRange kAnyNumber{std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max()};

bool FromTheEnd(const EventQuery& query) {
  return !query.after_seq && (query.before_seq || query.messages);
}

Result<Page> ReadPage(const Reader& reader, const EventQuery& query, const PageRequest& request) {
  if (query.messages) {
    return reader.Messages(query.thread_id, query.run_id, request, query.filter.user_id);
  }
  if (query.run_id) return reader.RunEvents(query.thread_id, *query.run_id, request, query.filter);
  return reader.ThreadEvents(query.thread_id, request, query.filter);
}

bool VisitPage(const Page& page, const EventVisitor& visit) {
  return std::ranges::all_of(page.events(), visit);
}

}  // namespace

void EventQuery::DeclareFilter(Flags& flags) {
  flags.Texts("--type", "T", filter.types, "only this event_type; repeats");
  flags.Text("--task", "ID", filter.task_id, "only events whose metadata.task_id is this string");
  flags.Text("--category", "C", filter.category, "only this category");
}

void EventQuery::DeclareOwner(Flags& flags) {
  flags.Text("--user", "U", filter.user_id, "only events of this owner");
}

void EventQuery::DeclareWindow(Flags& flags, const char* limit_help) {
  flags.Number("--after-seq", after_seq, kAnyNumber, "the first events behind this seq");
  flags.Number("--before-seq", before_seq, kAnyNumber,
               "only before this seq; the last such events unless --after-seq is given");
  flags.Number("--limit", limit, {}, limit_help);
}

Result<QueryEnd> VisitEvents(const Reader& reader, const EventQuery& query,
                             const EventVisitor& visit) {
  const std::int64_t limit = query.limit.value_or(std::numeric_limits<std::int64_t>::max());
  PageRequest request;
  request.after_seq = query.after_seq;
  request.before_seq = query.before_seq;
  const bool from_the_end = FromTheEnd(query);
  QueryEnd end;
  for (std::int64_t left = limit;;) {
    request.limit = from_the_end ? left : std::min(left, kPageEvents);
    const Result<Page> page = ReadPage(reader, query, request);
    if (!page.ok()) return page.status();
    left -= static_cast<std::int64_t>(page->size());
    const bool wants_more = VisitPage(*page, visit);
    if (end.first_seq == 0 && !page->empty()) end.first_seq = page->events().front().seq();
    end.has_more = page->has_more();
    end.highest_seq_scanned = page->highest_seq_scanned();
    if (!wants_more || from_the_end || left == 0 || !end.has_more) return end;
    request.after_seq = static_cast<std::int64_t>(page->highest_seq_scanned());
    // A thread that ended in between must not be mixed with its next life.
    request.expect_incarnation = page->incarnation();
  }
}

std::string DescribeRest(const EventQuery& query, const QueryEnd& end) {
  if (!end.has_more) return {};
  if (!FromTheEnd(query)) {
    return fmt::format("there are more; go on with --after-seq {}", end.highest_seq_scanned);
  }
  return end.first_seq == 0
             ? "there are earlier ones"
             : fmt::format("there are earlier ones; go on with --before-seq {}", end.first_seq);
}

}  // namespace runlog::tools
