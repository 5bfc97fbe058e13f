// Texts of agent runs: what people ask, models write and tools print. Made up from phrases, the
// same for a seed everywhere.

#ifndef RUNLOG_TOOLS_EXAMPLE_TEXT_H_
#define RUNLOG_TOOLS_EXAMPLE_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/example_random.h"

namespace runlog::tools {

class ExampleText {
 public:
  explicit ExampleText(std::uint64_t seed) : random_(seed) {}

  ExampleRandom& random() { return random_; }

  /// What follows is about other things than what came before: a run keeps to a few subjects.
  void ChangeSubject() { subject_ = random_.Next(); }

  /// `phrase` with every `<name>` replaced, for example "<verb> the <noun>". Numbers are `<1-24>`,
  /// with leading zeros `<0-59:2>`, hex digits `<x8>`; `<n>` is a small number, `<N>` a larger one.
  std::string Expand(std::string_view phrase);
  /// About `bytes` of sentences made from `phrase`, in paragraphs.
  std::string Prose(std::string_view phrase, std::size_t bytes);

  /// What a tool printed, of about `bytes`.
  std::string ToolOutput(std::string_view tool, std::size_t bytes);
  /// A source file in the line format of a diff.
  std::string Diff(std::size_t bytes);

  std::string Hex(std::size_t digits);
  std::string Uuid();

  /// How large a text is: mostly a few hundred bytes, sometimes a whole file.
  std::size_t TextBytes();

 private:
  void ExpandInto(std::string& out, std::string_view phrase, int depth);
  // False where `name` is no name.
  bool ExpandName(std::string& out, std::string_view name, int depth);
  // `phrase` again and again, behind `head`.
  std::string Repeat(std::string head, std::string_view phrase, std::size_t bytes);
  std::string Source(std::size_t bytes);
  std::string TestReport(std::size_t bytes);

  std::string_view PickPhrase(std::string_view name);

  ExampleRandom random_;
  std::uint64_t subject_ = 0;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EXAMPLE_TEXT_H_
