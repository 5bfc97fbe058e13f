#include "format/event_codec.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "format/bytes.h"
#include "format/event_body.h"
#include "format/event_class.h"
#include "format/event_fields.h"

namespace runlog::format {
namespace {

constexpr char kEventValueVersion = 1;
constexpr std::uint8_t kKindBits = 0x03;
constexpr std::uint8_t kVolatileBit = 0x04;
constexpr std::uint8_t kRedactedBit = 0x08;
constexpr std::size_t kSealedBytes = 32;

Status CorruptHeader(std::string_view reason) {
  return {StatusCode::kCorruption, fmt::format("event value: {}", reason)};
}

/// FORMAT.md, "Event value". An id longer than CheckId lets through is sealed by its beginning.
std::uint64_t SealHash(std::string_view sealed, const EventKey& key, std::string_view thread_id) {
  std::array<char, kSealedBytes + 16 + kIdBytesMax> bytes;
  const std::size_t id_bytes = std::min(thread_id.size(), kIdBytesMax);
  const std::uint64_t thread = Raw(key.thread);
  std::memcpy(bytes.data(), sealed.data(), kSealedBytes);
  std::memcpy(bytes.data() + kSealedBytes, &thread, sizeof thread);
  std::memcpy(bytes.data() + kSealedBytes + 8, &key.seq, sizeof key.seq);
  if (id_bytes > 0) std::memcpy(bytes.data() + kSealedBytes + 16, thread_id.data(), id_bytes);
  return Hash64({bytes.data(), kSealedBytes + 16 + id_bytes});
}

}  // namespace

std::size_t EncodedEvent::value_bytes() const {
  return kEventHeaderBytes + body.size();
}

Result<EncodedEvent> EncodeEvent(std::string_view thread_id, const Event& event, Timestamp now,
                                 const Limits& limits) {
  const Timestamp at = event.created_at.value_or(now);
  if (Status s = CheckEnvelope(thread_id, event, at); !s.ok()) return s;
  StoredFields fields;
  if (Status s = fields.Read(event, limits); !s.ok()) return s;

  EncodedEvent encoded;
  encoded.body = BuildBody(thread_id, event, fields, at);
  encoded.body_hash = Hash64(encoded.body);
  encoded.created_at_us = at.microseconds;
  encoded.event_class = ClassOf({.category = event.category,
                                 .event_type = event.event_type,
                                 .caller = fields.caller(),
                                 .content_type = fields.content_type(),
                                 .content_role = fields.content_role(),
                                 .is_volatile = event.is_volatile});
  encoded.content_kind = fields.content().kind;
  const BodyReader names(encoded.body);
  encoded.run_id = names.Bytes(BodyField::kRunId);
  encoded.event_type = names.Bytes(BodyField::kEventType);
  encoded.user_id = names.Bytes(BodyField::kUserId);
  encoded.task_id = names.Bytes(BodyField::kTaskId);
  encoded.has_owner = event.user_id.has_value();
  encoded.is_volatile = event.is_volatile;
  encoded.transition = TransitionOf(event.event_type, fields.content());
  return encoded;
}

EventHeader HeaderOf(const EncodedEvent& event, RunNumber run, OwnerNumber owner,
                     std::uint64_t commit) {
  return {.content_kind = event.content_kind,
          .is_volatile = event.is_volatile,
          .event_class = event.event_class,
          .run = run,
          .owner = owner,
          .body_bytes = static_cast<std::uint32_t>(event.body.size()),
          .commit = commit,
          .body_hash = event.body_hash};
}

EventHeaderBytes EncodeEventHeader(const EventHeader& header, const EventKey& key,
                                   std::string_view thread_id) {
  const std::uint32_t run = Raw(header.run);
  const std::uint32_t owner = Raw(header.owner);
  EventHeaderBytes bytes{};
  bytes[0] = kEventValueVersion;
  bytes[1] = static_cast<char>(static_cast<unsigned>(header.content_kind) |
                               (header.is_volatile ? kVolatileBit : 0U) |
                               (header.redacted ? kRedactedBit : 0U));
  bytes[2] = static_cast<char>(header.event_class.byte());
  std::memcpy(&bytes[4], &run, sizeof run);
  std::memcpy(&bytes[8], &owner, sizeof owner);
  std::memcpy(&bytes[12], &header.body_bytes, sizeof header.body_bytes);
  std::memcpy(&bytes[16], &header.commit, sizeof header.commit);
  std::memcpy(&bytes[24], &header.body_hash, sizeof header.body_hash);
  const std::uint64_t seal = SealHash({bytes.data(), kSealedBytes}, key, thread_id);
  std::memcpy(&bytes[32], &seal, sizeof seal);
  return bytes;
}

Result<EventHeader> PeekEventHeader(std::string_view value) {
  if (value.size() < kEventHeaderBytes) {
    return CorruptHeader(
        fmt::format("{} bytes, its header has {}", value.size(), kEventHeaderBytes));
  }
  ByteReader reader(value.substr(0, kEventHeaderBytes));
  const std::uint8_t version = reader.Byte();
  if (version != kEventValueVersion) return CorruptHeader(fmt::format("version {}", version));
  const std::uint8_t flags = reader.Byte();
  if ((flags & ~(kKindBits | kVolatileBit | kRedactedBit)) != 0) {
    return CorruptHeader(fmt::format("unknown flags 0x{:02x}", flags));
  }
  EventHeader header;
  header.content_kind = static_cast<ContentKind>(flags & kKindBits);
  header.is_volatile = (flags & kVolatileBit) != 0;
  header.redacted = (flags & kRedactedBit) != 0;
  header.event_class = EventClass(reader.Byte());
  if (reader.Byte() != 0) return CorruptHeader("reserved byte is not 0");
  header.run = RunNumber{reader.Little32()};
  header.owner = OwnerNumber{reader.Little32()};
  header.body_bytes = reader.Little32();
  header.commit = reader.Little64();
  header.body_hash = reader.Little64();
  return header;
}

}  // namespace runlog::format
