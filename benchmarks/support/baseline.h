// The ceiling: plain RocksDB with the store's own options and the same values, encoded beforehand,
// one put an event into `events`; no index, no records, no commits, no checks.

#ifndef RUNLOG_BENCHMARKS_SUPPORT_BASELINE_H_
#define RUNLOG_BENCHMARKS_SUPPORT_BASELINE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <runlog/options.h>

#include "benchmarks/support/event_deck.h"
#include "engine/rocks.h"
#include "format/keys.h"

namespace runlog::bench {

struct PlainRow {
  format::EventKeyBytes key;
  std::string value;
};
using PlainAppend = std::vector<PlainRow>;
using PlainDeck = std::vector<PlainAppend>;

/// The rows the store would put into `events` for these decks, threads numbered as they come.
std::vector<PlainDeck> EncodeDecks(const std::vector<Deck>& decks);
std::uint64_t ValueBytes(const std::vector<PlainDeck>& decks);

class PlainStore {
 public:
  PlainStore(const std::filesystem::path& folder, const StoreOptions& options);

  /// One DB::Write with a put for each row. Any worker.
  void Append(const PlainAppend& rows, bool sync) const;

  /// Reads the last row of every append back and compares.
  void CheckHolds(const std::vector<PlainDeck>& decks) const;

  const engine::Rocks& rocks() const { return *rocks_; }

 private:
  std::shared_ptr<engine::Rocks> rocks_;
};

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_SUPPORT_BASELINE_H_
