// The words and phrases that example runs are made of.

#ifndef RUNLOG_TOOLS_EXAMPLE_WORDS_H_
#define RUNLOG_TOOLS_EXAMPLE_WORDS_H_

#include <span>
#include <string_view>

namespace runlog::tools {

/// What `<name>` in a phrase may become; phrases may hold further names, and numbers as
/// ExampleText::Expand reads them. Empty: no such name.
std::span<const std::string_view> ExamplePhrases(std::string_view name);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EXAMPLE_WORDS_H_
