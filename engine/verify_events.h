// Reads every event of a thread once: its hashes, its place among the seqs, what it adds to the
// thread's figures and what it demands of the indexes.

#ifndef RUNLOG_ENGINE_VERIFY_EVENTS_H_
#define RUNLOG_ENGINE_VERIFY_EVENTS_H_

#include <array>
#include <cstdint>
#include <functional>

#include "engine/family_walk.h"
#include "engine/index_entries.h"
#include "engine/read_moment.h"
#include "engine/verify_faults.h"
#include "engine/verify_records.h"
#include "format/checksum.h"

namespace runlog::engine {

/// What the events of a thread came to.
struct EventCensus {
  CountedFigures figures;  // of live events
  CountedStates states;
  std::array<format::Digest128, kIndexFamilies.size()> index_sums;
  std::uint64_t live_events = 0;
  std::uint64_t live_index_entries = 0;
  std::uint64_t hidden_events = 0;
  bool complete = true;  // every event could be read and verified
};

/// Concurrency: one caller at a time.
class EventsCheck {
 public:
  EventsCheck(const ReadMoment& moment, FaultSink& faults,
              const std::function<void(std::uint64_t)>& progress);

  EventCensus Count(const ThreadRecords& records, const FamilyWalk::Strays& strays);
  void Finish(const FamilyWalk::Strays& strays);

 private:
  void CheckEvent(const ThreadRecords& records, std::uint64_t seq, EventCensus& census);
  void CheckNumbers(const ThreadRecords& records, const StoredEvent& event, const EventView& view);
  void CheckClass(const ThreadRecords& records, const StoredEvent& event, const EventView& view);
  void AddLive(const ThreadRecords& records, const StoredEvent& event, const EventView& view,
               EventCensus& census);
  void PassGapsBelow(const ThreadRecords& records, std::uint64_t seq);
  void Cover(const ThreadRecords& records, std::uint64_t first, std::uint64_t last,
             format::Family family);

  FaultSink& faults_;
  const std::function<void(std::uint64_t)>& progress_;
  FamilyWalk events_;
  FamilyWalk gaps_;
  std::uint64_t next_seq_ = 1;  // the lowest seq not yet accounted for
  std::uint64_t events_seen_ = 0;
};

/// Whether the entry belongs to a deleted run whose purge is under way: its lists go after its
/// events.
bool UnderPurge(const ThreadRecords& records, std::uint32_t run, std::uint64_t seq);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_VERIFY_EVENTS_H_
