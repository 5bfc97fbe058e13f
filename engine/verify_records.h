// What the records of one thread say, checked for agreement among themselves and then against its
// events.

#ifndef RUNLOG_ENGINE_VERIFY_RECORDS_H_
#define RUNLOG_ENGINE_VERIFY_RECORDS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/family_walk.h"
#include "engine/hidden_set.h"
#include "engine/read_moment.h"
#include "engine/run_rows.h"
#include "engine/store_core.h"
#include "engine/verify_faults.h"
#include "format/numbers.h"
#include "format/records.h"

namespace runlog::engine {

/// The records of a live thread, those in memory over those on disk.
struct ThreadRecords {
  format::ThreadNumber thread{};
  format::ThreadRecord record;
  std::map<std::uint32_t, format::RunRecord> runs;      // by R, deleted ones too
  std::map<std::uint32_t, format::OwnerRecord> owners;  // by U
  std::map<std::uint32_t, std::string> owner_names;     // by U
  std::unique_ptr<const HiddenSet> hidden;              // null where nothing is
};

/// Figures as counted from events, by R and U.
using CountedFigures = std::map<std::pair<std::uint32_t, std::uint32_t>, format::Figures>;

/// State and status of each run by its last event that says one, by R. Absent: none says any.
using CountedStates = std::map<std::uint32_t, format::StateDelta>;

/// Concurrency: one caller at a time.
class RecordsCheck {
 public:
  RecordsCheck(StoreCore& core, const ReadMoment& moment, FaultSink& faults);

  /// Reads the thread's records and checks that names and numbers lead to each other.
  ThreadRecords Load(format::ThreadNumber thread, format::ThreadRecord record,
                     const FamilyWalk::Strays& strays);
  /// Compares what was counted with what is recorded.
  void Compare(const ThreadRecords& records, const CountedFigures& counted,
               const CountedStates& states);
  void Finish(const FamilyWalk::Strays& strays);

 private:
  void LoadRuns(ThreadRecords& records, const RunRecords& in_memory);
  void LoadOwners(ThreadRecords& records);
  void LoadHidden(ThreadRecords& records);
  void CheckName(const ThreadRecords& records);
  void CheckRun(const ThreadRecords& records, std::uint32_t run, const format::RunRecord& record);
  void CompareStates(const ThreadRecords& records, const CountedStates& states);
  void CompareTotals(const ThreadRecords& records, const CountedFigures& counted);
  void CompareFigures(const ThreadRecords& records, std::pair<std::uint32_t, std::uint32_t> whose,
                      const format::Figures& recorded, const format::Figures& counted);

  StoreCore& core_;
  const ReadMoment& moment_;
  FaultSink& faults_;
  FamilyWalk run_names_;
  FamilyWalk run_records_;
  FamilyWalk owner_names_;
  FamilyWalk owner_numbers_;
  FamilyWalk hidden_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_VERIFY_RECORDS_H_
