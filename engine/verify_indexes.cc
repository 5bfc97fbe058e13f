#include "engine/verify_indexes.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "format/event_codec.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;

/// Of one thread and family; what is behind them is counted.
constexpr std::size_t kNamedFaultsMax = 1000;

}  // namespace

IndexesCheck::IndexesCheck(const ReadMoment& moment, FaultSink& faults)
    : moment_(moment), faults_(faults) {
  for (const Family family : kIndexFamilies)
    walks_.emplace_back(moment, family, faults);
}

void IndexesCheck::Compare(const ThreadRecords& records, const EventCensus& census,
                           const FamilyWalk::Strays& strays) {
  for (std::size_t i = 0; i < kIndexFamilies.size(); ++i) {
    FamilyWalk& walk = walks_[i];
    walk.Start(records.thread, strays);
    const format::Digest128 held = Sum(records, walk, kIndexFamilies[i]);
    if (!census.complete || walk.damaged() || held == census.index_sums[i]) continue;
    NameDifferences(records, kIndexFamilies[i]);
  }
}

void IndexesCheck::Finish(const FamilyWalk::Strays& strays) {
  for (FamilyWalk& walk : walks_)
    walk.Finish(strays);
}

format::Digest128 IndexesCheck::Sum(const ThreadRecords& records, FamilyWalk& walk, Family family) {
  format::Digest128 sum;
  std::vector<IndexEntry> entries;
  last_list_.clear();
  for (; walk.valid(); walk.Next()) {
    if (Status s = EntriesOf(family, walk.key(), walk.value(), entries); !s.ok()) {
      faults_.Add(kFaultValue, family, std::string(s.message()), records.record.thread_id);
      continue;
    }
    CheckOrder(records, family, walk.key(), entries);
    for (const IndexEntry& entry : entries) {
      if (!UnderPurge(records, entry.run, entry.seq)) sum += DigestOf(entry);
    }
  }
  return sum;
}

/// Chunks of a list ascend with their keys and do not overlap. A chunk ascends in itself: decoding
/// it checks that.
void IndexesCheck::CheckOrder(const ThreadRecords& records, Family family, std::string_view key,
                              const std::vector<IndexEntry>& entries) {
  if (family == Family::kMessageIndex || entries.empty()) return;
  const std::string_view list = key.substr(0, key.size() - sizeof(std::uint64_t));
  if (list == last_list_ && entries.front().seq <= last_seq_) {
    faults_.Add(kFaultIndexOrder, family,
                fmt::format("a chunk begins at seq {}, the one before it ends at {}",
                            entries.front().seq, last_seq_),
                records.record.thread_id, entries.front().seq);
  }
  last_list_.assign(list);
  last_seq_ = entries.back().seq;
}

void IndexesCheck::NameDifferences(const ThreadRecords& records, Family family) {
  const std::vector<IndexEntry> demanded = Demanded(records, family);
  const std::vector<IndexEntry> held = Held(records, family);
  NameMissing(records, family, kFaultIndexMissing, demanded, held);
  NameMissing(records, family, kFaultIndexExtra, held, demanded);
}

/// Entries that stand in `from` and not in `to`; both are sorted.
void IndexesCheck::NameMissing(const ThreadRecords& records, Family family, std::string_view kind,
                               const std::vector<IndexEntry>& from,
                               const std::vector<IndexEntry>& to) {
  std::vector<IndexEntry> missing;
  std::set_difference(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(missing));
  const std::size_t named = std::min(missing.size(), kNamedFaultsMax);
  for (std::size_t i = 0; i < named; ++i) {
    faults_.Add(kind, family, Describe(missing[i]), records.record.thread_id, missing[i].seq);
  }
  if (named == missing.size()) return;
  faults_.Add(kind, family, fmt::format("and {} more", missing.size() - named),
              records.record.thread_id);
}

std::vector<IndexEntry> IndexesCheck::Demanded(const ThreadRecords& records, Family family) {
  std::vector<IndexEntry> entries;
  EventScan scan(moment_, records.thread, {}, index::Direction::kForward, Keeping::kOne);
  IndexEntry entry;
  while (true) {
    const Result<bool> more = scan.Next();
    if (!more.ok() || !*more) break;  // the census read the same without an error
    const StoredEvent& event = scan.event();
    const Result<EventView> view = EventDecoder::Decode(
        event.value, format::EventKey{records.thread, event.seq}, records.record.thread_id);
    if (!view.ok() || !EntryOf(family, event, *view, entry)) continue;
    if (!UnderPurge(records, entry.run, entry.seq)) entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<IndexEntry> IndexesCheck::Held(const ThreadRecords& records, Family family) {
  std::vector<IndexEntry> entries;
  std::vector<IndexEntry> row;
  const auto prefix = format::ThreadPrefix(records.thread);
  const std::string_view start(prefix.data(), prefix.size());
  const Rocks& rocks = *moment_.rocks();
  const std::unique_ptr<rocksdb::Iterator> rows(
      rocks.db().NewIterator(moment_.Reading(), rocks.family(family)));
  for (rows->Seek({start.data(), start.size()});
       rows->Valid() && rows->key().ToStringView().starts_with(start); rows->Next()) {
    const Status read =
        EntriesOf(family, rows->key().ToStringView(), rows->value().ToStringView(), row);
    if (!read.ok()) continue;  // said when the sums were made
    for (IndexEntry& entry : row) {
      if (!UnderPurge(records, entry.run, entry.seq)) entries.push_back(std::move(entry));
    }
  }
  if (!rows->status().ok()) {
    faults_.Add(kFaultUnreadable, family, rows->status().ToString(), records.record.thread_id);
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace runlog::engine
