#include "benchmarks/support/measure.h"

#ifdef RUNLOG_JEMALLOC
#include <jemalloc/jemalloc.h>
#else
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <latch>
#include <string>
#include <thread>

#include "benchmarks/support/check.h"

namespace runlog::bench {
namespace {

double CpuSeconds() {
  struct rusage usage {};
  Check(::getrusage(RUSAGE_SELF, &usage) == 0, "getrusage");
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::chrono::nanoseconds WorkerCpu() {
  struct timespec time {};
  Check(::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0, "clock_gettime");
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

Stopwatch::Stopwatch() : wall_(std::chrono::steady_clock::now()), cpu_(CpuSeconds()) {}

double Stopwatch::wall_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
}

double Stopwatch::cpu_seconds() const {
  return CpuSeconds() - cpu_;
}

double QuantileMicros(Latencies& latencies, double quantile) {
  if (latencies.empty()) return 0;
  const auto place =
      static_cast<std::ptrdiff_t>(quantile * static_cast<double>(latencies.size() - 1));
  std::nth_element(latencies.begin(), latencies.begin() + place, latencies.end());
  return std::chrono::duration<double, std::micro>(latencies[static_cast<std::size_t>(place)])
      .count();
}

double Median(std::vector<double> values) {
  Check(!values.empty(), "the median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void CallTimes::Add(const std::function<void()>& call) {
  const std::chrono::nanoseconds cpu = WorkerCpu();
  const auto start = std::chrono::steady_clock::now();
  call();
  wall_.push_back(std::chrono::steady_clock::now() - start);
  cpu_.push_back(WorkerCpu() - cpu);
}

std::uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  Check(resident > 0, "no resident pages in statm");
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

#ifdef RUNLOG_JEMALLOC
std::uint64_t AllocatedBytes() {
  std::uint64_t epoch = 1;  // figures are those of the last epoch that was asked for
  Check(::mallctl("epoch", nullptr, nullptr, &epoch, sizeof epoch) == 0, "mallctl epoch");
  std::size_t bytes = 0;
  std::size_t size = sizeof bytes;
  Check(::mallctl("stats.allocated", &bytes, &size, nullptr, 0) == 0, "mallctl stats.allocated");
  return bytes;
}

void ReleaseFreeMemory() {
  const std::string purge = "arena." + std::to_string(MALLCTL_ARENAS_ALL) + ".purge";
  Check(::mallctl(purge.c_str(), nullptr, nullptr, nullptr, 0) == 0, "mallctl purge");
}
#else
std::uint64_t AllocatedBytes() {
  const struct mallinfo2 about = ::mallinfo2();
  return about.uordblks + about.hblkhd;
}

void ReleaseFreeMemory() {
  ::malloc_trim(0);
}
#endif

Elapsed RunWorkers(std::size_t workers, const std::function<void(std::size_t)>& work) {
  std::latch ready(static_cast<std::ptrdiff_t>(workers) + 1);
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (std::size_t worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&, worker] {
      ready.arrive_and_wait();
      work(worker);
    });
  }
  const Stopwatch watch;
  ready.arrive_and_wait();
  for (std::thread& thread : threads)
    thread.join();
  return {watch.wall_seconds(), watch.cpu_seconds()};
}

}  // namespace runlog::bench
