// How long opening takes after the writer was killed: benchmarks/README.md, "Open".

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "benchmarks/open_child.h"
#include "benchmarks/support/check.h"
#include "benchmarks/support/measure.h"
#include "benchmarks/support/program.h"
#include "benchmarks/support/scratch_store.h"

namespace runlog::bench {
namespace {

namespace fs = std::filesystem;

/// A store that a child filled and was killed over. Kept from one benchmark to the next.
struct FilledStore {
  ScratchFolder folder;
  std::uint64_t events = 0;  // at least
};

FilledStore& StoreOf(std::uint64_t events) {
  static std::map<std::uint64_t, std::unique_ptr<FilledStore>> stores;
  std::unique_ptr<FilledStore>& store = stores[events];
  if (store == nullptr) {
    store = std::make_unique<FilledStore>();
    AppendAndKill(store->folder.path(), events);
    store->events = events;
    // Leaves no log of the filling behind.
    Check(OpenStore(store->folder.path(), StoreOptions())->Compact());
  }
  return *store;
}

std::uint64_t LogBytes(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".log") bytes += file.file_size();
  }
  return bytes;
}

/// Every thread's count, and its last page event by event.
std::uint64_t CheckedCount(const EventStore& store) {
  std::uint64_t events = 0;
  for (std::uint64_t number = 0; number < kChildThreads; ++number) {
    const std::string thread_id = ChildThread(number);
    const std::uint64_t count = Take(store.reader().Count(thread_id)).events;
    if (count == 0) continue;
    const auto end = static_cast<std::int64_t>(count + 1);
    const Page page =
        Take(store.reader().ThreadEvents(thread_id, PageRequest{.before_seq = end, .limit = 100}));
    Check(page.high_water() == count && page.size() == 100 && page.events().back().seq() == count,
          "a thread's last page is not its last events");
    events += count;
  }
  return events;
}

/// A child appends `tail` events more and is killed; then the store is opened.
void Open(benchmark::State& state, std::uint64_t events, std::uint64_t tail) {
  FilledStore& filled = StoreOf(events);
  AppendAndKill(filled.folder.path(), tail);
  filled.events += tail;
  const std::uint64_t log_bytes = LogBytes(filled.folder.path());
  const Stopwatch watch;
  const std::unique_ptr<EventStore> store = OpenStore(filled.folder.path(), StoreOptions());
  const double wall = watch.wall_seconds();
  const double cpu = watch.cpu_seconds();
  const std::uint64_t counted = CheckedCount(*store);
  Check(counted >= filled.events, "acknowledged events are missing");
  filled.events = counted;
  state.SetIterationTime(wall);
  state.counters["open_ms"] = wall * 1e3;
  state.counters["open_cpu_ms"] = cpu * 1e3;
  state.counters["log_mib"] = static_cast<double>(log_bytes) / (1 << 20);
  state.counters["ms_per_log_mib"] = wall * 1e3 * (1 << 20) / static_cast<double>(log_bytes);
  state.counters["events"] = static_cast<double>(counted);
  state.counters["disk_bytes"] =
      static_cast<double>(TableBytes(filled.folder.path())) / static_cast<double>(counted);
}

void RegisterOpen() {
  const auto add = [](std::uint64_t events, std::uint64_t tail) {
    Register(fmt::format("open/after-kill/events:{}/tail:{}", events, tail),
             [events, tail](benchmark::State& state) { Open(state, events, tail); });
  };
  const auto small = Scaled<std::uint64_t>(500'000, 10'000);
  const auto large = Scaled<std::uint64_t>(5'000'000, 40'000);
  const auto tail = Scaled<std::uint64_t>(20'000, 2'000);
  add(small, tail);
  add(large, tail);
  add(large, 5 * tail);
}

}  // namespace
}  // namespace runlog::bench

int main(int argc, char** argv) {
  runlog::bench::BeChildIfAsked({argv, static_cast<std::size_t>(argc)});
  return runlog::bench::Main(argc, argv, runlog::bench::RegisterOpen);
}
