#include "engine/delete_builder.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Figures;
using format::GapReason;
using format::HiddenScope;
using format::OwnerNumber;
using format::OwnerSlice;
using format::Raw;
using format::RunNumber;
using format::ThreadNumber;

rocksdb::Slice SliceOf(std::string_view text) {
  return {text.data(), text.size()};
}

void Put(WriteGroup& group, rocksdb::ColumnFamilyHandle* family, std::string_view key,
         std::string_view value) {
  group.batch.Put(family, SliceOf(key), SliceOf(value)).PermitUncheckedError();
}

void Delete(WriteGroup& group, rocksdb::ColumnFamilyHandle* family, std::string_view key) {
  group.batch.Delete(family, SliceOf(key)).PermitUncheckedError();
}

bool Takes(OwnerNumber owner, bool all_owners, const OwnerSlice& slice) {
  return slice.figures.events > 0 && (all_owners || slice.owner == owner);
}

std::uint64_t LastSeq(const format::RunRecord& record) {
  std::uint64_t last = 0;
  for (const OwnerSlice& slice : record.slices)
    last = std::max(last, slice.figures.last_seq);
  return last;
}

Figures Total(const std::unordered_map<std::uint32_t, Figures>& removed) {
  Figures total;
  for (const auto& [owner, figures] : removed)
    total.Add(figures);
  return total;
}

}  // namespace

/// Checks one run's part of the delete and adds it to `removed`; kMissed when what the caller read
/// is old.
Verdict DeleteBuilder::EvaluateRun(DeleteCommand& command, const ThreadState& state,
                                   const std::string& run_id, const RunEntry& run,
                                   OwnerNumber owner, Removed& removed) const {
  const bool all_owners = !command.user_id.has_value();
  bool takes_some = false;
  bool leaves_some = false;
  for (const OwnerSlice& slice : run.record.slices) {
    if (!Takes(owner, all_owners, slice)) {
      leaves_some = leaves_some || slice.figures.events > 0;
      continue;
    }
    takes_some = true;
    removed[Raw(slice.owner)].Add(slice.figures);
    if (slice.owner != OwnerNumber::kNone) {
      const auto name = command.owner_names.find(Raw(slice.owner));
      if (name == command.owner_names.end()) return Verdict::kMissed;
      const auto named = state.owners.find(name->second);
      const bool current = named != state.owners.end() && named->second.record.owner == slice.owner;
      if (!current) return Verdict::kMissed;
    }
  }
  if (!takes_some || !leaves_some) return Verdict::kPending;
  const auto found = command.states.find(run_id);
  if (found == command.states.end()) return Verdict::kMissed;
  const DeleteCommand::SurvivingState& surviving = found->second;
  const bool current = surviving.thread == state.thread && surviving.state.run == run.run &&
                       surviving.seen_last_seq == LastSeq(run.record) &&
                       surviving.seen_revision == run.record.retention_revision;
  return current ? Verdict::kPending : Verdict::kMissed;
}

/// kPending means: go on, the command's row is filled in. kCommitted: nothing to do.
Verdict DeleteBuilder::Evaluate(DeleteCommand& command, ThreadState& state,
                                OwnerNumber& owner) const {
  command.receipt = {.incarnation = Raw(state.thread)};
  if (state.thread == ThreadNumber::kNone) return Verdict::kCommitted;
  if (command.user_id) {
    const auto found = state.owners.find(*command.user_id);
    if (found == state.owners.end()) return Verdict::kMissed;
    owner = found->second.record.owner;
  }
  const bool unknown_owner = command.user_id && owner == OwnerNumber::kNone;
  Removed removed;
  if (command.run_id) {
    const auto run = state.runs.find(*command.run_id);
    if (run == state.runs.end()) return Verdict::kMissed;
    if (run->second.run == RunNumber::kNone || unknown_owner) return Verdict::kCommitted;
    const Verdict verdict = EvaluateRun(command, state, run->first, run->second, owner, removed);
    if (verdict != Verdict::kPending) return verdict;
  } else {
    if (!state.all_runs_loaded) {
      command.needs_all_runs = true;
      return Verdict::kMissed;
    }
    for (const auto& [run_id, run] : state.runs) {
      if (run.run == RunNumber::kNone || unknown_owner) continue;
      const Verdict verdict = EvaluateRun(command, state, run_id, run, owner, removed);
      if (verdict != Verdict::kPending) return verdict;
    }
  }
  const Figures total = Total(removed);
  const bool ends = !command.run_id && total.events == state.record.events;
  if (total.events == 0 && !ends) return Verdict::kCommitted;
  const bool moves_bounds =
      total.first_at_us == state.record.first_at_us || total.last_at_us == state.record.last_at_us;
  if (!ends && moves_bounds && !state.all_runs_loaded) {
    command.needs_all_runs = true;
    return Verdict::kMissed;
  }
  command.receipt.deleted = total.events;
  command.receipt.incarnation_ended = ends;
  return Verdict::kPending;
}

/// What the delete hides, and its row in `commits`.
void DeleteBuilder::Describe(DeleteCommand& command, const ThreadState& state, OwnerNumber owner,
                             std::int64_t at_us) {
  const bool ends = command.receipt.incarnation_ended;
  const RunNumber run =
      command.run_id ? state.runs.find(*command.run_id)->second.run : RunNumber::kNone;
  HiddenScope scope = command.run_id ? HiddenScope::kRun : HiddenScope::kThread;
  if (command.user_id && !ends) {
    scope = command.run_id ? HiddenScope::kOwnerInRun : HiddenScope::kOwner;
  }
  command.hides = {{.thread = state.thread,
                    .scope = scope,
                    .run = run,
                    .owner = ends ? OwnerNumber::kNone : owner},
                   {.up_to_seq = state.record.mark,
                    .reason = command.user_id ? GapReason::kOwnerErased : GapReason::kRunDeleted,
                    .commit = command.commit}};
  command.row = {.kind = command.run_id ? format::StoredCommitKind::kDeleteRun
                                        : format::StoredCommitKind::kDeleteThread,
                 .at_us = at_us,
                 .thread = state.thread,
                 .count = command.receipt.deleted,
                 .thread_id = command.thread->thread_id,
                 .run_id = command.run_id.value_or(std::string()),
                 .user_id = command.user_id,
                 .run = run,
                 .incarnation_ended = ends};
}

void DeleteBuilder::Add(DeleteCommand& command, std::uint64_t commit, std::int64_t at_us,
                        WriteGroup& group) {
  ThreadEntry& entry = *command.thread;
  const std::lock_guard lock(entry.mutex);
  ThreadState& state = entry.state;
  OwnerNumber owner = OwnerNumber::kNone;
  command.verdict = Evaluate(command, state, owner);
  if (command.verdict != Verdict::kPending) return;

  command.commit = commit;
  command.receipt.commit = commit;
  const bool ends = command.receipt.incarnation_ended;
  Describe(command, state, owner, at_us);
  const format::HiddenKeyBytes hidden_key = format::Encode(command.hides.key);
  Put(group, core_.rocks->family(Family::kHidden),
      std::string_view(hidden_key.data(), hidden_key.size()), format::Encode(command.hides.row));

  // Together with the figures, under one mutex: a read sees the delete in both or in neither.
  if (ends) {
    core_.hidden.Drop(state.thread);
    EndIncarnation(command, state, group);
  } else {
    core_.hidden.Add(command.hides);
    Removed removed;
    for (auto& [run_id, candidate] : state.runs) {
      if (command.run_id && run_id != *command.run_id) continue;
      for (const OwnerSlice& slice : candidate.record.slices) {
        if (Takes(owner, !command.user_id, slice)) removed[Raw(slice.owner)].Add(slice.figures);
      }
      RemoveFromRun(command, state, candidate, owner, group);
    }
    RemoveFromOwners(command, state, removed, group);
    CorrectThread(command, state, removed, group);
  }
  state.applied_commit = commit;
  // What is assigned is written by now: the disk has all that is left.
  for (auto& [key, slot] : state.singletons) {
    slot.seq = 0;
    slot.read_after = 0;
    slot.loaded = false;
    ++slot.generation;
  }
  group.sync = group.sync || command.durability == Durability::kSync;
  group.deletion = &command;
}

void DeleteBuilder::RemoveFromRun(const DeleteCommand& command, ThreadState& state, RunEntry& run,
                                  OwnerNumber owner, WriteGroup& group) const {
  const std::size_t before = run.record.slices.size();
  std::erase_if(run.record.slices,
                [&](const OwnerSlice& slice) { return Takes(owner, !command.user_id, slice); });
  if (run.record.slices.size() == before) return;
  rocksdb::ColumnFamilyHandle* family = core_.rocks->family(Family::kRuns);
  run.record.as_of = command.commit;
  ++run.record.retention_revision;
  const bool survives =
      std::any_of(run.record.slices.begin(), run.record.slices.end(),
                  [](const OwnerSlice& slice) { return slice.figures.events > 0; });
  if (survives) {
    const auto surviving = command.states.find(run.record.run_id);
    run.record.state = surviving->second.state.state;
    run.record.status = surviving->second.state.status;
    run.record.status_seq = surviving->second.state.status_seq;
  } else {
    run.record.slices.clear();
    run.record.state = format::StoredRunState::kDeleted;
    Delete(group, family, format::RunNameKey(state.thread, run.record.run_id));
  }
  Put(group, family, format::RunRecordKey(state.thread, run.run), format::Encode(run.record));
  // The next event of this run_id starts a run of its own.
  if (!survives) run = RunEntry{.last_used = run.last_used};
  run.dirty = false;
}

void DeleteBuilder::RemoveFromOwners(const DeleteCommand& command, ThreadState& state,
                                     const Removed& removed, WriteGroup& group) const {
  for (const auto& [number, figures] : removed) {
    if (OwnerNumber{number} == OwnerNumber::kNone) continue;
    const std::string& user_id = command.owner_names.find(number)->second;
    OwnerEntry& owner = state.owners.find(user_id)->second;
    owner.record.as_of = command.commit;
    owner.record.events -= figures.events;
    owner.record.messages -= figures.messages;
    owner.record.bytes -= figures.bytes;
    owner.dirty = false;
    Put(group, core_.rocks->family(Family::kOwners), format::OwnerNameKey(state.thread, user_id),
        format::Encode(owner.record));
  }
}

void DeleteBuilder::CorrectThread(const DeleteCommand& command, ThreadState& state,
                                  const Removed& removed, WriteGroup& group) const {
  const Figures total = Total(removed);
  format::ThreadRecord& record = state.record;
  record.as_of = command.commit;
  record.next_run = state.next_run;
  record.next_owner = state.next_owner;
  record.events -= total.events;
  record.messages -= total.messages;
  record.bytes -= total.bytes;
  state.assigned_events = record.events;
  if (record.events == 0) {
    record.first_at_us = 0;
    record.last_at_us = 0;
  } else if (state.all_runs_loaded) {
    Figures left;
    for (const auto& [run_id, run] : state.runs) {
      for (const OwnerSlice& slice : run.record.slices)
        left.Add(slice.figures);
    }
    record.first_at_us = left.first_at_us;
    record.last_at_us = left.last_at_us;
  }
  Put(group, core_.rocks->family(Family::kThreads), format::ThreadRecordKey(state.thread),
      format::Encode(record));
}

void DeleteBuilder::EndIncarnation(DeleteCommand& command, ThreadState& state,
                                   WriteGroup& group) const {
  format::ThreadRecord ended = state.record;
  ended.as_of = command.commit;
  ended.ended = true;
  ended.events = ended.messages = ended.bytes = 0;
  rocksdb::ColumnFamilyHandle* family = core_.rocks->family(Family::kThreads);
  Put(group, family, format::ThreadRecordKey(state.thread), format::Encode(ended));
  Delete(group, family, format::ThreadNameKey(ended.thread_id));

  state.thread = ThreadNumber::kNone;
  state.record = {};
  state.assigned_mark = 0;
  state.assigned_events = 0;
  state.next_run = 1;
  state.next_owner = 1;
  state.runs.clear();
  state.owners.clear();
  state.all_runs_loaded = false;
  ++state.load_revision;
}

}  // namespace runlog::engine
