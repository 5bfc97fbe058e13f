// Whether memory stays inside the configured caches: benchmarks/README.md, "Memory".

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/support/check.h"
#include "benchmarks/support/event_deck.h"
#include "benchmarks/support/measure.h"
#include "benchmarks/support/program.h"
#include "benchmarks/support/scratch_store.h"

namespace runlog::bench {
namespace {

constexpr std::size_t kWorkers = 4;

std::uint64_t ThreadCount() {
  return Scaled<std::uint64_t>(1'000'000, 5'000);
}

std::string ThreadId(std::uint64_t number) {
  return fmt::format("thread-{:07}", number);
}

/// The most resident memory while `work` runs, looked at every 20 ms.
std::uint64_t PeakResident(const std::function<void()>& work) {
  std::atomic<bool> done = false;
  std::uint64_t peak = ResidentBytes();
  std::thread watcher([&] {
    while (!done.load()) {
      peak = std::max(peak, ResidentBytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  work();
  done = true;
  watcher.join();
  return std::max(peak, ResidentBytes());
}

/// Every thread once, each worker its share.
Elapsed ForEachThread(const std::function<void(std::uint64_t)>& touch) {
  return RunWorkers(kWorkers, [&](std::size_t worker) {
    for (std::uint64_t number = worker; number < ThreadCount(); number += kWorkers)
      touch(number);
  });
}

void Report(benchmark::State& state, const Elapsed& elapsed, std::uint64_t before,
            std::uint64_t peak, const StoreOptions& options) {
  constexpr double kMebibyte = 1 << 20;
  const auto threads = static_cast<double>(ThreadCount());
  const auto caches = static_cast<double>(options.thread_cache_bytes + options.block_cache_bytes);
  const double grown = static_cast<double>(peak) - static_cast<double>(before);
  state.SetIterationTime(elapsed.wall_seconds);
  SetLimit(state, grown / caches, 1.0);
  state.counters["before_mib"] = static_cast<double>(before) / kMebibyte;
  state.counters["grown_mib"] = grown / kMebibyte;
  state.counters["caches_mib"] = caches / kMebibyte;
  state.counters["threads_per_s"] = threads / elapsed.wall_seconds;
  state.counters["cpu_us"] = elapsed.cpu_seconds * 1e6 / threads;
}

/// One event into each of 1 M threads, then, after a reopen, a page of each.
void TouchedOnce(benchmark::State& state, bool read) {
  static const EventPool pool(/*seed=*/20260603, 5'000);
  static const ScratchFolder folder;
  const StoreOptions options;
  ReleaseFreeMemory();
  // Of the first of the two: what that left behind counts against the second.
  static const std::uint64_t before = ResidentBytes();
  std::unique_ptr<EventStore> store = OpenStore(folder.path(), options);
  Elapsed elapsed;
  const std::uint64_t peak = PeakResident([&] {
    elapsed = ForEachThread([&](std::uint64_t number) {
      if (read) {
        const Page page = Take(store->reader().ThreadEvents(ThreadId(number), PageRequest{}));
        Check(page.size() == 1, "a thread holds another number of events");
        return;
      }
      const Event event = pool.at(number % pool.size());
      Check(store
                ->Append(ThreadId(number), std::span(&event, 1),
                         AppendOptions{.durability = Durability::kBuffered})
                .status());
    });
  });
  Report(state, elapsed, before, peak, options);
  constexpr double kMebibyte = 1 << 20;
  state.counters["allocated_mib"] = static_cast<double>(AllocatedBytes()) / kMebibyte;
  state.counters["resident_mib"] = static_cast<double>(ResidentBytes()) / kMebibyte;
  const Stats stats = store->GetStats();
  state.counters["threads_cached"] = static_cast<double>(stats.threads_cached);
  state.counters["thread_cache_mib"] = static_cast<double>(stats.thread_cache_bytes) / kMebibyte;
  if (!read) {
    state.counters["write_amp"] =
        static_cast<double>(BytesWritten(stats)) / static_cast<double>(stats.event_bytes);
  }
  Check(store->Close());
  state.counters["disk_bytes"] =
      static_cast<double>(TableBytes(folder.path())) / static_cast<double>(ThreadCount());
}

void RegisterMemory() {
  // Once: the second read benchmark reads what the first wrote, and memory is no rate.
  RegisterOnce("memory/threads-once/append",
               [](benchmark::State& state) { TouchedOnce(state, /*read=*/false); });
  RegisterOnce("memory/threads-once/page",
               [](benchmark::State& state) { TouchedOnce(state, /*read=*/true); });
}

}  // namespace
}  // namespace runlog::bench

int main(int argc, char** argv) {
  return runlog::bench::Main(argc, argv, runlog::bench::RegisterMemory);
}
