#include "tools/example_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "tools/example_words.h"

namespace runlog::tools {
namespace {

// Phrases name phrases name words: deeper than this is a loop in the bank.
constexpr int kDepthMax = 8;

// The words a run keeps coming back to.
constexpr std::string_view kSubjectNames[] = {"noun", "part", "package", "place"};
constexpr std::uint64_t kSubjectWords = 3;
constexpr unsigned kSubjectPercent = 80;

struct NumberPhrase {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  int width = 1;
};

std::optional<NumberPhrase> ParseNumberPhrase(std::string_view name) {
  if (name == "n") return NumberPhrase{2, 48};
  if (name == "N") return NumberPhrase{100, 9999};
  NumberPhrase phrase;
  const char* const end = name.data() + name.size();
  auto parsed = std::from_chars(name.data(), end, phrase.first);
  if (parsed.ec != std::errc() || parsed.ptr == end || *parsed.ptr != '-') return std::nullopt;
  parsed = std::from_chars(parsed.ptr + 1, end, phrase.last);
  if (parsed.ec != std::errc()) return std::nullopt;
  if (parsed.ptr != end && *parsed.ptr == ':') {
    parsed = std::from_chars(parsed.ptr + 1, end, phrase.width);
  }
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(phrase) : std::nullopt;
}

}  // namespace

std::string ExampleText::Expand(std::string_view phrase) {
  std::string out;
  ExpandInto(out, phrase, 0);
  return out;
}

void ExampleText::ExpandInto(std::string& out, std::string_view phrase, int depth) {
  while (!phrase.empty()) {
    const std::size_t open = phrase.find('<');
    out += phrase.substr(0, open);
    if (open == phrase.npos) return;
    phrase.remove_prefix(open + 1);
    const std::size_t close = phrase.find('>');
    if (close != phrase.npos && ExpandName(out, phrase.substr(0, close), depth)) {
      phrase.remove_prefix(close + 1);
    } else {
      out += '<';
    }
  }
}

bool ExampleText::ExpandName(std::string& out, std::string_view name, int depth) {
  if (const std::optional<NumberPhrase> number = ParseNumberPhrase(name)) {
    const std::uint64_t drawn = random_.Between(number->first, number->last);
    out += fmt::format("{:0{}}", drawn, number->width);
    return true;
  }
  if (name.size() == 2 && name[0] == 'x' && name[1] >= '1' && name[1] <= '9') {
    out += Hex(static_cast<std::size_t>(name[1] - '0'));
    return true;
  }
  if (depth >= kDepthMax || ExamplePhrases(name).empty()) return false;
  ExpandInto(out, PickPhrase(name), depth + 1);
  return true;
}

std::string_view ExampleText::PickPhrase(std::string_view name) {
  const auto choices = ExamplePhrases(name);
  const bool of_subject = std::ranges::find(kSubjectNames, name) != std::end(kSubjectNames);
  if (!of_subject || !random_.Chance(kSubjectPercent)) return random_.Pick(choices);
  const std::uint64_t chosen = subject_ + random_.Below(kSubjectWords);
  return choices[static_cast<std::size_t>(chosen % choices.size())];
}

std::string ExampleText::Prose(std::string_view phrase, std::size_t bytes) {
  std::string text = Expand(phrase);
  while (text.size() < bytes) {
    text += random_.Chance(18) ? "\n\n" : " ";
    text += Expand(phrase);
  }
  return text;
}

std::string ExampleText::ToolOutput(std::string_view tool, std::size_t bytes) {
  if (tool == "read_file") return Source(bytes);
  if (tool == "web_search") return Repeat("", "<result>", bytes);
  if (tool == "list_files") return Repeat("", "<listed>", bytes);
  if (tool == "query_table") return Repeat("place,noun,opened,amount,share\n", "<row>", bytes);
  if (random_.Chance(40)) return TestReport(bytes);
  return Repeat(Expand("$ <command>\n"), "<log_line>", bytes);
}

std::string ExampleText::Repeat(std::string head, std::string_view phrase, std::size_t bytes) {
  while (head.size() < bytes)
    head += Expand(phrase);
  return head;
}

std::string ExampleText::Source(std::size_t bytes) {
  std::string out;
  std::uint64_t line = random_.Between(1, 400);
  while (out.size() < bytes) {
    out += fmt::format("{:>5}: {}\n", line++, Expand("def <symbol>(<noun>, <part>=None):"));
    for (std::uint64_t i = random_.Between(3, 9); i > 0; --i) {
      out += fmt::format("{:>5}: {}\n", line++, Expand("<statement>"));
    }
    out += fmt::format("{:>5}: \n", line++);
  }
  return out;
}

std::string ExampleText::TestReport(std::size_t bytes) {
  std::string out;
  std::uint64_t failed = 0;
  std::uint64_t passed = 0;
  while (out.size() < bytes) {
    const bool fails = random_.Chance(7);
    (fails ? failed : passed) += 1;
    out += Expand(fails ? "<failed>" : "<passed>");
  }
  return out + fmt::format("{} failed, {} passed", failed, passed) +
         Expand(" in <1-90>.<0-99:2> s\n");
}

std::string ExampleText::Diff(std::size_t bytes) {
  std::string out = Expand("--- a/src/<module>.py\n+++ b/src/<module>.py\n@@ -<n>,6 +<n>,9 @@\n");
  while (out.size() < bytes) {
    out += " +-"[random_.Below(3)];
    out += Expand("<statement>\n");
  }
  return out;
}

std::string ExampleText::Hex(std::size_t digits) {
  std::string out;
  while (out.size() < digits)
    out += "0123456789abcdef"[random_.Below(16)];
  return out;
}

std::string ExampleText::Uuid() {
  return Expand("<x8>-<x4>-4<x3>-<x4>-<x6><x6>");
}

std::size_t ExampleText::TextBytes() {
  struct Share {
    unsigned percent;  // of the texts are at most this large
    std::size_t bytes;
  };
  static constexpr Share kShares[] = {{16, 120},  {46, 520},    {72, 1500},   {88, 3400},
                                      {95, 6200}, {98, 10'000}, {100, 30'000}};
  const std::uint64_t draw = random_.Below(100);
  std::size_t smallest = 20;
  for (const Share& share : kShares) {
    if (draw < share.percent) {
      return static_cast<std::size_t>(random_.Between(smallest, share.bytes));
    }
    smallest = share.bytes;
  }
  return smallest;
}

}  // namespace runlog::tools
