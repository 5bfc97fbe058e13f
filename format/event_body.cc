#include "format/event_body.h"

#include <event_generated.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/event_fields.h"

namespace runlog::format {
namespace {

/// Up to here each worker keeps one buffer for the events it encodes; a larger event gets one of
/// its own, which goes again.
constexpr std::size_t kKeptBufferBytes = std::size_t{64} << 10;

/// What the framing of one event can add to its fields.
constexpr std::size_t kFramingBytesMax = 1024;

using Builder = flatbuffers::FlatBufferBuilder;
using StringOffset = flatbuffers::Offset<flatbuffers::String>;

StringOffset AddString(Builder& builder, std::string_view text) {
  return builder.CreateString(text.data(), text.size());
}

/// Nothing where `text` is empty: an absent field reads as an empty one.
StringOffset AddOptional(Builder& builder, std::string_view text) {
  return text.empty() ? StringOffset() : AddString(builder, text);
}

flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> AddBytes(Builder& builder,
                                                                std::string_view bytes) {
  if (bytes.empty()) return {};
  return builder.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

flatbuffers::Optional<std::int64_t> StepOf(const Event& event) {
  return event.step ? flatbuffers::Optional<std::int64_t>(*event.step)
                    : flatbuffers::Optional<std::int64_t>();
}

std::string FinishBody(Builder& builder, std::string_view thread_id, const Event& event,
                       const StoredFields& fields, Timestamp at) {
  builder.Clear();
  const auto content = AddBytes(builder, fields.content().bytes);
  const auto metadata = AddOptional(builder, fields.metadata());
  const auto extra = AddOptional(builder, fields.extra());
  const auto thread = AddString(builder, thread_id);
  const auto run = AddString(builder, event.run_id);
  const auto type = AddString(builder, event.event_type);
  const auto category = AddString(builder, event.category);
  const auto user = AddOptional(builder, event.user_id.value_or(std::string_view()));
  const auto task = AddOptional(builder, fields.task_id());
  const auto caller = AddOptional(builder, fields.caller());
  const auto state = AddOptional(builder, event.state);
  const auto parent = AddOptional(builder, event.parent_run_id);
  const auto correlation = AddOptional(builder, event.correlation_id);
  const auto writer = AddOptional(builder, event.writer);
  fbs::FinishEventBuffer(
      builder,
      fbs::CreateEvent(builder, thread, run, type, category,
                       static_cast<std::uint8_t>(fields.content().kind), content, metadata,
                       at.microseconds, user, task, caller, state, StepOf(event), event.segment,
                       parent, correlation, /*attempt=*/0, writer, event.writer_seq,
                       event.is_volatile, extra, /*redacted_reason=*/{}));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

constexpr bool Is(BodyField field, flatbuffers::voffset_t generated) {
  return VtableOffset(field) == generated;
}
static_assert(Is(BodyField::kThreadId, fbs::Event::VT_THREAD_ID));
static_assert(Is(BodyField::kRunId, fbs::Event::VT_RUN_ID));
static_assert(Is(BodyField::kEventType, fbs::Event::VT_EVENT_TYPE));
static_assert(Is(BodyField::kCategory, fbs::Event::VT_CATEGORY));
static_assert(Is(BodyField::kContentKind, fbs::Event::VT_CONTENT_KIND));
static_assert(Is(BodyField::kContent, fbs::Event::VT_CONTENT));
static_assert(Is(BodyField::kMetadata, fbs::Event::VT_METADATA));
static_assert(Is(BodyField::kCreatedAt, fbs::Event::VT_CREATED_AT));
static_assert(Is(BodyField::kUserId, fbs::Event::VT_USER_ID));
static_assert(Is(BodyField::kTaskId, fbs::Event::VT_TASK_ID));
static_assert(Is(BodyField::kCaller, fbs::Event::VT_CALLER));
static_assert(Is(BodyField::kState, fbs::Event::VT_STATE));
static_assert(Is(BodyField::kStep, fbs::Event::VT_STEP));
static_assert(Is(BodyField::kSegment, fbs::Event::VT_SEGMENT));
static_assert(Is(BodyField::kParentRunId, fbs::Event::VT_PARENT_RUN_ID));
static_assert(Is(BodyField::kCorrelationId, fbs::Event::VT_CORRELATION_ID));
static_assert(Is(BodyField::kWriter, fbs::Event::VT_WRITER));
static_assert(Is(BodyField::kWriterSeq, fbs::Event::VT_WRITER_SEQ));
static_assert(Is(BodyField::kIsVolatile, fbs::Event::VT_IS_VOLATILE));
static_assert(Is(BodyField::kExtra, fbs::Event::VT_EXTRA));

}  // namespace

std::string BuildBody(std::string_view thread_id, const Event& event, const StoredFields& fields,
                      Timestamp at) {
  const std::size_t large_fields =
      fields.content().bytes.size() + fields.metadata().size() + fields.extra().size();
  if (large_fields > kKeptBufferBytes) {
    Builder builder(large_fields + kFramingBytesMax + 8 * kIdBytesMax);
    return FinishBody(builder, thread_id, event, fields, at);
  }
  thread_local Builder kept_builder;
  return FinishBody(kept_builder, thread_id, event, fields, at);
}

bool VerifyBody(std::string_view body) {
  constexpr std::size_t kBodyBytesMax = std::size_t{64} << 20;  // twice what limits.h allows
  if (body.empty() || body.size() > kBodyBytesMax) return false;
  std::vector<std::uint64_t> aligned((body.size() + 7) / 8);
  std::memcpy(aligned.data(), body.data(), body.size());

  flatbuffers::Verifier::Options options;
  options.max_depth = 16;
  options.max_tables = 16;
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(aligned.data()), body.size(),
                                 options);
  return fbs::VerifyEventBuffer(verifier);
}

}  // namespace runlog::format
