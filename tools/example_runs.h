// Lifelike agent runs as lines for `runlog append`: for demonstrations, tests and benchmarks.
//
// The events, their order and their fields are those the source frameworks write; the texts are
// made up from phrases. The same options give the same bytes everywhere.

#ifndef RUNLOG_TOOLS_EXAMPLE_RUNS_H_
#define RUNLOG_TOOLS_EXAMPLE_RUNS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <runlog/event.h>

namespace runlog::tools {

enum class ExampleShape {
  kDeerflow,  // run journal: messages, tools, middleware, subagents, a terminal record
  kAfk,       // AgentRunEvents in an envelope: steps, policy decisions, tools, child runs
};

struct ExampleOptions {
  ExampleShape shape = ExampleShape::kDeerflow;
  std::uint64_t seed = 1;
  std::uint64_t runs = 12;  // spread over about a third as many threads, and over several owners
};

/// Hands out the lines in the order in which they would be appended: runs one after the other, now
/// and then two of one thread at a time. A sink that answers false ends them.
void MakeExampleRuns(const ExampleOptions& options,
                     const std::function<bool(const std::string&)>& line);

// --- what the writers of the two shapes share ----------------------------------------------------

class ExampleText;

/// One run to be written.
struct ExampleRun {
  std::string thread_id;
  std::string run_id;
  std::optional<std::string> user_id;
  Timestamp start;
  bool first_in_thread = false;
};

std::vector<std::string> WriteDeerflowRun(const ExampleRun& run, ExampleText& text);
std::vector<std::string> WriteAfkRun(const ExampleRun& run, ExampleText& text);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EXAMPLE_RUNS_H_
