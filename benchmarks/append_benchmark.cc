// Appends a second against plain RocksDB with the same options and values: benchmarks/README.md,
// "Appends".

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/append_rounds.h"
#include "benchmarks/support/program.h"

namespace runlog::bench {
namespace {

struct Workload {
  const char* name;
  Durability durability;
  std::size_t workers;
  std::size_t batch;
  std::size_t batches;  // of each worker
  double goal;
};

/// Dealt once, at the first repetition.
struct Decks {
  std::vector<Deck> decks;
  std::vector<PlainDeck> plain;
};

std::shared_ptr<Decks> DealFor(const Workload& workload, const std::string& prefix = "thread") {
  auto dealt = std::make_shared<Decks>();
  dealt->decks = SharedPool().Deal({.workers = workload.workers,
                                    .batch = workload.batch,
                                    .batches = workload.batches,
                                    .prefix = prefix});
  dealt->plain = EncodeDecks(dealt->decks);
  return dealt;
}

/// Store and baseline take turns in going first: what slows the machine down for a while hits both.
void RegisterAgainstPlain(const Workload& workload) {
  const auto dealt = std::make_shared<std::shared_ptr<Decks>>();
  const auto repetition = std::make_shared<unsigned>(0);
  Register(workload.name, [workload, dealt, repetition](benchmark::State& state) {
    if (*dealt == nullptr) *dealt = DealFor(workload);
    const bool sync = workload.durability == Durability::kSync;
    RoundFigures plain;
    RoundFigures store;
    const bool plain_first = ++*repetition % 2 == 0;
    if (plain_first) plain = RunPlainRound((*dealt)->plain, sync);
    store = RunStoreRound((*dealt)->decks, workload.durability);
    if (!plain_first) plain = RunPlainRound((*dealt)->plain, sync);
    state.SetIterationTime(store.wall_seconds);
    SetRatio(state, store.events_per_second / plain.events_per_second, workload.goal);
    state.counters["cpu_ratio"] = plain.cpu_micros_per_event / store.cpu_micros_per_event;
    Report(state, "", store);
    Report(state, "plain_", plain);
  });
}

/// All workers on one thread, against each on its own.
void RegisterOneThread(const Workload& workload) {
  const auto dealt = std::make_shared<std::pair<std::vector<Deck>, std::vector<Deck>>>();
  const auto repetition = std::make_shared<unsigned>(0);
  Register(workload.name, [workload, dealt, repetition](benchmark::State& state) {
    auto& [apart, together] = *dealt;
    if (apart.empty()) {
      apart = SharedPool().Deal(
          {.workers = workload.workers, .batch = workload.batch, .batches = workload.batches});
      together = apart;
      for (Deck& deck : together) {
        for (DeckAppend& append : deck)
          append.thread_id = "the-one-thread";
      }
    }
    RoundFigures one;
    RoundFigures many;
    const bool many_first = ++*repetition % 2 == 0;
    if (many_first) many = RunStoreRound(apart, workload.durability);
    one = RunStoreRound(together, workload.durability);
    if (!many_first) many = RunStoreRound(apart, workload.durability);
    state.SetIterationTime(one.wall_seconds);
    SetRatio(state, one.events_per_second / many.events_per_second, workload.goal);
    Report(state, "", one);
    state.counters["apart_events_per_s"] = many.events_per_second;
    state.counters["apart_cpu_us"] = many.cpu_micros_per_event;
  });
}

void RegisterAppends() {
  const auto batches = [](std::size_t full) { return Scaled<std::size_t>(full, 5); };
  RegisterAgainstPlain(
      {"append/buffered/workers:4/batch:20", Durability::kBuffered, 4, 20, batches(2'500), 0.75});
  RegisterAgainstPlain(
      {"append/buffered/workers:4/batch:1", Durability::kBuffered, 4, 1, batches(50'000), 0.45});
  RegisterAgainstPlain(
      {"append/sync/workers:64/batch:20", Durability::kSync, 64, 20, batches(150), 1.0});
  RegisterAgainstPlain(
      {"append/sync/workers:64/batch:1", Durability::kSync, 64, 1, batches(800), 1.0});
  RegisterOneThread(
      {"append/one-thread/sync/workers:64/batch:20", Durability::kSync, 64, 20, batches(150), 0.8});
  RegisterOneThread(
      {"append/one-thread/sync/workers:64/batch:1", Durability::kSync, 64, 1, batches(800), 0.8});
}

}  // namespace
}  // namespace runlog::bench

int main(int argc, char** argv) {
  return runlog::bench::Main(argc, argv, runlog::bench::RegisterAppends);
}
