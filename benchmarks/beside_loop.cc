#include "benchmarks/beside_loop.h"

#include <utility>

#include "benchmarks/append_rounds.h"
#include "benchmarks/support/check.h"

namespace runlog::bench {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

struct Lane {
  const LoopKind* kind = nullptr;
  std::size_t worker = 0;  // of its kind
  Latencies latencies;
};

void AppendUntil(EventStore& store, SteadyTime end, Durability durability, Lane& lane) {
  const EventPool& pool = SharedPool();
  std::size_t next = lane.worker * 7919;  // not all from the same place
  std::vector<Event> events;
  for (std::uint64_t nth = 0;; ++nth) {
    const std::string thread_id = lane.kind->thread_of(lane.worker, nth);
    events.clear();
    while (events.size() < lane.kind->batch)
      events.push_back(pool.at(next++ % pool.size()));
    const SteadyTime start = std::chrono::steady_clock::now();
    if (start >= end) return;
    Check(store.Append(thread_id, events, AppendOptions{.durability = durability}).status());
    lane.latencies.push_back(std::chrono::steady_clock::now() - start);
  }
}

std::vector<Lane> LanesOf(const std::vector<LoopKind>& kinds) {
  std::vector<Lane> lanes;
  for (const LoopKind& kind : kinds) {
    for (std::size_t worker = 0; worker < kind.workers; ++worker)
      lanes.push_back({&kind, worker, {}});
  }
  return lanes;
}

}  // namespace

std::vector<LoopFigures> RunLoops(EventStore& store, const std::vector<LoopKind>& kinds,
                                  Durability durability, std::chrono::milliseconds time) {
  SharedPool();  // made before the clock starts
  std::vector<Lane> lanes = LanesOf(kinds);
  const std::uint64_t events_before = store.GetStats().events;
  const SteadyTime end = std::chrono::steady_clock::now() + time;
  const Elapsed elapsed = RunWorkers(
      lanes.size(), [&](std::size_t lane) { AppendUntil(store, end, durability, lanes[lane]); });
  std::vector<LoopFigures> result(kinds.size());
  std::uint64_t all_events = 0;
  for (Lane& lane : lanes) {
    LoopFigures& figures = result[static_cast<std::size_t>(lane.kind - kinds.data())];
    figures.events += lane.latencies.size() * lane.kind->batch;
    all_events += lane.latencies.size() * lane.kind->batch;
    figures.latencies.insert(figures.latencies.end(), lane.latencies.begin(), lane.latencies.end());
  }
  Check(store.GetStats().events - events_before == all_events,
        "the store counted another number of events");
  for (LoopFigures& figures : result) {
    figures.events_per_second = static_cast<double>(figures.events) / elapsed.wall_seconds;
    figures.cpu_micros_per_event = elapsed.cpu_seconds * 1e6 / static_cast<double>(all_events);
  }
  return result;
}

}  // namespace runlog::bench
