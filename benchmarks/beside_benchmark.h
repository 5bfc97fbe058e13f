// The parts of beside_benchmark.

#ifndef RUNLOG_BENCHMARKS_BESIDE_BENCHMARK_H_
#define RUNLOG_BENCHMARKS_BESIDE_BENCHMARK_H_

namespace runlog::bench {

void RegisterImport();
void RegisterColdThreads();

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_BESIDE_BENCHMARK_H_
