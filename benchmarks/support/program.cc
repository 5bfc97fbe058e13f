#include "benchmarks/support/program.h"

#include <algorithm>
#include <iostream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/support/scratch_store.h"

namespace runlog::bench {
namespace {

constexpr int kRepetitions = 5;

bool smoke = false;
bool full = false;

std::string Verdict(const benchmark::UserCounters& counters) {
  if (smoke) return "works (a smoke run measures nothing)";
  const auto value = [&](const char* name) {
    const auto found = counters.find(name);
    return found == counters.end() ? -1.0 : found->second.value;
  };
  const double ratio = value("ratio");
  if (const double least = value("at_least"); least >= 0) {
    return fmt::format("{:.3f}, at least {:.2f}: {}", ratio, least,
                       ratio >= least ? "met" : "missed");
  }
  if (const double most = value("at_most"); most >= 0) {
    return fmt::format("{:.3f}, at most {:.2f}: {}", ratio, most, ratio <= most ? "met" : "missed");
  }
  return "report";
}

std::string Number(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

/// The console's lines as they come; the medians as a table at the end.
class TableReporter : public benchmark::ConsoleReporter {
 public:
  TableReporter() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      failed_ = failed_ || run.error_occurred;
      const bool is_figure = run.repetitions == 1 ? run.run_type == Run::RT_Iteration
                                                  : run.run_type == Run::RT_Aggregate &&
                                                        run.aggregate_name == "median";
      if (!is_figure) continue;
      std::string row =
          fmt::format("| {} | {} |", run.run_name.function_name, Verdict(run.counters));
      for (const auto& [name, counter] : run.counters) {
        if (name == "ratio" || name == "at_least" || name == "at_most") continue;
        row += fmt::format(" {} {}", name, Number(counter.value));
      }
      rows_.push_back(row + " |");
    }
  }

  void Finalize() override {
    std::cout << "\n| benchmark | ratio | medians |\n| --- | --- | --- |\n";
    for (const std::string& row : rows_)
      std::cout << row << '\n';
    std::cout.flush();
  }

  bool failed() const { return failed_; }

 private:
  std::vector<std::string> rows_;
  bool failed_ = false;
};

/// Takes our own flags out of the arguments.
void TakeFlags(std::vector<char*>& arguments) {
  constexpr std::string_view kDir = "--dir=";
  std::erase_if(arguments, [&](const char* argument) {
    const std::string_view text = argument;
    if (text == "--smoke") {
      smoke = true;
      return true;
    }
    if (text == "--full") {
      full = true;
      return true;
    }
    if (!text.starts_with(kDir)) return false;
    SetScratchParent(text.substr(kDir.size()));
    return true;
  });
}

void Register(const std::string& name, const std::function<void(benchmark::State&)>& run,
              int repetitions) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [run](benchmark::State& state) {
                                 for ([[maybe_unused]] auto once : state)
                                   run(state);
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Repetitions(repetitions)
      ->DisplayAggregatesOnly(repetitions > 1);
}

}  // namespace

bool IsSmoke() {
  return smoke;
}

bool IsFull() {
  return full && !smoke;
}

void Register(const std::string& name, const std::function<void(benchmark::State&)>& run) {
  Register(name, run, Scaled(kRepetitions, 1));
}

void RegisterOnce(const std::string& name, const std::function<void(benchmark::State&)>& run) {
  Register(name, run, 1);
}

void SetRatio(benchmark::State& state, double ratio, double at_least) {
  state.counters["ratio"] = ratio;
  state.counters["at_least"] = at_least;
}

void SetLimit(benchmark::State& state, double value, double at_most) {
  state.counters["ratio"] = value;
  state.counters["at_most"] = at_most;
}

int Main(int argc, char** argv, const std::function<void()>& register_all) {
  std::vector<char*> arguments(argv, argv + argc);
  TakeFlags(arguments);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  register_all();
  TableReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return reporter.failed() ? 1 : 0;
}

}  // namespace runlog::bench
