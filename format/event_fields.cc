#include "format/event_fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "format/event_class.h"
#include "format/event_codec.h"
#include "format/json_text.h"
#include "format/utf8.h"

namespace runlog::format {
namespace {

// The first and last microsecond of the years 1 to 9999.
constexpr std::int64_t kEarliestMicroseconds = -62'135'596'800'000'000;
constexpr std::int64_t kLatestMicroseconds = 253'402'300'799'999'999;

constexpr std::size_t kLabelBytesMax = kIdBytesMax;

/// What an export prints beside the members of `extra`.
constexpr std::array<std::string_view, 10> kCoreNames = {
    "thread_id", "run_id",   "seq",        "event_type", "category",
    "content",   "metadata", "created_at", "user_id",    "content_encoding"};

Status Invalid(std::string_view field, std::string_view reason) {
  return {StatusCode::kInvalidArgument, fmt::format("{}: {}", field, reason)};
}

Status CheckUtf8(std::string_view field, std::string_view text) {
  const std::optional<std::size_t> at = InvalidUtf8At(text);
  return at ? Invalid(field, fmt::format("invalid UTF-8 at byte {}", *at)) : Status::Ok();
}

Status CheckPrintable(std::string_view field, std::string_view text) {
  if (Status s = CheckUtf8(field, text); !s.ok()) return s;
  const std::optional<std::size_t> at = ControlCharacterAt(text);
  return at ? Invalid(field, fmt::format("control character at byte {}", *at)) : Status::Ok();
}

Status CheckBytes(std::string_view field, std::string_view text, std::size_t most) {
  if (text.size() <= most) return Status::Ok();
  return Invalid(field, fmt::format("{} bytes, at most {}", text.size(), most));
}

Status CheckName(std::string_view field, std::string_view name, std::size_t most) {
  if (name.empty()) return Invalid(field, "empty, at least 1 character");
  if (Status s = CheckPrintable(field, name); !s.ok()) return s;
  const std::size_t characters = CountCharacters(name);
  if (characters <= most) return Status::Ok();
  return Invalid(field, fmt::format("{} characters, at most {}", characters, most));
}

Status CheckLabel(std::string_view field, std::string_view label) {
  if (label.empty()) return Status::Ok();
  if (Status s = CheckBytes(field, label, kLabelBytesMax); !s.ok()) return s;
  return CheckPrintable(field, label);
}

Status CheckTime(Timestamp at) {
  if (at.microseconds >= kEarliestMicroseconds && at.microseconds <= kLatestMicroseconds) {
    return Status::Ok();
  }
  return Invalid("created_at", fmt::format("{} microseconds since 1970, outside years 1 to 9999",
                                           at.microseconds));
}

Status CheckSize(std::string_view field, std::size_t bytes, const Limits& limits) {
  if (bytes <= limits.event_bytes) return Status::Ok();
  return {StatusCode::kTooLarge,
          fmt::format("{}: {} bytes, at most {}", field, bytes, limits.event_bytes)};
}

/// `json`, on one line. `rewritten` holds the text where that differs.
std::string_view OnOneLine(std::string_view json, bool has_line_break, std::string& rewritten) {
  if (!has_line_break) return json;
  rewritten = CompactJson(json);
  return rewritten;
}

std::string TakeString(MemberCapture& capture) {
  return capture.value ? *std::move(capture.value) : std::string();
}

}  // namespace

Status CheckId(std::string_view field, std::string_view id) {
  if (id.empty()) return Invalid(field, "empty, at least 1 byte");
  if (Status s = CheckBytes(field, id, kIdBytesMax); !s.ok()) return s;
  return CheckPrintable(field, id);
}

Status CheckEnvelope(std::string_view thread_id, const Event& event, Timestamp at) {
  if (Status s = CheckId("thread_id", thread_id); !s.ok()) return s;
  if (Status s = CheckId("run_id", event.run_id); !s.ok()) return s;
  if (Status s = CheckName("event_type", event.event_type, kEventTypeCharactersMax); !s.ok()) {
    return s;
  }
  if (Status s = CheckName("category", event.category, kCategoryCharactersMax); !s.ok()) return s;
  if (event.user_id) {
    if (Status s = CheckId("user_id", *event.user_id); !s.ok()) return s;
  }
  if (Status s = CheckLabel("state", event.state); !s.ok()) return s;
  if (Status s = CheckLabel("parent_run_id", event.parent_run_id); !s.ok()) return s;
  if (Status s = CheckLabel("correlation_id", event.correlation_id); !s.ok()) return s;
  if (Status s = CheckLabel("writer", event.writer); !s.ok()) return s;
  return CheckTime(at);
}

Status StoredFields::Read(const Event& event, const Limits& limits) {
  if (Status s = ReadMetadata(event.metadata); !s.ok()) return s;
  if (Status s = ReadContent(event.content); !s.ok()) return s;
  if (Status s = ReadExtra(event.extra); !s.ok()) return s;
  if (Status s = CheckSize("content", content_.bytes.size(), limits); !s.ok()) return s;
  return CheckSize("metadata and extra", metadata_.size() + extra_.size(), limits);
}

Status StoredFields::ReadMetadata(std::string_view metadata) {
  if (metadata.empty() || metadata == "{}") return Status::Ok();
  std::array<MemberCapture, 2> members = {{{.key = "task_id"}, {.key = "caller"}}};
  const Result<JsonScan> scan = ScanJson("metadata", metadata, members);
  if (!scan.ok()) return scan.status();
  if (scan->type == JsonType::kNull) return Status::Ok();
  if (scan->type != JsonType::kObject) return Invalid("metadata", "not a JSON object");
  metadata_ = OnOneLine(metadata, scan->has_line_break, rewritten_metadata_);
  task_id_ = TakeString(members[0]);
  caller_ = TakeString(members[1]);
  return Status::Ok();
}

Status StoredFields::ReadContent(const Content& content) {
  switch (content.kind) {
    case ContentKind::kAbsent:
      return Status::Ok();
    case ContentKind::kText:
      content_ = content;
      return CheckUtf8("content", content.bytes);
    case ContentKind::kJson:
      return ReadJsonContent(content.bytes);
    case ContentKind::kBytes:
      content_ = content;
      return Status::Ok();
  }
  return Invalid("content", fmt::format("no such kind as {}", static_cast<int>(content.kind)));
}

Status StoredFields::ReadJsonContent(std::string_view json) {
  std::array<MemberCapture, 2> members = {{{.key = "type"}, {.key = "role"}}};
  const bool captures = ClassNeedsContent(caller_);
  const Result<JsonScan> scan =
      ScanJson("content", json, captures ? std::span(members) : std::span<MemberCapture>());
  if (!scan.ok()) return scan.status();
  if (scan->type == JsonType::kString) {
    rewritten_content_ = DecodeJsonString(json);
    content_ = Content::Text(rewritten_content_);
    return Status::Ok();
  }
  content_ = Content::Json(OnOneLine(json, scan->has_line_break, rewritten_content_));
  if (captures) {
    content_type_ = TakeString(members[0]);
    content_role_ = TakeString(members[1]);
  }
  return Status::Ok();
}

Status StoredFields::ReadExtra(std::string_view extra) {
  if (extra.empty()) return Status::Ok();
  const Result<std::vector<JsonMember>> members = SplitJsonObject("extra", extra);
  if (!members.ok()) return members.status();
  for (const JsonMember& member : *members) {
    for (const std::string_view name : kCoreNames) {
      if (member.key == name) {
        return Invalid("extra", fmt::format("\"{}\" is a field of every event", name));
      }
    }
  }
  if (members->empty()) return Status::Ok();
  const bool has_line_break = extra.find_first_of("\r\n") != std::string_view::npos;
  extra_ = OnOneLine(extra, has_line_break, rewritten_extra_);
  return Status::Ok();
}

}  // namespace runlog::format
