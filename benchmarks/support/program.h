// What every benchmark program does beside its benchmarks: flags, repetitions, the table at the
// end.

#ifndef RUNLOG_BENCHMARKS_SUPPORT_PROGRAM_H_
#define RUNLOG_BENCHMARKS_SUPPORT_PROGRAM_H_

#include <functional>
#include <string>

#include <benchmark/benchmark.h>

namespace runlog::bench {

/// `--smoke`: each benchmark once and tiny, to see that it works and that its results are right.
bool IsSmoke();

/// `--full`: at the size of the requirement where the default run is a scaled one.
bool IsFull();

/// The first in a real run, the second in a smoke run.
template <typename T>
T Scaled(T full, T smoke) {
  return IsSmoke() ? smoke : full;
}

/// A benchmark whose function measures itself, once a repetition, and reports by counters. Five
/// repetitions, whose medians are the figures.
void Register(const std::string& name, const std::function<void(benchmark::State&)>& run);

/// As Register, but one repetition.
void RegisterOnce(const std::string& name, const std::function<void(benchmark::State&)>& run);

/// Sets counters `ratio` and `at_least` or `at_most`: what the table's last column judges.
void SetRatio(benchmark::State& state, double ratio, double at_least);
void SetLimit(benchmark::State& state, double value, double at_most);

/// Runs what `register_all` registers, then prints the table. Returns main's exit code.
int Main(int argc, char** argv, const std::function<void()>& register_all);

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_SUPPORT_PROGRAM_H_
