// JSON as text: validated, never re-written. Keys, number spellings, escapes and duplicate keys
// come back as they came. The only user of the JSON parser library below contracts/ is
// json_scan.cc.

#ifndef RUNLOG_FORMAT_JSON_TEXT_H_
#define RUNLOG_FORMAT_JSON_TEXT_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/status.h>

namespace runlog::format {

enum class JsonType : unsigned char { kNull, kBool, kNumber, kString, kArray, kObject };

/// What a validating pass over one JSON value learned.
struct JsonScan {
  JsonType type = JsonType::kNull;
  bool has_line_break = false;  ///< Between tokens; strings cannot hold a raw one.
};

/// Where in a string member of an object's top level to leave its decoded value. Of duplicate keys
/// the last counts, as in Python; a last one that is no string leaves nullopt.
struct MemberCapture {
  std::string_view key;
  std::optional<std::string> value;
};

/// Validates one JSON value (RFC 8259): UTF-8, depth at most kJsonDepthMax, no lone surrogate,
/// nothing behind it. Captures the named top-level string members if it is an object. Errors:
/// kInvalidArgument, as "<field>: <reason> at byte <n>", counted from `first_byte`: where the value
/// stands in what the caller was given.
Result<JsonScan> ScanJson(std::string_view field, std::string_view json,
                          std::span<MemberCapture> captures = {}, std::size_t first_byte = 0);

/// `json` without the white space between its tokens. Requires: it was validated.
std::string CompactJson(std::string_view json);

/// The string that the validated JSON string literal `json` spells.
std::string DecodeJsonString(std::string_view json);

/// Appends `utf8` as a JSON string literal. Requires: valid UTF-8. Control characters, `"` and `\`
/// are escaped; everything else, U+2028 included, stays as it is.
void AppendJsonString(std::string& out, std::string_view utf8);

/// Top-level members of a validated JSON object, in order, duplicates included.
struct JsonMember {
  std::string key;         ///< Decoded.
  std::string_view value;  ///< As it stands in the input, without white space around it.
  std::size_t offset = 0;  ///< Of the value, in bytes from the start of the input.
};
/// Errors: kInvalidArgument where the text is no valid JSON object. What is wrong inside a member's
/// value is said of "<field>.<member>", and counted from the start of the input.
Result<std::vector<JsonMember>> SplitJsonObject(std::string_view field, std::string_view json);

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_JSON_TEXT_H_
