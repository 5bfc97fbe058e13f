// Workers that append one thing after the other until the time is up, several kinds beside each
// other.

#ifndef RUNLOG_BENCHMARKS_BESIDE_LOOP_H_
#define RUNLOG_BENCHMARKS_BESIDE_LOOP_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <runlog/event_store.h>

#include "benchmarks/support/measure.h"

namespace runlog::bench {

/// Workers of one kind. Each waits for the answer to one append before it makes the next.
struct LoopKind {
  std::size_t workers = 1;
  std::size_t batch = 1;
  /// The thread of a worker's nth append.
  std::function<std::string(std::size_t worker, std::uint64_t nth)> thread_of;
};

/// What the workers of one kind did.
struct LoopFigures {
  Latencies latencies;  // of every append
  std::uint64_t events = 0;
  double events_per_second = 0;
  double cpu_micros_per_event = 0;  ///< Of the process, so of all kinds.

  double p99_micros() { return QuantileMicros(latencies, 0.99); }
};

/// Runs all kinds beside each other for `time`; one result for each, in order. Ends the program
/// unless the store's count of events grew by what was appended.
std::vector<LoopFigures> RunLoops(EventStore& store, const std::vector<LoopKind>& kinds,
                                  Durability durability, std::chrono::milliseconds time);

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_BESIDE_LOOP_H_
