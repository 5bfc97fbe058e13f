#include "tests/support/draft.h"

#include <sstream>
#include <utility>

namespace runlog::testing {
namespace {

/// Says how `got` differs from `wanted`.
template <typename T>
void Compare(std::ostringstream& out, std::string_view field, const T& got, const T& wanted) {
  if (got == wanted) return;
  out << field << ": got [" << got << "], wanted [" << wanted << "]; ";
}

template <typename T>
void CompareOptional(std::ostringstream& out, std::string_view field, const std::optional<T>& got,
                     const std::optional<T>& wanted) {
  Compare(out, std::string(field) + " given", got.has_value(), wanted.has_value());
  if (got && wanted) Compare(out, field, *got, *wanted);
}

}  // namespace

Draft Draft::Of(std::string user_id) const {
  Draft draft = *this;
  draft.user = std::move(user_id);
  return draft;
}

Draft Draft::With(std::string metadata_json) const {
  Draft draft = *this;
  draft.metadata = std::move(metadata_json);
  return draft;
}

Draft Draft::Json(std::string json) const {
  Draft draft = *this;
  draft.kind = ContentKind::kJson;
  draft.content = std::move(json);
  return draft;
}

Event Draft::AsEvent() const {
  Event event{.run_id = run,
              .event_type = type,
              .category = category,
              .content = {kind, content},
              .metadata = metadata,
              .created_at = created_at,
              .extra = extra,
              .state = state,
              .step = step,
              .segment = segment,
              .parent_run_id = parent_run,
              .correlation_id = correlation,
              .writer = writer,
              .writer_seq = writer_seq,
              .is_volatile = is_volatile};
  if (user) event.user_id = *user;
  return event;
}

Draft InRun(std::string run) {
  return {.run = std::move(run)};
}

Draft Message(std::string run, std::string type) {
  return {.run = std::move(run), .type = std::move(type), .category = "message"};
}

Draft OfType(std::string type, std::string run) {
  return {.run = std::move(run), .type = std::move(type)};
}

std::vector<Draft> Times(std::size_t count, const Draft& draft) {
  return std::vector<Draft>(count, draft);
}

std::vector<Event> AsEvents(std::span<const Draft> drafts) {
  std::vector<Event> events;
  events.reserve(drafts.size());
  for (const Draft& draft : drafts)
    events.push_back(draft.AsEvent());
  return events;
}

std::string Differences(const EventView& event, std::string_view thread_id, const Draft& draft) {
  std::ostringstream out;
  Compare(out, "thread_id", event.thread_id(), thread_id);
  Compare(out, "run_id", event.run_id(), std::string_view(draft.run));
  Compare(out, "event_type", event.event_type(), std::string_view(draft.type));
  Compare(out, "category", event.category(), std::string_view(draft.category));
  Compare(out, "content kind", static_cast<int>(event.content().kind),
          static_cast<int>(draft.kind));
  Compare(out, "content", event.content().bytes, std::string_view(draft.content));
  const std::string metadata = draft.metadata.empty() ? "{}" : draft.metadata;
  Compare(out, "metadata", event.metadata(), std::string_view(metadata));
  CompareOptional<std::string_view>(
      out, "user_id", event.user_id(),
      draft.user ? std::optional<std::string_view>(*draft.user) : std::nullopt);
  if (draft.created_at) {
    Compare(out, "created_at", event.created_at().microseconds, draft.created_at->microseconds);
  }
  Compare(out, "extra", event.extra(), std::string_view(draft.extra));
  Compare(out, "state", event.state(), std::string_view(draft.state));
  CompareOptional<std::int64_t>(out, "step", event.step(), draft.step);
  Compare(out, "segment", event.segment(), draft.segment);
  Compare(out, "parent_run_id", event.parent_run_id(), std::string_view(draft.parent_run));
  Compare(out, "correlation_id", event.correlation_id(), std::string_view(draft.correlation));
  Compare(out, "writer", event.writer(), std::string_view(draft.writer));
  Compare(out, "writer_seq", event.writer_seq(), draft.writer_seq);
  Compare(out, "volatile", event.is_volatile(), draft.is_volatile);
  return out.str();
}

Seqs Range(std::uint64_t first, std::uint64_t last) {
  Seqs seqs;
  for (std::uint64_t seq = first; seq <= last; ++seq)
    seqs.push_back(seq);
  return seqs;
}

Seqs SeqsOf(const Page& page) {
  Seqs seqs;
  for (const EventView& event : page.events())
    seqs.push_back(event.seq());
  return seqs;
}

}  // namespace runlog::testing
