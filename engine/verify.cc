#include "engine/verify.h"

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/family_walk.h"
#include "engine/read_moment.h"
#include "engine/thread_snapshot.h"
#include "engine/verify_events.h"
#include "engine/verify_faults.h"
#include "engine/verify_indexes.h"
#include "engine/verify_log.h"
#include "engine/verify_records.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Raw;
using format::ThreadNumber;

class Verifier {
 public:
  Verifier(StoreCore& core, const ReadMoment& moment, FaultSink& faults,
           const std::function<void(std::uint64_t)>& progress)
      : core_(core),
        moment_(moment),
        faults_(faults),
        strays_([this](Family family, ThreadNumber thread, std::uint64_t rows) {
          NoteStrays(family, thread, rows);
        }),
        records_(core, moment, faults),
        events_(moment, faults, progress),
        indexes_(moment, faults) {}

  VerifySummary Run() {
    CheckThreads();
    records_.Finish(strays_);
    events_.Finish(strays_);
    indexes_.Finish(strays_);
    CheckThreadNames(moment_, faults_);
    CheckCommits(core_, moment_, faults_);
    CheckIdempotency(moment_, faults_);
    CheckMeta(moment_, faults_);
    summary_.faults = faults_.count();
    return summary_;
  }

 private:
  void CheckThreads();
  void CheckThread(ThreadNumber thread, format::ThreadRecord record);
  void NoteStrays(Family family, ThreadNumber thread, std::uint64_t rows);
  bool AwaitsPurge(ThreadNumber thread);

  StoreCore& core_;
  const ReadMoment& moment_;
  FaultSink& faults_;
  const FamilyWalk::Strays strays_;
  RecordsCheck records_;
  EventsCheck events_;
  IndexesCheck indexes_;
  bool all_threads_read_ = true;
  VerifySummary summary_;
};

void Verifier::CheckThreads() {
  rocksdb::ReadOptions reading = moment_.Reading();
  reading.fill_cache = false;
  const Rocks& rocks = *moment_.rocks();
  const std::unique_ptr<rocksdb::Iterator> rows(
      rocks.db().NewIterator(reading, rocks.family(Family::kThreads)));
  for (rows->Seek(format::ThreadRecordKey(ThreadNumber::kNone)); rows->Valid(); rows->Next()) {
    const auto thread = format::DecodeThreadRecordKey(rows->key().ToStringView());
    if (!thread) {
      faults_.Add(kFaultKey, Family::kThreads, "a key that is none");
      continue;
    }
    Result<format::ThreadRecord> record = format::DecodeThreadRecord(rows->value().ToStringView());
    if (!record.ok()) {
      all_threads_read_ = false;
      faults_.Add(kFaultValue, Family::kThreads,
                  fmt::format("thread number {}: {}", Raw(*thread), record.status().message()));
    } else if (!record->ended) {
      CheckThread(*thread, *std::move(record));
    }
  }
  if (rows->status().ok()) return;
  all_threads_read_ = false;
  faults_.Add(kFaultUnreadable, Family::kThreads, rows->status().ToString());
}

void Verifier::CheckThread(ThreadNumber thread, format::ThreadRecord record) {
  const ThreadRecords records = records_.Load(thread, std::move(record), strays_);
  const EventCensus census = events_.Count(records, strays_);
  if (census.complete) records_.Compare(records, census.figures, census.states);
  indexes_.Compare(records, census, strays_);
  ++summary_.threads;
  summary_.events += census.live_events;
  summary_.index_entries += census.live_index_entries;
  summary_.pending_purge += census.hidden_events;
  for (const auto& [number, run] : records.runs) {
    const bool live = run.state != format::StoredRunState::kDeleted && TotalOf(run).events > 0;
    if (live) ++summary_.runs;
  }
}

/// Rows of a thread that has no live record: what is left of an ended one until it is purged, or
/// nobody's.
void Verifier::NoteStrays(Family family, ThreadNumber thread, std::uint64_t rows) {
  if (AwaitsPurge(thread)) {
    if (family == Family::kEvents) summary_.pending_purge += rows;
    return;
  }
  // Where a record could not be read, its thread's rows only seem to be nobody's.
  if (!all_threads_read_) return;
  faults_.Add(kFaultOrphan, family,
              fmt::format("{} rows of thread number {}, which is not live", rows, Raw(thread)));
}

bool Verifier::AwaitsPurge(ThreadNumber thread) {
  const format::HiddenKeyBytes key =
      format::Encode(format::HiddenKey{.thread = thread, .scope = format::HiddenScope::kThread});
  std::string value;
  const Result<bool> found = moment_.rocks()->Get(Family::kHidden, {key.data(), key.size()}, value);
  return found.ok() && *found;
}

}  // namespace

Result<VerifySummary> VerifyStore(StoreCore& core, const std::function<void(const Fault&)>& report,
                                  const std::function<void(std::uint64_t)>& progress) {
  ReadMoment moment(core);
  moment.Pin();
  FaultSink faults(report);
  return Verifier(core, moment, faults, progress).Run();
}

}  // namespace runlog::engine
