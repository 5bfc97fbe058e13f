// How fast pages are: benchmarks/README.md, "Pages".

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "benchmarks/page_store.h"
#include "benchmarks/support/check.h"
#include "benchmarks/support/measure.h"
#include "benchmarks/support/program.h"

namespace runlog::bench {
namespace {

constexpr std::uint64_t kDensePage = 500;
constexpr std::uint64_t kSparsePage = 50;
constexpr std::uint64_t kBlockReadsMax = 52;

PageStore& SharedStore() {
  static PageStore store;
  return store;
}

PageRequest Behind(std::uint64_t after_seq, std::uint64_t limit) {
  return {.after_seq = static_cast<std::int64_t>(after_seq),
          .limit = static_cast<std::int64_t>(limit)};
}

Page DensePage(const PageStore& store, std::uint64_t after_seq) {
  return Take(store.reader().RunEvents(kSmallThread, kPageRun, Behind(after_seq, kDensePage)));
}

Page Messages(const PageStore& store, std::string_view thread_id, std::uint64_t after_seq,
              std::uint64_t limit) {
  return Take(store.reader().Messages(thread_id, {}, Behind(after_seq, limit)));
}

Page TaskEvents(const PageStore& store, std::string_view thread_id, std::uint64_t after_seq,
                std::uint64_t limit) {
  return Take(store.reader().RunEvents(thread_id, kPageRun, Behind(after_seq, limit),
                                       EventFilter{.task_id = std::string(kPageTask)}));
}

using SparseRead = Page (*)(const PageStore&, std::string_view, std::uint64_t, std::uint64_t);

/// Page and scans take turns call by call, over the same windows, so that all meet the same
/// machine.
void DenseRun(benchmark::State& state) {
  const PageStore& store = SharedStore();
  const std::uint64_t windows = store.small_events() / kDensePage;
  CallTimes page;
  CallTimes checked;
  CallTimes unchecked;
  for (std::uint64_t window = 0; window < windows; ++window) {  // warms both caches
    store.CheckPage(DensePage(store, window * kDensePage), kDensePage);
    store.BareScan(window * kDensePage, kDensePage, Checks::kOn);
  }
  std::uint64_t bytes = 0;
  const std::uint64_t rounds = Scaled<std::uint64_t>(1000, 20);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t after_seq = round % windows * kDensePage;
    page.Add([&] { bytes += DensePage(store, after_seq).size(); });
    checked.Add([&] { bytes += store.BareScan(after_seq, kDensePage, Checks::kOn); });
    unchecked.Add([&] { bytes += store.BareScan(after_seq, kDensePage, Checks::kOff); });
  }
  benchmark::DoNotOptimize(bytes);
  state.SetIterationTime(page.wall_micros(0.5) * 1e-6);
  SetLimit(state, page.wall_micros(0.5) / checked.wall_micros(0.5), 1.3);
  state.counters["unchecked_ratio"] = page.wall_micros(0.5) / unchecked.wall_micros(0.5);
  state.counters["page_us"] = page.wall_micros(0.5);
  state.counters["page_cpu_us"] = page.cpu_micros(0.5);
  state.counters["page_p99_us"] = page.wall_micros(0.99);
  state.counters["checked_us"] = checked.wall_micros(0.5);
  state.counters["checked_cpu_us"] = checked.cpu_micros(0.5);
  state.counters["unchecked_us"] = unchecked.wall_micros(0.5);
}

/// The same page of the small and of the large thread, in turns, over windows read before.
void SparseWarm(benchmark::State& state, SparseRead read, std::uint64_t density,
                std::uint64_t limit) {
  const PageStore& store = SharedStore();
  const std::uint64_t span = limit * density;
  const std::uint64_t windows = Scaled<std::uint64_t>(20, 2);
  const auto start_of = [&](std::uint64_t events, std::uint64_t window) {
    return (events - span) / windows * window;
  };
  for (std::uint64_t window = 0; window < windows; ++window) {
    store.CheckPage(read(store, kSmallThread, start_of(store.small_events(), window), limit),
                    limit);
    store.CheckPage(read(store, kLargeThread, start_of(store.large_events(), window), limit),
                    limit);
  }
  CallTimes small;
  CallTimes large;
  std::uint64_t events = 0;
  const std::uint64_t rounds = Scaled<std::uint64_t>(2000, 20);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t window = round % windows;
    const std::uint64_t in_small = start_of(store.small_events(), window);
    const std::uint64_t in_large = start_of(store.large_events(), window);
    small.Add([&] { events += read(store, kSmallThread, in_small, limit).size(); });
    large.Add([&] { events += read(store, kLargeThread, in_large, limit).size(); });
  }
  Check(events == 2 * rounds * limit, "pages of another size");
  state.SetIterationTime(large.wall_micros(0.5) * 1e-6);
  SetLimit(state, large.wall_micros(0.5) / small.wall_micros(0.5), 2.0);
  state.counters["small_us"] = small.wall_micros(0.5);
  state.counters["small_cpu_us"] = small.cpu_micros(0.5);
  state.counters["large_us"] = large.wall_micros(0.5);
  state.counters["large_cpu_us"] = large.cpu_micros(0.5);
  state.counters["large_p99_us"] = large.wall_micros(0.99);
}

/// Which cold page the limit is held against: the very first after opening, which also reads the
/// thread's records and the tables' index blocks, or the worst of those after it.
enum class Cold : bool { kFirstPage, kLaterPage };

/// Block reads of pages whose blocks were never read.
void SparseCold(benchmark::State& state, SparseRead read, std::uint64_t density, Cold judged) {
  PageStore& store = SharedStore();
  store.Reopen();
  const std::uint64_t span = kSparsePage * density;
  CallTimes times;
  const auto read_at = [&](std::uint64_t after_seq) {
    Page page;
    const BlockReads reads = CountBlockReads(
        [&] { times.Add([&] { page = read(store, kLargeThread, after_seq, kSparsePage); }); });
    store.CheckPage(page, kSparsePage);
    return reads;
  };
  const std::uint64_t middle = store.large_events() / 2;
  const BlockReads first = read_at(middle);
  BlockReads most;
  for (std::uint64_t start = 0; start + span <= middle; start += 2 * span) {
    const BlockReads reads = read_at(start);
    if (reads.total() > most.total()) most = reads;
  }
  state.SetIterationTime(times.wall_micros(0.5) * 1e-6);
  const BlockReads& judged_reads = judged == Cold::kFirstPage ? first : most;
  SetLimit(state, static_cast<double>(judged_reads.total()), static_cast<double>(kBlockReadsMax));
  state.counters["data"] = static_cast<double>(most.data);
  state.counters["index"] = static_cast<double>(most.index_and_filter);
  state.counters["first_data"] = static_cast<double>(first.data);
  state.counters["first_index"] = static_cast<double>(first.index_and_filter);
  state.counters["page_us"] = times.wall_micros(0.5);
}

void RegisterPages() {
  Register("page/dense-run/events:500", DenseRun);
  Register("page/messages/warm/events:50", [](benchmark::State& state) {
    SparseWarm(state, Messages, kEventsPerMessage, Scaled<std::uint64_t>(kSparsePage, 10));
  });
  Register("page/messages/cold-first/events:50", [](benchmark::State& state) {
    SparseCold(state, Messages, kEventsPerMessage, Cold::kFirstPage);
  });
  Register("page/messages/cold-later/events:50", [](benchmark::State& state) {
    SparseCold(state, Messages, kEventsPerMessage, Cold::kLaterPage);
  });
  // A thread of 10 000 events holds ten of each of 1 000 tasks.
  Register("page/task/warm/events:10", [](benchmark::State& state) {
    SparseWarm(state, TaskEvents, kEventsPerTask, SharedStore().small_events() / kEventsPerTask);
  });
  Register("page/task/cold-first/events:50", [](benchmark::State& state) {
    SparseCold(state, TaskEvents, kEventsPerTask, Cold::kFirstPage);
  });
  Register("page/task/cold-later/events:50", [](benchmark::State& state) {
    SparseCold(state, TaskEvents, kEventsPerTask, Cold::kLaterPage);
  });
}

}  // namespace
}  // namespace runlog::bench

int main(int argc, char** argv) {
  return runlog::bench::Main(argc, argv, runlog::bench::RegisterPages);
}
