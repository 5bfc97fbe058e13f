#include "engine/replay.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/command_applier.h"
#include "format/keys.h"
#include "format/records.h"

namespace runlog::engine {
namespace {

using format::CommandRow;
using format::Family;
using format::OwnerNumber;
using format::Raw;
using format::RunNumber;
using format::SliceDelta;
using format::ThreadNumber;

class Replayer {
 public:
  explicit Replayer(StoreCore& core) : core_(core) {}

  Status Apply(const CommandRow& row, std::uint64_t commit, ReplayOutcome& outcome) {
    if (row.kind != format::StoredCommitKind::kAppend &&
        row.kind != format::StoredCommitKind::kPutIfAbsent) {
      return {};  // a delete writes its records with its own commit
    }
    const Result<format::ThreadRecord> stored = core_.loader.RecordOf(row.thread);
    if (!stored.ok()) return stored.status();
    if (stored->ended) return {};
    Result<ThreadCache::Pin> pin = core_.threads.Acquire(stored->thread_id);
    if (!pin.ok()) return pin.status();
    ThreadEntry& entry = **pin;
    runs_.clear();
    owners_.clear();
    for (const SliceDelta& delta : row.slices) {
      if (Status s = ApplySlice(row.thread, delta, commit, entry); !s.ok()) return s;
    }
    for (const format::StateDelta& delta : row.states) {
      if (Status s = ApplyState(row.thread, delta, commit, entry); !s.ok()) return s;
    }
    bool changed = false;
    if (Status s = ApplyTotals(row, commit, entry, changed); !s.ok()) return s;

    std::unique_lock lock(entry.mutex);
    for (RunEntry* run : runs_)
      run->record.as_of = commit;
    for (OwnerEntry* owner : owners_)
      owner->record.as_of = commit;
    changed = changed || !runs_.empty() || !owners_.empty();
    if (!changed || entry.state.first_dirty_commit != 0) return {};
    entry.state.first_dirty_commit = commit;
    lock.unlock();
    outcome.dirty.push_back({*std::move(pin), commit});
    return {};
  }

 private:
  Status ApplyTotals(const CommandRow& row, std::uint64_t commit, ThreadEntry& entry,
                     bool& changed) {
    const std::lock_guard lock(entry.mutex);
    ThreadState& state = entry.state;
    if (state.thread != row.thread) {
      return Status(StatusCode::kCorruption,
                    fmt::format("threads: {} is thread number {}, commit {} says {}",
                                entry.thread_id, Raw(state.thread), commit, Raw(row.thread)));
    }
    if (state.record.as_of >= commit) return {};
    ApplyTotalsLocked(row, state);
    for (const SliceDelta& delta : row.slices) {
      state.next_run = std::max(state.next_run, Raw(delta.run) + 1);
      state.next_owner = std::max(state.next_owner, Raw(delta.owner) + 1);
    }
    state.assigned_mark = state.record.mark;
    state.assigned_events = state.record.events;
    state.record.as_of = commit;
    state.applied_commit = commit;
    entry.visible_seq.store(state.record.mark, std::memory_order_release);
    changed = true;
    return {};
  }

  /// Pins the run by its number: makes it part of the entry, unless its record has it all or it was
  /// deleted.
  Result<RunEntry*> FindRun(ThreadNumber thread, RunNumber run, ThreadEntry& entry) {
    const Result<format::RunRecord> record = core_.loader.RecordOf(thread, run);
    if (!record.ok()) return record.status();
    if (record->state == format::StoredRunState::kDeleted) return nullptr;
    if (Status s = core_.threads.EnsureRun(entry, record->run_id); !s.ok()) return s;
    const std::lock_guard lock(entry.mutex);
    const auto found = entry.state.runs.find(record->run_id);
    if (found == entry.state.runs.end() || found->second.run != run) {
      return Status(StatusCode::kCorruption,
                    fmt::format("runs: run {} of thread {} is not number {}", record->run_id,
                                entry.thread_id, Raw(run)));
    }
    return &found->second;
  }

  Result<OwnerEntry*> FindOwner(ThreadNumber thread, OwnerNumber owner, ThreadEntry& entry) {
    if (owner == OwnerNumber::kNone) return nullptr;
    const Result<std::string> name = core_.loader.OwnerName(thread, owner);
    if (!name.ok()) return name.status();
    if (Status s = core_.threads.EnsureOwner(entry, *name); !s.ok()) return s;
    const std::lock_guard lock(entry.mutex);
    return &entry.state.owners.find(*name)->second;
  }

  /// Each record has its own as_of: a delete may have written some of a thread's and not others. It
  /// moves when the whole command is applied, because a command may touch a record more than once.
  Status ApplySlice(ThreadNumber thread, const SliceDelta& delta, std::uint64_t commit,
                    ThreadEntry& entry) {
    const Result<OwnerEntry*> owner = FindOwner(thread, delta.owner, entry);
    if (!owner.ok()) return owner.status();
    const Result<RunEntry*> run = FindRun(thread, delta.run, entry);
    if (!run.ok()) return run.status();
    const std::lock_guard lock(entry.mutex);
    OwnerEntry* lacking_owner =
        *owner != nullptr && (*owner)->record.as_of < commit ? *owner : nullptr;
    RunEntry has_it;
    RunEntry* lacking_run = *run != nullptr && (*run)->record.as_of < commit ? *run : &has_it;
    if (lacking_owner == nullptr && lacking_run == &has_it) return {};
    ApplySliceLocked(delta, *lacking_run, lacking_owner);
    if (lacking_run != &has_it) runs_.push_back(lacking_run);
    if (lacking_owner != nullptr) owners_.push_back(lacking_owner);
    return {};
  }

  Status ApplyState(ThreadNumber thread, const format::StateDelta& delta, std::uint64_t commit,
                    ThreadEntry& entry) {
    const Result<RunEntry*> run = FindRun(thread, delta.run, entry);
    if (!run.ok()) return run.status();
    const std::lock_guard lock(entry.mutex);
    if (*run != nullptr && (*run)->record.as_of < commit) ApplyStateLocked(delta, **run);
    return {};
  }

  StoreCore& core_;
  // Records the command changed.
  std::vector<RunEntry*> runs_;
  std::vector<OwnerEntry*> owners_;
};

Result<std::uint64_t> ReadCounter(const Rocks& rocks, std::string_view name) {
  std::string value;
  const Result<bool> found = rocks.Get(Family::kMeta, name, value);
  if (!found.ok()) return found.status();
  if (!*found) return std::uint64_t{0};
  return format::DecodeU64(value);
}

/// Where replaying begins: what the newest commit says, or a clean close after it.
Result<std::uint64_t> ReplayFrom(const Rocks& rocks) {
  const Result<std::uint64_t> floor = ReadCounter(rocks, format::kMetaReplayFloor);
  if (!floor.ok()) return floor.status();
  const std::unique_ptr<rocksdb::Iterator> rows(
      rocks.db().NewIterator(Rocks::Reading(), rocks.family(Family::kCommits)));
  rows->SeekToLast();
  if (!rows->status().ok()) return FromRocks(rows->status(), "reading commits");
  if (!rows->Valid()) return *floor;
  const Result<format::CommitRow> row = format::DecodeCommitRow(rows->value().ToStringView());
  if (!row.ok()) return row.status();
  return std::max(row->replay_from, *floor);
}

}  // namespace

Result<ReplayOutcome> Replay(StoreCore& core) {
  if (Status s = core.hidden.Load(*core.rocks); !s.ok()) return s;
  const Result<std::uint64_t> epoch = ReadCounter(*core.rocks, format::kMetaEpoch);
  if (!epoch.ok()) return epoch.status();
  core.epoch.store(std::max<std::uint64_t>(*epoch, 1));
  const Result<std::uint64_t> from = ReplayFrom(*core.rocks);
  if (!from.ok()) return from.status();

  ReplayOutcome outcome;
  Replayer replayer(core);
  const std::unique_ptr<rocksdb::Iterator> rows(
      core.rocks->db().NewIterator(Rocks::Reading(), core.rocks->family(Family::kCommits)));
  const format::CommitKeyBytes first = format::CommitKey(*from);
  // One row back: the newest commit is needed even when nothing is to be replayed.
  rows->SeekToLast();
  if (rows->Valid() && rows->key().compare(rocksdb::Slice(first.data(), first.size())) > 0) {
    rows->Seek(rocksdb::Slice(first.data(), first.size()));
  }
  for (; rows->Valid(); rows->Next()) {
    const auto last = format::DecodeCommitKey(rows->key().ToStringView());
    if (!last) return Status(StatusCode::kCorruption, "commits: a key that is none");
    const Result<format::CommitRow> row = format::DecodeCommitRow(rows->value().ToStringView());
    if (!row.ok()) return row.status();
    std::uint64_t commit = *last - row->commands.size();
    for (const CommandRow& command : row->commands) {
      ++commit;
      outcome.last_at_us = std::max(outcome.last_at_us, command.at_us);
      if (commit < *from) continue;
      if (Status s = replayer.Apply(command, commit, outcome); !s.ok()) return s;
    }
    outcome.last_commit = *last;
  }
  if (!rows->status().ok()) return FromRocks(rows->status(), "reading commits");
  core.last_commit.store(outcome.last_commit, std::memory_order_release);
  return outcome;
}

}  // namespace runlog::engine
