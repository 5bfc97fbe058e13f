// runlog examples: made-up agent runs, as lines for `runlog append`.

#include <memory>

#include "tools/commands.h"
#include "tools/example_runs.h"

namespace runlog::tools {
namespace {

struct ExamplesFlags {
  std::string shape = "deerflow";
  std::optional<std::int64_t> seed;
  std::optional<std::int64_t> runs;

  ExampleOptions options() const {
    ExampleOptions options;
    options.shape = shape == "afk" ? ExampleShape::kAfk : ExampleShape::kDeerflow;
    if (seed) options.seed = static_cast<std::uint64_t>(*seed);
    if (runs) options.runs = static_cast<std::uint64_t>(*runs);
    return options;
  }
};

ExitCode RunExamples(const ExamplesFlags& flags, Console& console) {
  MakeExampleRuns(flags.options(), [&console](const std::string& line) {
    console.PrintLine(line);
    return console.out_status().ok();
  });
  return ExitCode::kDone;
}

}  // namespace

Runner DeclareExamples(Flags& flags) {
  auto parsed = std::make_shared<ExamplesFlags>();
  flags.Choice("--shape", parsed->shape, {"deerflow", "afk"}, "whose events (deerflow)");
  flags.Number("--seed", parsed->seed, {}, "the same seed makes the same lines (1)");
  flags.Number("--runs", parsed->runs, {}, "how many runs (12)");
  return [parsed](Console& console) { return RunExamples(*parsed, console); };
}

}  // namespace runlog::tools
