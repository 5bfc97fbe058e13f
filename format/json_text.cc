// What is done with JSON text once ScanJson has said that it is valid: walks over its tokens, which
// therefore need no checks but for the end of the text.

#include "format/json_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace runlog::format {
namespace {

bool IsWhiteSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t SkipWhiteSpace(std::string_view json, std::size_t at) {
  while (at < json.size() && IsWhiteSpace(json[at]))
    ++at;
  return at;
}

/// One behind the closing quote of the string that opens at `at`.
std::size_t StringEnd(std::string_view json, std::size_t at) {
  ++at;
  while (at < json.size() && json[at] != '"') {
    if (json[at] == '\\') ++at;
    ++at;
  }
  return at < json.size() ? at + 1 : json.size();
}

/// One behind the object or array that opens at `at`.
std::size_t NestedEnd(std::string_view json, std::size_t at) {
  std::size_t depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      at = StringEnd(json, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) break;
  }
  return at;
}

/// One behind the value that starts at `at`.
std::size_t ValueEnd(std::string_view json, std::size_t at) {
  if (json[at] == '"') return StringEnd(json, at);
  if (json[at] == '{' || json[at] == '[') return NestedEnd(json, at);
  const std::size_t end = json.find_first_of(",]} \t\r\n", at);
  return end == std::string_view::npos ? json.size() : end;
}

unsigned HexDigit(char c) {
  if (c <= '9') return static_cast<unsigned>(c - '0');
  return static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

unsigned HexUnit(std::string_view digits) {
  unsigned unit = 0;
  for (const char c : digits)
    unit = unit * 16 + HexDigit(c);
  return unit;
}

void AppendUtf8(std::string& out, unsigned character) {
  const auto append = [&out](unsigned byte) { out.push_back(static_cast<char>(byte)); };
  if (character < 0x80) {
    append(character);
  } else if (character < 0x800) {
    append(0xc0 | character >> 6);
    append(0x80 | (character & 0x3f));
  } else if (character < 0x10000) {
    append(0xe0 | character >> 12);
    append(0x80 | (character >> 6 & 0x3f));
    append(0x80 | (character & 0x3f));
  } else {
    append(0xf0 | character >> 18);
    append(0x80 | (character >> 12 & 0x3f));
    append(0x80 | (character >> 6 & 0x3f));
    append(0x80 | (character & 0x3f));
  }
}

/// Appends what the escape at the start of `text` spells; returns its length.
std::size_t AppendUnescaped(std::string& out, std::string_view text) {
  constexpr std::string_view kLetters = "bfnrt";
  constexpr std::string_view kMeanings = "\b\f\n\r\t";
  if (text.size() < 2) return text.size();
  if (text[1] != 'u') {
    const std::size_t letter = kLetters.find(text[1]);
    out.push_back(letter == std::string_view::npos ? text[1] : kMeanings[letter]);
    return 2;
  }
  unsigned character = HexUnit(text.substr(2, 4));
  if (character < 0xd800 || character > 0xdbff || text.size() < 12) {
    AppendUtf8(out, character);
    return 6;
  }
  character = 0x10000 + ((character - 0xd800) << 10) + (HexUnit(text.substr(8, 4)) - 0xdc00);
  AppendUtf8(out, character);
  return 12;
}

/// The two-character escape of `c`, or empty where it has none.
std::string_view ShortEscape(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return {};
  }
}

bool NeedsEscape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

bool StandsAt(std::string_view json, std::size_t at, char c) {
  return at < json.size() && json[at] == c;
}

/// Where the first faulty member of the object `json` stands; nothing where the fault is not inside
/// a member's value. Walks only over what it has found to be valid.
std::optional<Status> FaultInMember(std::string_view field, std::string_view json) {
  std::size_t at = SkipWhiteSpace(json, 0);
  char expected = '{';
  while (StandsAt(json, at, std::exchange(expected, ','))) {
    const std::size_t key = SkipWhiteSpace(json, at + 1);
    if (!StandsAt(json, key, '"')) break;
    const std::size_t key_end = StringEnd(json, key);
    const std::string_view literal = json.substr(key, key_end - key);
    const std::size_t colon = SkipWhiteSpace(json, key_end);
    if (!ScanJson("key", literal).ok() || !StandsAt(json, colon, ':')) break;
    const std::size_t value = SkipWhiteSpace(json, colon + 1);
    if (value == json.size()) break;
    const std::size_t value_end = ValueEnd(json, value);
    if (value_end == value) break;
    const std::string member = fmt::format("{}.{}", field, DecodeJsonString(literal));
    const Result<JsonScan> scan =
        ScanJson(member, json.substr(value, value_end - value), {}, value);
    if (!scan.ok()) return scan.status();
    at = SkipWhiteSpace(json, value_end);
  }
  return std::nullopt;
}

}  // namespace

std::string CompactJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  std::size_t at = 0;
  while ((at = SkipWhiteSpace(json, at)) < json.size()) {
    std::size_t end = at;
    while (end < json.size() && !IsWhiteSpace(json[end])) {
      end = json[end] == '"' ? StringEnd(json, end) : end + 1;
    }
    out.append(json, at, end - at);
    at = end;
  }
  return out;
}

std::string DecodeJsonString(std::string_view json) {
  const std::size_t first = SkipWhiteSpace(json, 0);
  if (first == json.size()) return {};
  std::string_view rest = json.substr(first, StringEnd(json, first) - first);
  if (rest.size() < 2) return {};
  rest = rest.substr(1, rest.size() - 2);

  std::string out;
  out.reserve(rest.size());
  while (true) {
    const std::size_t escape = rest.find('\\');
    out.append(rest, 0, escape);
    if (escape == std::string_view::npos) return out;
    rest.remove_prefix(escape);
    rest.remove_prefix(std::min(rest.size(), AppendUnescaped(out, rest)));
  }
}

void AppendJsonString(std::string& out, std::string_view utf8) {
  out.push_back('"');
  std::size_t copied = 0;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    if (!NeedsEscape(utf8[i])) continue;
    out.append(utf8, copied, i - copied);
    copied = i + 1;
    if (const std::string_view escape = ShortEscape(utf8[i]); !escape.empty()) {
      out.append(escape);
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", utf8[i]);
    }
  }
  out.append(utf8, copied);
  out.push_back('"');
}

Result<std::vector<JsonMember>> SplitJsonObject(std::string_view field, std::string_view json) {
  const Result<JsonScan> scan = ScanJson(field, json);
  if (!scan.ok()) return FaultInMember(field, json).value_or(scan.status());
  std::size_t at = SkipWhiteSpace(json, 0);
  if (scan->type != JsonType::kObject) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("{}: not a JSON object at byte {}", field, at));
  }

  std::vector<JsonMember> members;
  while (true) {
    at = SkipWhiteSpace(json, at + 1);  // behind the brace or comma
    if (json[at] == '}') return members;
    const std::size_t key_end = StringEnd(json, at);
    std::string key = DecodeJsonString(json.substr(at, key_end - at));
    const std::size_t colon = SkipWhiteSpace(json, key_end);
    const std::size_t value = SkipWhiteSpace(json, colon + 1);
    const std::size_t value_end = ValueEnd(json, value);
    members.push_back(
        {.key = std::move(key), .value = json.substr(value, value_end - value), .offset = value});
    at = SkipWhiteSpace(json, value_end);
    if (json[at] == '}') return members;
  }
}

}  // namespace runlog::format
