#include "benchmarks/append_rounds.h"

#include <map>
#include <string_view>

#include "benchmarks/support/check.h"
#include "benchmarks/support/measure.h"
#include "benchmarks/support/program.h"
#include "benchmarks/support/scratch_store.h"

namespace runlog::bench {
namespace {

struct Volume {
  std::uint64_t events = 0;
  std::uint64_t value_bytes = 0;
};

RoundFigures FiguresOf(const Elapsed& elapsed, const Volume& volume) {
  const auto events = static_cast<double>(volume.events);
  return {.wall_seconds = elapsed.wall_seconds,
          .events_per_second = events / elapsed.wall_seconds,
          .cpu_micros_per_event = elapsed.cpu_seconds * 1e6 / events};
}

double PerSync(const Volume& volume, std::uint64_t syncs) {
  return syncs == 0 ? 0 : static_cast<double>(volume.events) / static_cast<double>(syncs);
}

/// Opens the closed database once more, lets it come to rest and takes its sizes. Opening turns
/// what is left in the log into table files.
void AddDiskFigures(const ScratchFolder& folder, std::uint64_t written, const Volume& volume,
                    RoundFigures& figures) {
  {
    const auto rocks = OpenRocks(folder.path(), StoreOptions());
    Settle(*rocks);
    written += BytesWritten(*rocks);
  }
  figures.disk_bytes_per_event =
      static_cast<double>(TableBytes(folder.path())) / static_cast<double>(volume.events);
  figures.write_amplification =
      static_cast<double>(written) / static_cast<double>(volume.value_bytes);
}

void CheckSame(const EventView& stored, const Event& given) {
  Check(stored.run_id() == given.run_id && stored.event_type() == given.event_type &&
            stored.category() == given.category && stored.user_id() == given.user_id &&
            stored.content().kind == given.content.kind &&
            stored.content().bytes == given.content.bytes,
        "an event came back different");
}

}  // namespace

RoundFigures RunPlainRound(const std::vector<PlainDeck>& decks, bool sync) {
  const ScratchFolder folder;
  Volume volume{.value_bytes = ValueBytes(decks)};
  for (const PlainDeck& deck : decks) {
    for (const PlainAppend& append : deck)
      volume.events += append.size();
  }
  RoundFigures figures;
  std::uint64_t written = 0;
  {
    const PlainStore store(folder.path(), StoreOptions());
    const Elapsed elapsed = RunWorkers(decks.size(), [&](std::size_t worker) {
      for (const PlainAppend& append : decks[worker])
        store.Append(append, sync);
    });
    figures = FiguresOf(elapsed, volume);
    figures.events_per_sync = PerSync(volume, LogSyncs(store.rocks()));
    store.CheckHolds(decks);
    written = BytesWritten(store.rocks());
  }
  AddDiskFigures(folder, written, volume, figures);
  return figures;
}

RoundFigures RunStoreRound(const std::vector<Deck>& decks, Durability durability) {
  const ScratchFolder folder;
  Volume volume;
  for (const Deck& deck : decks) {
    for (const DeckAppend& append : deck)
      volume.events += append.events.size();
  }
  const auto store = OpenStore(folder.path(), StoreOptions());
  const Elapsed elapsed = RunWorkers(
      decks.size(), [&](std::size_t worker) { AppendDeck(*store, decks[worker], durability); });
  RoundFigures figures = FiguresOf(elapsed, volume);
  CheckHolds(*store, decks);
  const Stats stats = store->GetStats();
  Check(stats.events == volume.events, "the store counted another number of events");
  volume.value_bytes = stats.event_bytes;
  figures.events_per_sync = PerSync(volume, stats.syncs);
  Check(store->Close());
  AddDiskFigures(folder, BytesWritten(stats), volume, figures);
  return figures;
}

void AppendDeck(EventStore& store, const Deck& deck, Durability durability) {
  const AppendOptions options{.durability = durability};
  for (const DeckAppend& append : deck) {
    const AppendReceipt receipt = Take(store.Append(append.thread_id, append.events, options));
    Check(receipt.count == append.events.size(), "a receipt for another number of events");
  }
}

void CheckHolds(const EventStore& store, const std::vector<Deck>& decks) {
  std::map<std::string_view, std::uint64_t> expected;
  for (const Deck& deck : decks) {
    for (const DeckAppend& append : deck)
      expected[append.thread_id] += append.events.size();
  }
  for (const auto& [thread_id, events] : expected) {
    Check(Take(store.reader().Count(thread_id)).events == events, "a thread misses events");
  }
  if (expected.size() < decks.size()) return;  // they share a thread: no deck is its beginning
  for (const Deck& deck : decks) {
    const DeckAppend& first = deck.front();
    const Page page =
        Take(store.reader().ThreadEvents(first.thread_id, PageRequest{.after_seq = 0}));
    Check(page.size() >= first.events.size(), "a page misses events");
    for (std::size_t i = 0; i < first.events.size(); ++i)
      CheckSame(page.events()[i], first.events[i]);
  }
}

void Report(benchmark::State& state, const std::string& prefix, const RoundFigures& figures) {
  state.counters[prefix + "events_per_s"] = figures.events_per_second;
  state.counters[prefix + "cpu_us"] = figures.cpu_micros_per_event;
  state.counters[prefix + "disk_bytes"] = figures.disk_bytes_per_event;
  state.counters[prefix + "write_amp"] = figures.write_amplification;
  if (figures.events_per_sync > 0) {
    state.counters[prefix + "per_sync"] = figures.events_per_sync;
  }
}

const EventPool& SharedPool() {
  static const EventPool pool(/*seed=*/20260601, Scaled<std::size_t>(200'000, 8'000));
  return pool;
}

}  // namespace runlog::bench
