#include "engine/listing.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/read_moment.h"
#include "engine/run_rows.h"
#include "engine/thread_snapshot.h"
#include "format/event_codec.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::ThreadNumber;

constexpr std::size_t kThreadsPerStep = 256;

/// A thread on its way into a listing.
struct ListedThread {
  ThreadNumber thread{};
  format::ThreadRecord record;
  RunRecords runs_in_memory;
  bool is_current = false;  // from memory, or from a row read after memory was asked
};

std::optional<Timestamp> TimeOf(std::int64_t at_us, std::uint64_t events) {
  if (events == 0) return std::nullopt;
  return Timestamp{at_us};
}

ThreadSummary SummaryOf(ThreadNumber thread, const format::ThreadRecord& record,
                        std::uint64_t runs) {
  return {.thread_id = record.thread_id,
          .incarnation = format::Raw(thread),
          .last_seq = record.mark,
          .live = {record.events, record.messages, record.bytes},
          .runs = runs,
          .first_at = TimeOf(record.first_at_us, record.events),
          .last_at = TimeOf(record.last_at_us, record.events)};
}

RunSummary SummaryOf(const format::RunRecord& record, const format::Figures& live) {
  return {.run_id = record.run_id,
          .state = static_cast<RunState>(record.state),
          .status = record.status,
          .first_seq = live.events == 0 ? 0 : live.first_seq,
          .last_seq = live.events == 0 ? 0 : live.last_seq,
          .live = {live.events, live.messages, live.bytes},
          .first_at = TimeOf(live.first_at_us, live.events),
          .last_at = TimeOf(live.last_at_us, live.events),
          .retention_revision = record.retention_revision};
}

bool Deleted(const format::RunRecord& record) {
  return record.state == format::StoredRunState::kDeleted;
}

Result<std::uint64_t> CountLiveRuns(RunRows& rows, ThreadNumber thread,
                                    const RunRecords& in_memory) {
  std::uint64_t live = 0;
  rows.Start(thread);
  while (true) {
    const Result<bool> more = rows.Next(in_memory);
    if (!more.ok()) return more.status();
    if (!*more) return live;
    if (!Deleted(rows.record()) && TotalOf(rows.record()).events > 0) ++live;
  }
}

/// Steps over the thread records on disk now, those of ended incarnations left out.
class ThreadRows {
 public:
  ThreadRows(const Rocks& rocks, ThreadNumber from)
      : rows_(rocks.db().NewIterator(Rocks::Reading(), rocks.family(Family::kThreads))) {
    rows_->Seek(format::ThreadRecordKey(from));
  }

  Result<bool> Next() {
    for (; rows_->Valid(); rows_->Next()) {
      const auto key = format::DecodeThreadRecordKey(rows_->key().ToStringView());
      if (!key) return Status(StatusCode::kCorruption, "threads: a key that is none");
      Result<format::ThreadRecord> record =
          format::DecodeThreadRecord(rows_->value().ToStringView());
      if (!record.ok()) return record.status();
      if (record->ended) continue;
      thread_ = *key;
      record_ = *std::move(record);
      rows_->Next();
      return true;
    }
    if (!rows_->status().ok()) return FromRocks(rows_->status(), "reading threads");
    return false;
  }
  ThreadNumber thread() const { return thread_; }
  const format::ThreadRecord& record() const { return record_; }

 private:
  std::unique_ptr<rocksdb::Iterator> rows_;
  ThreadNumber thread_{};
  format::ThreadRecord record_;
};

/// The next threads, as far as memory knows them.
Result<std::vector<ListedThread>> CollectThreads(StoreCore& core, ThreadNumber from,
                                                 std::size_t count) {
  std::vector<ListedThread> threads;
  ThreadRows rows(*core.rocks, from);
  while (threads.size() < count) {
    const Result<bool> more = rows.Next();
    if (!more.ok()) return more.status();
    if (!*more) break;
    ListedThread listed{.thread = rows.thread(), .record = rows.record()};
    if (const ThreadCache::Pin pin = core.threads.TryAcquire(listed.record.thread_id)) {
      const std::lock_guard lock(pin->mutex);
      if (pin->state.thread != listed.thread) continue;  // ended, or another one by now
      listed.record = pin->state.record;
      listed.runs_in_memory = CopyRunsLocked(pin->state);
      listed.is_current = true;
    }
    threads.push_back(std::move(listed));
  }
  return threads;
}

/// A record read before the cache was asked may be older than what the cache wrote back and dropped
/// in between: reads the rows of threads that were not in the cache once more.
Status RefreshThreads(const Rocks& rocks, std::vector<ListedThread>& threads) {
  std::optional<ThreadRows> rows;
  for (ListedThread& listed : threads) {
    if (listed.is_current) continue;
    if (!rows) rows.emplace(rocks, listed.thread);
    while (rows->thread() < listed.thread) {
      const Result<bool> more = rows->Next();
      if (!more.ok()) return more.status();
      if (!*more) break;
    }
    listed.is_current = rows->thread() == listed.thread;
    if (listed.is_current) listed.record = rows->record();
  }
  std::erase_if(threads, [](const ListedThread& listed) { return !listed.is_current; });
  return {};
}

}  // namespace

Result<Counts> CountEvents(StoreCore& core, const ReadSubject& subject) {
  const Result<ThreadSnapshot> thread = ThreadSnapshot::Take(core, subject);
  if (!thread.ok()) return thread.status();
  if (thread->holds_nothing) return Counts();
  if (subject.user_id) {
    const format::OwnerRecord& owner = thread->owner_record;
    return Counts{owner.events, owner.messages, owner.bytes};
  }
  return Counts{thread->record.events, thread->record.messages, thread->record.bytes};
}

Result<std::optional<ThreadSummary>> SummarizeThread(StoreCore& core, std::string_view thread_id) {
  if (!format::CheckId("thread_id", thread_id).ok()) return std::optional<ThreadSummary>();
  const ReadMoment still(core);
  const Result<ThreadCache::Pin> pin = core.threads.Acquire(thread_id);
  if (!pin.ok()) return pin.status();
  ListedThread listed;
  {
    ThreadEntry& entry = **pin;
    const std::lock_guard lock(entry.mutex);
    listed = {entry.state.thread, entry.state.record, CopyRunsLocked(entry.state)};
  }
  if (listed.thread == ThreadNumber::kNone) return std::optional<ThreadSummary>();
  RunRows rows(*core.rocks);
  const Result<std::uint64_t> runs = CountLiveRuns(rows, listed.thread, listed.runs_in_memory);
  if (!runs.ok()) return runs.status();
  return std::optional<ThreadSummary>(SummaryOf(listed.thread, listed.record, *runs));
}

Result<std::vector<ThreadSummary>> ListThreads(StoreCore& core, std::uint64_t after_incarnation,
                                               std::size_t limit) {
  std::vector<ThreadSummary> summaries;
  const ReadMoment still(core);
  std::uint64_t after = after_incarnation;
  while (summaries.size() < limit && after != ~std::uint64_t{0}) {
    Result<std::vector<ListedThread>> threads = CollectThreads(
        core, ThreadNumber{after + 1}, std::min(kThreadsPerStep, limit - summaries.size()));
    if (!threads.ok()) return threads.status();
    if (threads->empty()) break;
    after = format::Raw(threads->back().thread);
    if (Status s = RefreshThreads(*core.rocks, *threads); !s.ok()) return s;
    RunRows rows(*core.rocks);
    for (const ListedThread& listed : *threads) {
      const Result<std::uint64_t> runs = CountLiveRuns(rows, listed.thread, listed.runs_in_memory);
      if (!runs.ok()) return runs.status();
      summaries.push_back(SummaryOf(listed.thread, listed.record, *runs));
    }
  }
  return summaries;
}

Result<std::vector<RunSummary>> ListRuns(StoreCore& core, std::string_view thread_id,
                                         bool include_deleted) {
  std::vector<RunSummary> summaries;
  if (!format::CheckId("thread_id", thread_id).ok()) return summaries;
  const ReadMoment still(core);
  const Result<ThreadCache::Pin> pin = core.threads.Acquire(thread_id);
  if (!pin.ok()) return pin.status();
  ThreadNumber thread{};
  RunRecords in_memory;
  {
    ThreadEntry& entry = **pin;
    const std::lock_guard lock(entry.mutex);
    thread = entry.state.thread;
    in_memory = CopyRunsLocked(entry.state);
  }
  if (thread == ThreadNumber::kNone) return summaries;
  RunRows rows(*core.rocks);
  rows.Start(thread);
  while (true) {
    const Result<bool> more = rows.Next(in_memory);
    if (!more.ok()) return more.status();
    if (!*more) return summaries;
    const format::Figures live = TotalOf(rows.record());
    // A run that is being made has a row before its first event can be seen.
    const bool listed = Deleted(rows.record()) ? include_deleted : live.events > 0;
    if (listed) summaries.push_back(SummaryOf(rows.record(), live));
  }
}

}  // namespace runlog::engine
