#include "tools/json_line.h"

#include <utility>

#include "format/json_text.h"

namespace runlog::tools {
namespace {

std::string_view WithoutBraces(std::string_view object) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t open = object.find('{');
  const std::size_t close = object.rfind('}');
  if (open == object.npos || close == object.npos || close <= open) return {};
  object = object.substr(open + 1, close - open - 1);
  const std::size_t first = object.find_first_not_of(kSpace);
  if (first == object.npos) return {};
  return object.substr(first, object.find_last_not_of(kSpace) - first + 1);
}

}  // namespace

JsonLine& JsonLine::Text(std::string_view key, std::string_view utf8) {
  Key(key);
  format::AppendJsonString(out_, utf8);
  return *this;
}

JsonLine& JsonLine::TextOrNull(std::string_view key, std::string_view utf8) {
  return utf8.empty() ? Null(key) : Text(key, utf8);
}

JsonLine& JsonLine::Bool(std::string_view key, bool value) {
  return Raw(key, value ? "true" : "false");
}

JsonLine& JsonLine::Null(std::string_view key) {
  return Raw(key, "null");
}

JsonLine& JsonLine::Raw(std::string_view key, std::string_view json) {
  Key(key);
  out_ += json;
  return *this;
}

JsonLine& JsonLine::Members(std::string_view object) {
  const std::string_view members = WithoutBraces(object);
  if (members.empty()) return *this;
  if (out_.size() > 1) out_ += ',';
  out_ += members;
  return *this;
}

std::string JsonLine::Take() {
  out_ += '}';
  return std::exchange(out_, "{");
}

void JsonLine::Key(std::string_view key) {
  if (out_.size() > 1) out_ += ',';
  format::AppendJsonString(out_, key);
  out_ += ':';
}

std::string JsonText(std::string_view utf8) {
  std::string out;
  format::AppendJsonString(out, utf8);
  return out;
}

std::string JsonList(const std::vector<std::string>& values) {
  std::string out = "[";
  for (const std::string& value : values) {
    if (out.size() > 1) out += ',';
    out += value;
  }
  return out + ']';
}

}  // namespace runlog::tools
