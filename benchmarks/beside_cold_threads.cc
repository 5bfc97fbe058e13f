// Appends to threads drawn at random from a store ten times as large as its caches, and what they
// do to threads in use.

#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/append_rounds.h"
#include "benchmarks/beside_benchmark.h"
#include "benchmarks/beside_loop.h"
#include "benchmarks/support/check.h"
#include "benchmarks/support/program.h"
#include "benchmarks/support/scratch_store.h"

namespace runlog::bench {
namespace {

constexpr double kSlowdownMax = 2.0;
constexpr std::uint64_t kWarmThreads = 100;

/// 1 M threads and the default caches with --full; else an eighth of both.
StoreOptions Options() {
  StoreOptions options;
  if (IsFull()) return options;
  options.thread_cache_bytes /= 8;
  options.block_cache_bytes /= 8;
  options.memtable_bytes /= 8;
  return options;
}

std::uint64_t ThreadCount() {
  return IsFull() ? 1'000'000 : Scaled<std::uint64_t>(125'000, 500);
}

constexpr std::uint64_t kEventsPerThread = 10;

std::string ColdThread(std::uint64_t number) {
  return fmt::format("cold-{:07}", number);
}

/// A filled store; what later repetitions append to it changes its size by little.
class LargeStore {
 public:
  LargeStore() : store_(OpenStore(folder_.path(), Options())) {
    Fill();
    const Stats stats = store_->GetStats();
    Check(store_->Compact());
    const auto table_bytes = static_cast<double>(TableBytes(folder_.path()));
    disk_bytes_ = table_bytes / static_cast<double>(stats.events);
    times_caches_ = table_bytes /
                    static_cast<double>(Options().thread_cache_bytes + Options().block_cache_bytes);
  }

  EventStore& store() { return *store_; }
  double disk_bytes() const { return disk_bytes_; }
  double times_caches() const { return times_caches_; }

 private:
  void Fill() {
    constexpr std::size_t kWorkers = 2;
    const EventPool& pool = SharedPool();
    RunWorkers(kWorkers, [&](std::size_t worker) {
      std::vector<Event> events;
      for (std::uint64_t number = worker; number < ThreadCount(); number += kWorkers) {
        events.clear();
        for (std::uint64_t i = 0; i < kEventsPerThread; ++i)
          events.push_back(pool.at((number * kEventsPerThread + i) % pool.size()));
        Check(store_
                  ->Append(ColdThread(number), events,
                           AppendOptions{.durability = Durability::kBuffered})
                  .status());
      }
    });
  }

  const ScratchFolder folder_;
  std::unique_ptr<EventStore> store_;
  double disk_bytes_ = 0;
  double times_caches_ = 0;
};

LargeStore& Shared() {
  static LargeStore large;
  return large;
}

LoopKind Cold(std::size_t workers) {
  return {.workers = workers, .batch = 1, .thread_of = [](std::size_t worker, std::uint64_t) {
            thread_local std::mt19937_64 random(worker + 1);
            return ColdThread(random() % ThreadCount());
          }};
}

LoopKind Warm(std::size_t workers) {
  return {.workers = workers, .batch = 1, .thread_of = [](std::size_t worker, std::uint64_t nth) {
            return fmt::format("warm-{}", (nth * 7 + worker * kWarmThreads / 2) % kWarmThreads);
          }};
}

void CheckColdThreads(const EventStore& store) {
  for (std::uint64_t number = 0; number < ThreadCount(); number += ThreadCount() / 500) {
    const std::string thread_id = ColdThread(number);
    const Counts counts = Take(store.reader().Count(thread_id));
    const Page page = Take(store.reader().ThreadEvents(thread_id, PageRequest{.limit = 10'000}));
    Check(counts.events >= kEventsPerThread && page.size() == counts.events,
          "a thread misses events");
  }
}

void Uniform(benchmark::State& state) {
  EventStore& store = Shared().store();
  const std::chrono::milliseconds time(Scaled(2'000, 50));
  // Alone first and after compactions are done: what the cold appends leave to compact would slow
  // these workers too and hide what they suffer beside them.
  Check(store.Compact());
  LoopFigures alone = RunLoops(store, {Warm(2)}, Durability::kBuffered, time).front();
  const Stats before = store.GetStats();
  LoopFigures cold = RunLoops(store, {Cold(4)}, Durability::kBuffered, time).front();
  const Stats after = store.GetStats();
  std::vector<LoopFigures> both = RunLoops(store, {Warm(2), Cold(2)}, Durability::kBuffered, time);
  CheckColdThreads(store);
  state.SetIterationTime(cold.p99_micros() * 1e-6);
  SetLimit(state, both.front().p99_micros() / alone.p99_micros(), kSlowdownMax);
  state.counters["events_per_s"] = cold.events_per_second;
  state.counters["cpu_us"] = cold.cpu_micros_per_event;
  state.counters["cold_p99_us"] = cold.p99_micros();
  state.counters["cache_misses"] =
      static_cast<double>(after.thread_cache_misses - before.thread_cache_misses) /
      static_cast<double>(cold.events);
  state.counters["write_amp"] = static_cast<double>(BytesWritten(after) - BytesWritten(before)) /
                                static_cast<double>(after.event_bytes - before.event_bytes);
  state.counters["disk_bytes"] = Shared().disk_bytes();
  state.counters["times_caches"] = Shared().times_caches();
  state.counters["warm_alone_events_per_s"] = alone.events_per_second;
  state.counters["warm_alone_p99_us"] = alone.p99_micros();
  state.counters["warm_beside_events_per_s"] = both.front().events_per_second;
  state.counters["warm_beside_p99_us"] = both.front().p99_micros();
  state.counters["cold_beside_events_per_s"] = both.back().events_per_second;
}

}  // namespace

void RegisterColdThreads() {
  Register("beside/cold-threads/buffered", Uniform);
}

}  // namespace runlog::bench
