#include "tests/format/sample_events.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "format/json_text.h"

namespace runlog::format {

EventHeader HeaderOf(const EncodedEvent& encoded) {
  return {.content_kind = encoded.content_kind,
          .is_volatile = encoded.is_volatile,
          .redacted = false,
          .event_class = encoded.event_class,
          .run = RunNumber{3},
          .owner = encoded.has_owner ? OwnerNumber{2} : OwnerNumber::kNone,
          .body_bytes = static_cast<std::uint32_t>(encoded.body.size()),
          .commit = 99,
          .body_hash = encoded.body_hash};
}

std::string StoredValue(const EncodedEvent& encoded, const EventKey& key,
                        std::string_view thread_id) {
  const EventHeaderBytes header = EncodeEventHeader(HeaderOf(encoded), key, thread_id);
  return std::string(header.data(), header.size()) + encoded.body;
}

std::string EventMaker::Text(std::size_t shortest, std::size_t longest) {
  constexpr std::array<std::string_view, 10> kCharacters = {
      "a", "Z", "0", " ", "\"", "\\", "/", "\xc3\xa9", "\xe2\x80\xa8", "\xf0\x9f\x98\x80"};
  std::string text;
  const std::uint64_t length = random_.Between(shortest, longest);
  for (std::size_t i = 0; i < length; ++i)
    text += kCharacters[random_.Below(kCharacters.size())];
  return text;
}

std::string EventMaker::JsonObject(std::size_t depth) {
  std::string json = "{";
  for (std::uint64_t members = random_.Below(4); members > 0; --members) {
    if (json.size() > 1) json += random_.OneIn(2) ? ", " : ",";
    AppendJsonString(json, Text(0, 6));
    json += ":" + JsonValue(depth);
  }
  return json + "}";
}

std::string EventMaker::JsonValue(std::size_t depth) {
  constexpr std::array<std::string_view, 8> kScalars = {
      "null", "true", "-0", "1.0", "1e400", "1180591620717411303424", R"("\u0000")", R"("")"};
  if (depth == 0 || random_.OneIn(2)) return std::string(kScalars[random_.Below(kScalars.size())]);
  if (random_.OneIn(2)) return JsonObject(depth - 1);
  return "[" + JsonValue(depth - 1) + "," + JsonValue(depth - 1) + "]";
}

Content EventMaker::NextContent() {
  switch (random_.Below(5)) {
    case 0:
      return Content::Absent();
    case 1:
      content_ = Text(0, 300);
      return Content::Text(content_);
    case 2:
      content_ = Text(0, 100) + std::string("\0\xff\n", 3);
      return Content::Bytes(content_);
    default:
      content_ = JsonObject(4);
      return Content::Json(content_);
  }
}

Event EventMaker::Next() {
  run_id_ = Text(1, 64);
  event_type_ = Text(1, 32);
  category_ = Text(1, 16);
  metadata_ = random_.OneIn(2) ? JsonObject(3) : std::string();
  user_id_ = Text(1, 64);
  extra_ = random_.OneIn(2) ? JsonObject(2) : std::string();
  state_ = Text(0, 9);
  parent_run_id_ = Text(0, 40);
  correlation_id_ = Text(0, 40);
  writer_ = Text(0, 20);

  Event event;
  event.run_id = run_id_;
  event.event_type = event_type_;
  event.category = category_;
  event.content = NextContent();
  event.metadata = metadata_;
  if (random_.OneIn(2)) event.user_id = user_id_;
  if (random_.OneIn(2)) {
    event.created_at = Timestamp{static_cast<std::int64_t>(random_.Below(std::uint64_t{1} << 58)) -
                                 (std::int64_t{1} << 55)};
  }
  event.extra = extra_;
  event.state = state_;
  if (random_.OneIn(2)) event.step = static_cast<std::int64_t>(random_.Below(5)) - 1;
  event.segment = static_cast<std::uint32_t>(random_.Below(3));
  event.parent_run_id = parent_run_id_;
  event.correlation_id = correlation_id_;
  event.writer = writer_;
  event.writer_seq = random_.OneIn(2) ? random_.Bits64() : 0;
  event.is_volatile = random_.OneIn(2);
  return event;
}

}  // namespace runlog::format
