// The live form of Stats: atomics that any worker bumps.

#ifndef RUNLOG_ENGINE_COUNTERS_H_
#define RUNLOG_ENGINE_COUNTERS_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include <runlog/stats.h>

namespace runlog::engine {

using Counter = std::atomic<std::uint64_t>;

inline void Bump(Counter& counter, std::uint64_t by = 1) {
  counter.fetch_add(by, std::memory_order_relaxed);
}

/// Counts latencies. Any worker.
class Histogram {
 public:
  void Add(std::chrono::nanoseconds latency);
  LatencyHistogram Take() const;

 private:
  std::array<Counter, LatencyHistogram::kBuckets> buckets_{};
  Counter count_{0};
  Counter sum_ns_{0};
  Counter max_ns_{0};
};

/// Adds the time from its construction to its end.
class LatencyTimer {
 public:
  explicit LatencyTimer(Histogram& histogram)
      : histogram_(histogram), start_(std::chrono::steady_clock::now()) {}
  ~LatencyTimer() { histogram_.Add(std::chrono::steady_clock::now() - start_); }
  LatencyTimer(const LatencyTimer&) = delete;
  LatencyTimer& operator=(const LatencyTimer&) = delete;

 private:
  Histogram& histogram_;
  const std::chrono::steady_clock::time_point start_;
};

struct Counters {
  Counter appends{0}, events{0}, event_bytes{0}, singletons_found{0}, idempotent_replays{0},
      conflicts{0}, overloads{0}, deletes{0}, events_deleted{0}, events_purged{0}, groups{0},
      syncs{0}, group_commands_max{0}, records_written_back{0}, tails{0}, pages{0}, pages_events{0},
      warnings{0};
  Histogram append_latency, write_latency, page_latency;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_COUNTERS_H_
