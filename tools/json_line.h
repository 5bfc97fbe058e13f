// Builds JSON: a line of output is an object with its members in the order they are added.

#ifndef RUNLOG_TOOLS_JSON_LINE_H_
#define RUNLOG_TOOLS_JSON_LINE_H_

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace runlog::tools {

class JsonLine {
 public:
  /// `utf8` as a JSON string.
  JsonLine& Text(std::string_view key, std::string_view utf8);
  /// Null where `utf8` is empty.
  JsonLine& TextOrNull(std::string_view key, std::string_view utf8);
  JsonLine& Bool(std::string_view key, bool value);
  JsonLine& Null(std::string_view key);
  /// `json` is JSON already.
  JsonLine& Raw(std::string_view key, std::string_view json);
  template <std::integral Integer>
  JsonLine& Number(std::string_view key, Integer number) {
    return Raw(key, std::to_string(number));
  }
  /// The members of `object`, which is JSON already, or empty for none.
  JsonLine& Members(std::string_view object);

  /// The object. The builder is spent.
  std::string Take();

 private:
  void Key(std::string_view key);

  std::string out_ = "{";
};

/// `utf8` as a JSON string.
std::string JsonText(std::string_view utf8);
/// A JSON array of `values`, which are JSON already.
std::string JsonList(const std::vector<std::string>& values);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_JSON_LINE_H_
