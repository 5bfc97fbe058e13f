// The parts of append_benchmark.

#ifndef RUNLOG_BENCHMARKS_APPEND_BENCHMARK_H_
#define RUNLOG_BENCHMARKS_APPEND_BENCHMARK_H_

namespace runlog::bench {

void RegisterThroughput();
void RegisterBeside();
void RegisterUniform();

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_APPEND_BENCHMARK_H_
