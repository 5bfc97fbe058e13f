// One round of appends: the same decks through plain RocksDB or through the store, on a fresh
// folder, read back at the end.

#ifndef RUNLOG_BENCHMARKS_APPEND_ROUNDS_H_
#define RUNLOG_BENCHMARKS_APPEND_ROUNDS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <runlog/event_store.h>

#include "benchmarks/support/baseline.h"
#include "benchmarks/support/event_deck.h"

namespace runlog::bench {

struct RoundFigures {
  double wall_seconds = 0;
  double events_per_second = 0;
  double cpu_micros_per_event = 0;
  double disk_bytes_per_event = 0;  ///< Table files when nothing is left to flush or compact.
  double write_amplification = 0;   ///< Bytes written by then, log included, to bytes of values.
  double events_per_sync = 0;       ///< 0 where nothing was synced.
};

RoundFigures RunPlainRound(const std::vector<PlainDeck>& decks, bool sync);
RoundFigures RunStoreRound(const std::vector<Deck>& decks, Durability durability);

/// Appends a worker's deck, one append after the other.
void AppendDeck(EventStore& store, const Deck& deck, Durability durability);

/// Counts every thread of the decks, and compares the first append of each deck field by field.
void CheckHolds(const EventStore& store, const std::vector<Deck>& decks);

/// Adds the figures as counters `<prefix>events_per_s` and so on.
void Report(benchmark::State& state, const std::string& prefix, const RoundFigures& figures);

/// The pool all append benchmarks deal from.
const EventPool& SharedPool();

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_APPEND_ROUNDS_H_
