// Small appends beside one bulk importer.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/beside_benchmark.h"
#include "benchmarks/beside_loop.h"
#include "benchmarks/support/check.h"
#include "benchmarks/support/program.h"
#include "benchmarks/support/scratch_store.h"

namespace runlog::bench {
namespace {

constexpr std::size_t kSmallWorkers = 4;
constexpr double kSlowdownMax = 3.0;

LoopKind Small() {
  return {.workers = kSmallWorkers, .batch = 1, .thread_of = [](std::size_t worker, std::uint64_t) {
            return fmt::format("small-{}", worker);
          }};
}

LoopKind Importer(std::size_t batch) {
  return {.workers = 1, .batch = batch, .thread_of = [batch](std::size_t, std::uint64_t nth) {
            return fmt::format("imported-{}", nth * batch / 10'000);
          }};
}

void CheckCounts(const EventStore& store, std::uint64_t small_events) {
  std::uint64_t counted = 0;
  for (std::size_t worker = 0; worker < kSmallWorkers; ++worker)
    counted += Take(store.reader().Count(fmt::format("small-{}", worker))).events;
  Check(counted == small_events, "the small threads hold another number of events");
}

void BesideImport(benchmark::State& state, Durability durability, std::size_t batch) {
  const ScratchFolder folder;
  const auto store = OpenStore(folder.path(), StoreOptions());
  const std::chrono::milliseconds time(Scaled(1'500, 50));
  LoopFigures alone = RunLoops(*store, {Small()}, durability, time).front();
  std::vector<LoopFigures> both = RunLoops(*store, {Small(), Importer(batch)}, durability, time);
  LoopFigures& beside = both.front();
  CheckCounts(*store, alone.events + beside.events);
  state.SetIterationTime(beside.p99_micros() * 1e-6);
  SetLimit(state, beside.p99_micros() / alone.p99_micros(), kSlowdownMax);
  state.counters["alone_p50_us"] = QuantileMicros(alone.latencies, 0.5);
  state.counters["alone_p99_us"] = alone.p99_micros();
  state.counters["alone_events_per_s"] = alone.events_per_second;
  state.counters["beside_p50_us"] = QuantileMicros(beside.latencies, 0.5);
  state.counters["beside_p99_us"] = beside.p99_micros();
  state.counters["beside_events_per_s"] = beside.events_per_second;
  state.counters["import_events_per_s"] = both.back().events_per_second;
  state.counters["import_p99_us"] = both.back().p99_micros();
  state.counters["cpu_us"] = beside.cpu_micros_per_event;
  const Stats stats = store->GetStats();
  state.counters["write_amp"] =
      static_cast<double>(BytesWritten(stats)) / static_cast<double>(stats.event_bytes);
}

}  // namespace

void RegisterImport() {
  for (const std::size_t batch : {std::size_t{100}, std::size_t{1000}}) {
    Register(
        fmt::format("beside/import/buffered/import-batch:{}", batch),
        [batch](benchmark::State& state) { BesideImport(state, Durability::kBuffered, batch); });
    Register(fmt::format("beside/import/sync/import-batch:{}", batch),
             [batch](benchmark::State& state) { BesideImport(state, Durability::kSync, batch); });
  }
}

}  // namespace runlog::bench
