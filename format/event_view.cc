
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <runlog/event.h>

#include "format/event_body.h"
#include "format/event_codec.h"

namespace runlog {
namespace {

using format::BodyField;
using format::BodyReader;

ContentKind KindIn(const BodyReader& reader) {
  return static_cast<ContentKind>(reader.Scalar<std::uint8_t>(BodyField::kContentKind));
}

Status Corrupt(const format::EventKey& key, std::string_view thread_id, std::string_view reason) {
  return {StatusCode::kCorruption, fmt::format("events: thread {} (T {}) seq {}: {}", thread_id,
                                               format::Raw(key.thread), key.seq, reason)};
}

}  // namespace

std::string_view EventView::thread_id() const {
  return BodyReader(body()).Bytes(BodyField::kThreadId);
}

std::string_view EventView::run_id() const {
  return BodyReader(body()).Bytes(BodyField::kRunId);
}

std::string_view EventView::event_type() const {
  return BodyReader(body()).Bytes(BodyField::kEventType);
}

std::string_view EventView::category() const {
  return BodyReader(body()).Bytes(BodyField::kCategory);
}

Content EventView::content() const {
  const BodyReader reader(body());
  return {KindIn(reader), reader.Bytes(BodyField::kContent)};
}

std::string_view EventView::metadata() const {
  const std::string_view metadata = BodyReader(body()).Bytes(BodyField::kMetadata);
  return metadata.empty() ? "{}" : metadata;
}

std::optional<std::string_view> EventView::user_id() const {
  const BodyReader reader(body());
  if (!reader.Has(BodyField::kUserId)) return std::nullopt;
  return reader.Bytes(BodyField::kUserId);
}

Timestamp EventView::created_at() const {
  return {BodyReader(body()).Scalar<std::int64_t>(BodyField::kCreatedAt)};
}

std::string_view EventView::extra() const {
  return BodyReader(body()).Bytes(BodyField::kExtra);
}

std::string_view EventView::task_id() const {
  return BodyReader(body()).Bytes(BodyField::kTaskId);
}

std::string_view EventView::caller() const {
  return BodyReader(body()).Bytes(BodyField::kCaller);
}

std::string_view EventView::state() const {
  return BodyReader(body()).Bytes(BodyField::kState);
}

std::optional<std::int64_t> EventView::step() const {
  const BodyReader reader(body());
  if (!reader.Has(BodyField::kStep)) return std::nullopt;
  return reader.Scalar<std::int64_t>(BodyField::kStep);
}

std::uint32_t EventView::segment() const {
  return BodyReader(body()).Scalar<std::uint32_t>(BodyField::kSegment);
}

std::string_view EventView::parent_run_id() const {
  return BodyReader(body()).Bytes(BodyField::kParentRunId);
}

std::string_view EventView::correlation_id() const {
  return BodyReader(body()).Bytes(BodyField::kCorrelationId);
}

std::string_view EventView::writer() const {
  return BodyReader(body()).Bytes(BodyField::kWriter);
}

std::uint64_t EventView::writer_seq() const {
  return BodyReader(body()).Scalar<std::uint64_t>(BodyField::kWriterSeq);
}

bool EventView::is_volatile() const {
  return BodyReader(body()).Scalar<std::uint8_t>(BodyField::kIsVolatile) != 0;
}

Result<EventView> EventDecoder::Decode(std::string_view value, const format::EventKey& key,
                                       std::string_view thread_id) {
  const Result<format::EventHeader> header = format::PeekEventHeader(value);
  if (!header.ok()) return Corrupt(key, thread_id, header.status().message());

  // A header has one spelling, so equal bytes are an equal seal hash.
  const format::EventHeaderBytes sealed = format::EncodeEventHeader(*header, key, thread_id);
  if (std::memcmp(sealed.data(), value.data(), sealed.size()) != 0) {
    return Corrupt(key, thread_id, "the seal hash does not match the key and header");
  }
  const std::string_view body = value.substr(format::kEventHeaderBytes);
  if (body.size() != header->body_bytes) {
    return Corrupt(
        key, thread_id,
        fmt::format("a body of {} bytes, its header says {}", body.size(), header->body_bytes));
  }
  if (format::Hash64(body) != header->body_hash) {
    return Corrupt(key, thread_id, "the body hash does not match");
  }

  EventView view;
  view.body_ = body.data();
  view.body_size_ = body.size();
  view.seq_ = key.seq;
  view.commit_ = header->commit;
  if (view.thread_id() != thread_id) {
    return Corrupt(key, thread_id, fmt::format("the body is of thread {}", view.thread_id()));
  }
  if (KindIn(BodyReader(body)) != header->content_kind ||
      view.is_volatile() != header->is_volatile) {
    return Corrupt(key, thread_id, "body and header disagree");
  }
  return view;
}

bool EventDecoder::VerifyBody(std::string_view body) {
  return format::VerifyBody(body) && KindIn(BodyReader(body)) <= ContentKind::kBytes;
}

}  // namespace runlog
