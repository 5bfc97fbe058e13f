// The validating pass, on the SAX parser of Boost.JSON. Its defaults are RFC 8259; three things are
// added here: captures of top-level members, exponents of any size, and errors that say where.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>
#include <fmt/format.h>

#include <runlog/limits.h>

#include "format/json_text.h"
#include "format/utf8.h"

namespace runlog::format {
namespace {

using boost::json::error_code;
using Piece = boost::json::string_view;

/// Receives the parser's events. Only string members of a top-level object are looked at; strings
/// with escapes come in pieces, all others whole and without a copy.
class MemberWatch {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  explicit MemberWatch(std::span<MemberCapture> captures) : captures_(captures) {}

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return Open(/*is_object=*/true); }
  bool on_object_end(std::size_t, error_code&) { return Close(); }
  bool on_array_begin(error_code&) { return Open(/*is_object=*/false); }
  bool on_array_end(std::size_t, error_code&) { return Close(); }

  bool on_key_part(Piece piece, std::size_t, error_code&) {
    if (Watching()) pieces_.append(piece.data(), piece.size());
    return true;
  }
  bool on_key(Piece piece, std::size_t, error_code&) {
    if (!Watching()) return true;
    if (pieces_.empty()) {
      Select({piece.data(), piece.size()});
    } else {
      Select(pieces_.append(piece.data(), piece.size()));
      pieces_.clear();
    }
    return true;
  }
  bool on_string_part(Piece piece, std::size_t, error_code&) {
    if (Watching() && member_ != nullptr) pieces_.append(piece.data(), piece.size());
    return true;
  }
  bool on_string(Piece piece, std::size_t, error_code&) {
    if (!Watching() || member_ == nullptr) return true;
    pieces_.append(piece.data(), piece.size());
    member_->value = std::exchange(pieces_, {});
    return true;
  }

  bool on_number_part(Piece, error_code&) { return true; }
  bool on_int64(std::int64_t, Piece, error_code&) { return NotAString(); }
  bool on_uint64(std::uint64_t, Piece, error_code&) { return NotAString(); }
  bool on_double(double, Piece, error_code&) { return NotAString(); }
  bool on_bool(bool, error_code&) { return NotAString(); }
  bool on_null(error_code&) { return NotAString(); }
  bool on_comment_part(Piece, error_code&) { return true; }
  bool on_comment(Piece, error_code&) { return true; }

 private:
  bool Watching() const { return !captures_.empty() && depth_ == 1; }

  bool Open(bool is_object) {
    if (depth_ == 0 && !is_object) captures_ = {};
    NotAString();
    ++depth_;
    return true;
  }
  bool Close() {
    --depth_;
    return true;
  }
  bool NotAString() {
    if (Watching() && member_ != nullptr) member_->value.reset();
    return true;
  }
  void Select(std::string_view key) {
    member_ = nullptr;
    for (MemberCapture& capture : captures_) {
      if (capture.key == key) member_ = &capture;
    }
  }

  std::span<MemberCapture> captures_;
  MemberCapture* member_ = nullptr;  // whose value comes next at depth 1
  std::size_t depth_ = 0;
  std::string pieces_;
};

struct Outcome {
  error_code error;
  std::size_t stopped_at = 0;
};

Outcome Parse(std::string_view json, std::span<MemberCapture> captures) {
  for (MemberCapture& capture : captures)
    capture.value.reset();
  boost::json::parse_options options;
  options.max_depth = kJsonDepthMax;
  boost::json::basic_parser<MemberWatch> parser(options, captures);
  Outcome outcome;
  outcome.stopped_at = parser.write_some(/*more=*/false, json.data(), json.size(), outcome.error);
  return outcome;
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// `json` with every digit of an exponent turned into 0. The parser computes the numbers it reads
/// and refuses an exponent it cannot; which digits an exponent has makes no text more or less
/// valid, and all offsets stay.
std::string WithZeroExponents(std::string_view json) {
  std::string copy(json);
  bool in_string = false;
  for (std::size_t i = 0; i < copy.size(); ++i) {
    if (copy[i] == '"') in_string = !in_string;
    if (in_string) {
      if (copy[i] == '\\') ++i;
      continue;
    }
    if (copy[i] != 'e' && copy[i] != 'E') continue;
    std::size_t digit = i + 1;
    if (digit < copy.size() && (copy[digit] == '+' || copy[digit] == '-')) ++digit;
    for (; digit < copy.size() && IsDigit(copy[digit]); ++digit)
      copy[digit] = '0';
    i = digit - 1;
  }
  return copy;
}

// --- what is wrong, and where: only after a refusal ----------------------------------------------

struct Fault {
  std::string reason;
  std::size_t at = 0;
};

/// The number of four hex digits at the start of `text`, or nullopt.
std::optional<unsigned> FourHexDigits(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  unsigned number = 0;
  for (const char c : text.substr(0, 4)) {
    const auto lower = static_cast<char>(c | 0x20);
    if (IsDigit(c)) {
      number = number * 16 + static_cast<unsigned>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      number = number * 16 + static_cast<unsigned>(lower - 'a') + 10;
    } else {
      return std::nullopt;
    }
  }
  return number;
}

constexpr std::string_view kNoHexDigits = "\\u without four hex digits";

bool IsHighSurrogate(unsigned unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}
bool IsLowSurrogate(unsigned unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/// Whether the escape at the start of `text`, a `\u` with its digits, is half of no pair. A text
/// that ends before it can be known is merely short.
bool IsLoneSurrogate(std::string_view text) {
  const std::optional<unsigned> unit = FourHexDigits(text.substr(2));
  if (!unit) return false;
  if (!IsHighSurrogate(*unit)) return IsLowSurrogate(*unit);
  const std::string_view rest = text.substr(6);
  const std::string_view escape = std::string_view("\\u").substr(0, rest.size());
  if (!rest.starts_with(escape)) return true;
  if (rest.size() < 6) return rest.find('"') != std::string_view::npos;
  const std::optional<unsigned> second = FourHexDigits(rest.substr(2));
  return !second || !IsLowSurrogate(*second);
}

/// What is wrong with the escape at the start of `text`; empty where nothing is.
std::string_view EscapeFault(std::string_view text) {
  if (text.size() < 2) return {};
  if (text[1] != 'u') {
    const bool known = std::string_view("\"\\/bfnrt").find(text[1]) != std::string_view::npos;
    return known ? "" : "unknown escape";
  }
  if (text.size() < 6) return text.find('"') == std::string_view::npos ? "" : kNoHexDigits;
  if (!FourHexDigits(text.substr(2))) return kNoHexDigits;
  return IsLoneSurrogate(text) ? "lone surrogate" : "";
}

/// The length of the faultless escape at the start of `text`, a pair of surrogates being one.
std::size_t EscapeLength(std::string_view text) {
  if (text.size() < 6 || text[1] != 'u') return 2;
  return IsHighSurrogate(FourHexDigits(text.substr(2)).value_or(0)) ? 12 : 6;
}

/// The first fault inside a string that starts at or before `stopped_at`.
std::optional<Fault> FaultInString(std::string_view json, std::size_t stopped_at) {
  bool in_string = false;
  std::size_t at = 0;
  while (at < json.size() && at <= stopped_at) {
    const char c = json[at];
    if (c == '"') in_string = !in_string;
    if (in_string && static_cast<unsigned char>(c) < 0x20) {
      return Fault{fmt::format("raw control character 0x{:02x} in a string", c), at};
    }
    if (!in_string || c != '\\') {
      ++at;
      continue;
    }
    const std::string_view escape = json.substr(at);
    if (const std::string_view fault = EscapeFault(escape); !fault.empty()) {
      return Fault{std::string(fault), at};
    }
    at += EscapeLength(escape);
  }
  return std::nullopt;
}

std::string Unexpected(char c) {
  if (c > 0x20 && c < 0x7f) return fmt::format("unexpected '{}'", c);
  return fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c));
}

Fault Diagnose(std::string_view json, const Outcome& outcome) {
  const std::size_t at = outcome.stopped_at;
  if (json.starts_with("\xef\xbb\xbf")) return {"byte order mark", 0};
  std::optional<Fault> in_string = FaultInString(json, at);
  const std::optional<std::size_t> bad_utf8 = InvalidUtf8At(json);
  if (bad_utf8 && *bad_utf8 <= at && (!in_string || *bad_utf8 < in_string->at)) {
    return {"invalid UTF-8", *bad_utf8};
  }
  if (in_string) return *std::move(in_string);
  if (outcome.error == boost::json::error::too_deep) {
    return {fmt::format("nested deeper than {}", kJsonDepthMax), at};
  }
  if (at >= json.size()) return {"unexpected end", at};
  if (!outcome.error) return {Unexpected(json[at]) + " behind the value", at};
  return {Unexpected(json[at]), at};
}

JsonType TypeOf(std::string_view valid_json) {
  switch (valid_json[valid_json.find_first_not_of(" \t\r\n")]) {
    case 'n':
      return JsonType::kNull;
    case 't':
    case 'f':
      return JsonType::kBool;
    case '"':
      return JsonType::kString;
    case '[':
      return JsonType::kArray;
    case '{':
      return JsonType::kObject;
    default:
      return JsonType::kNumber;
  }
}

}  // namespace

Result<JsonScan> ScanJson(std::string_view field, std::string_view json,
                          std::span<MemberCapture> captures, std::size_t first_byte) {
  Outcome outcome = Parse(json, captures);
  if (outcome.error == boost::json::error::exponent_overflow) {
    outcome = Parse(WithZeroExponents(json), captures);
  }
  if (outcome.error || outcome.stopped_at != json.size()) {
    const Fault fault = Diagnose(json, outcome);
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("{}: {} at byte {}", field, fault.reason, first_byte + fault.at));
  }
  // Valid strings hold no raw line break, so one that is there stands between tokens.
  const bool has_line_break =
      json.find('\n') != std::string_view::npos || json.find('\r') != std::string_view::npos;
  return JsonScan{.type = TypeOf(json), .has_line_break = has_line_break};
}

}  // namespace runlog::format
