// Time, processor time, memory, quantiles; and workers that start together.

#ifndef RUNLOG_BENCHMARKS_SUPPORT_MEASURE_H_
#define RUNLOG_BENCHMARKS_SUPPORT_MEASURE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace runlog::bench {

/// Wall and processor time of the whole process, background workers included, since construction.
class Stopwatch {
 public:
  Stopwatch();
  double wall_seconds() const;
  double cpu_seconds() const;

 private:
  std::chrono::steady_clock::time_point wall_;
  double cpu_;
};

using Latencies = std::vector<std::chrono::nanoseconds>;

/// In microseconds; 0 where there is none. Reorders `latencies`.
double QuantileMicros(Latencies& latencies, double quantile);

double Median(std::vector<double> values);

/// Wall time and the calling worker's processor time of single calls.
class CallTimes {
 public:
  void Add(const std::function<void()>& call);
  double wall_micros(double quantile) { return QuantileMicros(wall_, quantile); }
  double cpu_micros(double quantile) { return QuantileMicros(cpu_, quantile); }

 private:
  Latencies wall_;
  Latencies cpu_;
};

/// Resident memory of the process, in bytes.
std::uint64_t ResidentBytes();

/// Memory that was allocated and not freed, in bytes; the rest of the resident memory is the
/// program itself, stacks, and what the allocator keeps.
std::uint64_t AllocatedBytes();

/// Gives free memory back to the system, so that ResidentBytes shows what is in use.
void ReleaseFreeMemory();

/// Runs `work(worker)` on `workers` OS threads that begin together; what it returns is from that
/// moment to the end of the last.
struct Elapsed {
  double wall_seconds = 0;
  double cpu_seconds = 0;
};
Elapsed RunWorkers(std::size_t workers, const std::function<void(std::size_t)>& work);

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_SUPPORT_MEASURE_H_
