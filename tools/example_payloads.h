// What single events of example runs carry, as JSON.

#ifndef RUNLOG_TOOLS_EXAMPLE_PAYLOADS_H_
#define RUNLOG_TOOLS_EXAMPLE_PAYLOADS_H_

#include <string>
#include <string_view>

#include "tools/example_text.h"

namespace runlog::tools {

/// The arguments of a call of `tool`.
std::string ExampleToolArguments(ExampleText& text, std::string_view tool);

/// `changes` of middleware records.
std::string ExampleSkillActivation(ExampleText& text);
std::string ExampleDenial(ExampleText& text, std::string_view call_id, std::string_view tool);
std::string ExampleLoopWarning(std::string_view tool);

/// What a run did to its files: a sentence, and diffs large enough that metadata outgrows content.
struct ExampleWorkspaceChanges {
  std::string summary;
  std::string metadata;
};
ExampleWorkspaceChanges MakeWorkspaceChanges(ExampleText& text);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EXAMPLE_PAYLOADS_H_
