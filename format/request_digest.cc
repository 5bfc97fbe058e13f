#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/bytes.h"
#include "format/event_codec.h"

namespace runlog::format {
namespace {

void AppendPresence(std::string& out, bool present) {
  AppendByte(out, present ? 1 : 0);
}

void AppendOptional(std::string& out, std::optional<std::string_view> text) {
  AppendPresence(out, text.has_value());
  if (text) AppendVarstr(out, *text);
}

/// A field that may be megabytes: its length and hash stand for it, so that it is not copied.
void AppendHashed(std::string& out, std::string_view bytes) {
  const Digest128 digest = Hash128(bytes);
  AppendVarint(out, bytes.size());
  AppendLittle64(out, digest.low);
  AppendLittle64(out, digest.high);
}

}  // namespace

// The order and form of the fields are stored with every idempotency key: FORMAT.md, "Records".
Digest128 RequestDigest(std::string_view thread_id, const Event& event) {
  std::string fields;
  fields.reserve(512);
  AppendVarstr(fields, thread_id);
  AppendVarstr(fields, event.run_id);
  AppendVarstr(fields, event.event_type);
  AppendVarstr(fields, event.category);
  AppendByte(fields, static_cast<std::uint8_t>(event.content.kind));
  AppendHashed(fields, event.content.bytes);
  AppendHashed(fields, event.metadata);
  AppendHashed(fields, event.extra);
  AppendOptional(fields, event.user_id);
  AppendPresence(fields, event.created_at.has_value());
  if (event.created_at) AppendZigzag(fields, event.created_at->microseconds);
  AppendVarstr(fields, event.state);
  AppendPresence(fields, event.step.has_value());
  if (event.step) AppendZigzag(fields, *event.step);
  AppendVarint(fields, event.segment);
  AppendVarstr(fields, event.parent_run_id);
  AppendVarstr(fields, event.correlation_id);
  AppendVarstr(fields, event.writer);
  AppendVarint(fields, event.writer_seq);
  AppendPresence(fields, event.is_volatile);
  return Hash128(fields);
}

}  // namespace runlog::format
