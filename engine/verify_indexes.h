// Compares a thread's indexes with its events, both ways: by sums first, entry by entry where those
// differ.

#ifndef RUNLOG_ENGINE_VERIFY_INDEXES_H_
#define RUNLOG_ENGINE_VERIFY_INDEXES_H_

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "engine/family_walk.h"
#include "engine/index_entries.h"
#include "engine/read_moment.h"
#include "engine/verify_events.h"
#include "engine/verify_faults.h"

namespace runlog::engine {

/// Concurrency: one caller at a time.
class IndexesCheck {
 public:
  IndexesCheck(const ReadMoment& moment, FaultSink& faults);

  /// Compares with `census` unless it is not complete.
  void Compare(const ThreadRecords& records, const EventCensus& census,
               const FamilyWalk::Strays& strays);
  void Finish(const FamilyWalk::Strays& strays);

 private:
  format::Digest128 Sum(const ThreadRecords& records, FamilyWalk& walk, format::Family family);
  void CheckOrder(const ThreadRecords& records, format::Family family, std::string_view key,
                  const std::vector<IndexEntry>& entries);
  void NameDifferences(const ThreadRecords& records, format::Family family);
  std::vector<IndexEntry> Demanded(const ThreadRecords& records, format::Family family);
  std::vector<IndexEntry> Held(const ThreadRecords& records, format::Family family);
  void NameMissing(const ThreadRecords& records, format::Family family, std::string_view kind,
                   const std::vector<IndexEntry>& from, const std::vector<IndexEntry>& to);

  const ReadMoment& moment_;
  FaultSink& faults_;
  std::deque<FamilyWalk> walks_;  // as kIndexFamilies; a walk cannot move
  std::string last_list_;         // prefix of the list under the walk, and where it got to
  std::uint64_t last_seq_ = 0;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_VERIFY_INDEXES_H_
