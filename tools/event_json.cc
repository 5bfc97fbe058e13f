#include "tools/event_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <runlog/limits.h>

#include "format/event_codec.h"
#include "format/json_text.h"
#include "tools/base64.h"
#include "tools/json_line.h"

namespace runlog::tools {
namespace {

using format::JsonMember;

constexpr std::size_t kShownBytesMax = 40;

// The start of a value for a message, cut between characters.
std::string Shown(std::string_view json) {
  if (json.size() <= kShownBytesMax) return std::string(json);
  std::size_t end = kShownBytesMax;
  while (end > 0 && (static_cast<unsigned char>(json[end]) & 0xc0U) == 0x80U)
    --end;
  return fmt::format("{}...", json.substr(0, end));
}

Status Refuse(std::size_t byte, std::string_view field, std::string_view reason) {
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{}: {} at byte {}", field, reason, byte));
}

Status Refuse(const JsonMember& member, std::string_view reason) {
  return Refuse(member.offset, member.key, reason);
}

bool IsString(const JsonMember& member) {
  return member.value.starts_with('"');
}

// A number is taken only in the spelling it would leave in, so that it leaves as it came.
template <typename Number>
std::optional<Number> PlainInteger(std::string_view json) {
  Number number{};
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), number);
  const bool whole = error == std::errc() && end == json.data() + json.size();
  return whole && std::to_string(number) == json ? std::optional(number) : std::nullopt;
}

Status TakeText(const JsonMember& member, std::string& field) {
  if (!IsString(member)) {
    return Refuse(member, fmt::format("{} is no string", Shown(member.value)));
  }
  field = format::DecodeJsonString(member.value);
  return {};
}

// --- keys of the envelope: a wrong type is an error ----------------------------------------------

Status TakeThreadId(const JsonMember& member, EventLine& line) {
  return TakeText(member, line.thread_id);
}

Status TakeRunId(const JsonMember& member, EventLine& line) {
  return TakeText(member, line.run_id);
}

Status TakeEventType(const JsonMember& member, EventLine& line) {
  return TakeText(member, line.event_type);
}

Status TakeCategory(const JsonMember& member, EventLine& line) {
  return TakeText(member, line.category);
}

Status TakeSeq(const JsonMember& member, EventLine& line) {
  line.seq = PlainInteger<std::uint64_t>(member.value);
  if (line.seq && *line.seq >= 1 && *line.seq <= kSeqMax) return {};
  return Refuse(member,
                fmt::format("{} is no whole number from 1 to {}", Shown(member.value), kSeqMax));
}

Status TakeContent(const JsonMember& member, EventLine& line) {
  line.content_kind = IsString(member) ? ContentKind::kText : ContentKind::kJson;
  line.content = IsString(member) ? format::DecodeJsonString(member.value) : member.value;
  return {};
}

Status TakeMetadata(const JsonMember& member, EventLine& line) {
  if (member.value == "null") return {};
  if (!member.value.starts_with('{')) {
    return Refuse(member, fmt::format("{} is no object", Shown(member.value)));
  }
  line.metadata = member.value;
  return {};
}

Status TakeUserId(const JsonMember& member, EventLine& line) {
  if (member.value == "null") return {};
  return TakeText(member, line.user_id.emplace());
}

Status TakeCreatedAt(const JsonMember& member, EventLine& line) {
  if (member.value == "null") return {};
  std::string text;
  if (Status s = TakeText(member, text); !s.ok()) return s;
  const Result<Timestamp> at = ParseTimestamp(text);
  if (!at.ok()) return Refuse(member, at.status().message());
  line.created_at = *at;
  return {};
}

struct EnvelopeKey {
  std::string_view name;
  bool required;
  Status (*take)(const JsonMember&, EventLine&);
};

constexpr std::array<EnvelopeKey, 9> kEnvelopeKeys{{
    {"thread_id", true, TakeThreadId},
    {"run_id", true, TakeRunId},
    {"seq", false, TakeSeq},
    {"event_type", true, TakeEventType},
    {"category", true, TakeCategory},
    {"content", false, TakeContent},
    {"metadata", false, TakeMetadata},
    {"created_at", false, TakeCreatedAt},
    {"user_id", false, TakeUserId},
}};
constexpr std::string_view kContentEncoding = "content_encoding";

bool IsEnvelopeKey(std::string_view key) {
  return key == kContentEncoding ||
         std::ranges::find(kEnvelopeKeys, key, &EnvelopeKey::name) != kEnvelopeKeys.end();
}

// --- keys of AFK and of writers: lifted where they fit, else kept among the unknown fields -------

bool LiftText(const JsonMember& member, std::string& field) {
  if (!IsString(member)) return false;
  field = format::DecodeJsonString(member.value);
  return !field.empty();
}

bool LiftId(const JsonMember& member, std::string& field) {
  if (LiftText(member, field) && format::CheckId(member.key, field).ok()) return true;
  field.clear();
  return false;
}

template <typename Number>
bool LiftNumber(const JsonMember& member, Number& field) {
  field = PlainInteger<Number>(member.value).value_or(0);
  return field != 0;
}

bool LiftState(const JsonMember& member, EventLine& line) {
  return LiftId(member, line.state);
}

bool LiftStep(const JsonMember& member, EventLine& line) {
  line.step = PlainInteger<std::int64_t>(member.value);
  return line.step.has_value();
}

bool LiftSegment(const JsonMember& member, EventLine& line) {
  return LiftNumber(member, line.segment);
}

bool LiftParentRunId(const JsonMember& member, EventLine& line) {
  return LiftId(member, line.parent_run_id);
}

bool LiftCorrelationId(const JsonMember& member, EventLine& line) {
  return LiftId(member, line.correlation_id);
}

bool LiftWriter(const JsonMember& member, EventLine& line) {
  return LiftId(member, line.writer);
}

bool LiftWriterSeq(const JsonMember& member, EventLine& line) {
  return LiftNumber(member, line.writer_seq);
}

bool LiftVolatile(const JsonMember& member, EventLine& line) {
  line.is_volatile = member.value == "true";
  return line.is_volatile;
}

struct LiftedKey {
  std::string_view name;
  bool (*lift)(const JsonMember&, EventLine&);
};

constexpr std::array<LiftedKey, 8> kLiftedKeys{{
    {"state", LiftState},
    {"step", LiftStep},
    {"segment", LiftSegment},
    {"parent_run_id", LiftParentRunId},
    {"correlation_id", LiftCorrelationId},
    {"writer", LiftWriter},
    {"writer_seq", LiftWriterSeq},
    {"volatile", LiftVolatile},
}};

bool Lift(const std::vector<JsonMember>& members, const JsonMember& member, EventLine& line) {
  const auto* key = std::ranges::find(kLiftedKeys, member.key, &LiftedKey::name);
  if (key == kLiftedKeys.end()) return false;
  return std::ranges::count(members, member.key, &JsonMember::key) == 1 && key->lift(member, line);
}

// -------------------------------------------------------------------------------------------------

const JsonMember* FindMember(const std::vector<JsonMember>& members, std::string_view key) {
  const auto found = std::ranges::find(members, key, &JsonMember::key);
  return found == members.end() ? nullptr : &*found;
}

Status CheckKeys(const std::vector<JsonMember>& members, SeqKey seq_key) {
  for (const JsonMember& member : members) {
    if (IsEnvelopeKey(member.key) && FindMember(members, member.key) != &member) {
      return Refuse(member, "stands in the line twice");
    }
    if (member.key == "seq" && seq_key == SeqKey::kRefused) {
      return Refuse(member, "is given by the store; `runlog import` keeps the seqs of its lines");
    }
  }
  for (const EnvelopeKey& key : kEnvelopeKeys) {
    if (key.required && FindMember(members, key.name) == nullptr) {
      return Refuse(0, key.name, "is missing");
    }
  }
  return {};
}

Status DecodeContent(const JsonMember& encoding, const JsonMember* content, EventLine& line) {
  if (encoding.value != "\"base64\"") {
    return Refuse(encoding, fmt::format("{} is not \"base64\"", Shown(encoding.value)));
  }
  if (content == nullptr || line.content_kind != ContentKind::kText) {
    return Refuse(encoding, "needs a content that is a string");
  }
  std::optional<std::string> bytes = DecodeBase64(line.content);
  if (!bytes) return Refuse(*content, "is no base64 text");
  line.content_kind = ContentKind::kBytes;
  line.content = *std::move(bytes);
  return {};
}

Status TakeMembers(const std::vector<JsonMember>& members, EventLine& line) {
  JsonLine extra;
  bool has_extra = false;
  for (const JsonMember& member : members) {
    const auto* key = std::ranges::find(kEnvelopeKeys, member.key, &EnvelopeKey::name);
    if (key != kEnvelopeKeys.end()) {
      if (Status s = key->take(member, line); !s.ok()) return s;
    } else if (member.key != kContentEncoding && !Lift(members, member, line)) {
      extra.Raw(member.key, member.value);
      has_extra = true;
    }
  }
  if (has_extra) line.extra = extra.Take();
  if (const JsonMember* encoding = FindMember(members, kContentEncoding)) {
    return DecodeContent(*encoding, FindMember(members, "content"), line);
  }
  return {};
}

// Encoding is how the store checks an event. Its message starts with the field it is about.
Status CheckEvent(const std::vector<JsonMember>& members, const EventLine& line) {
  const auto encoded = format::EncodeEvent(line.thread_id, line.event(), Timestamp{}, Limits{});
  if (encoded.ok()) return {};
  const std::string_view message = encoded.status().message();
  const auto named = std::ranges::find_if(
      members, [&](const JsonMember& member) { return message.starts_with(member.key); });
  return Status(encoded.status().code(),
                fmt::format("{} at byte {}", message, named == members.end() ? 0 : named->offset));
}

}  // namespace

Event EventLine::event() const {
  Event event{.run_id = run_id,
              .event_type = event_type,
              .category = category,
              .content = {content_kind, content},
              .metadata = metadata,
              .user_id = {},
              .created_at = created_at,
              .extra = extra,
              .state = state,
              .step = step,
              .segment = segment,
              .parent_run_id = parent_run_id,
              .correlation_id = correlation_id,
              .writer = writer,
              .writer_seq = writer_seq,
              .is_volatile = is_volatile};
  if (user_id) event.user_id = *user_id;
  return event;
}

Result<EventLine> ParseEventLine(std::string_view line, SeqKey seq_key) {
  const Result<std::vector<JsonMember>> members = format::SplitJsonObject("event", line);
  if (!members.ok()) return members.status();
  if (Status s = CheckKeys(*members, seq_key); !s.ok()) return s;
  EventLine event;
  event.line_bytes = line.size();
  if (Status s = TakeMembers(*members, event); !s.ok()) return s;
  if (Status s = CheckEvent(*members, event); !s.ok()) return s;
  return event;
}

std::string FormatEventLine(const EventView& event) {
  JsonLine line;
  line.Text("thread_id", event.thread_id())
      .Text("run_id", event.run_id())
      .Number("seq", event.seq())
      .Text("event_type", event.event_type())
      .Text("category", event.category());
  const Content content = event.content();
  switch (content.kind) {
    case ContentKind::kAbsent:
      break;
    case ContentKind::kText:
      line.Text("content", content.bytes);
      break;
    case ContentKind::kJson:
      line.Raw("content", content.bytes);
      break;
    case ContentKind::kBytes:
      line.Text("content", EncodeBase64(content.bytes));
      break;
  }
  line.Raw("metadata", event.metadata()).Text("created_at", FormatTimestamp(event.created_at()));
  if (event.user_id()) line.Text("user_id", *event.user_id());
  if (!event.state().empty()) line.Text("state", event.state());
  if (event.step()) line.Number("step", *event.step());
  if (event.segment() != 0) line.Number("segment", event.segment());
  if (!event.parent_run_id().empty()) line.Text("parent_run_id", event.parent_run_id());
  if (!event.correlation_id().empty()) line.Text("correlation_id", event.correlation_id());
  if (!event.writer().empty()) line.Text("writer", event.writer());
  if (event.writer_seq() != 0) line.Number("writer_seq", event.writer_seq());
  if (event.is_volatile()) line.Bool("volatile", true);
  if (content.kind == ContentKind::kBytes) line.Text(kContentEncoding, "base64");
  return line.Members(event.extra()).Take();
}

}  // namespace runlog::tools
