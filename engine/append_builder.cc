#include "engine/append_builder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/event_effect.h"
#include "format/keys.h"
#include "format/records.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::OwnerNumber;
using format::Raw;
using format::RunNumber;
using format::ThreadNumber;

/// Thread numbers are reserved in `meta` this many at a time; a crash skips at most as many.
constexpr std::uint64_t kThreadNumbersReserved = 1024;

rocksdb::Slice SliceOf(std::string_view text) {
  return {text.data(), text.size()};
}

/// Adding a key and a value to a WriteBatch can only fail by protection options this store does not
/// use; what it says is part of the group's outcome all the same.
void Put(WriteGroup& group, rocksdb::ColumnFamilyHandle* family, std::string_view key,
         std::string_view value) {
  group.batch.Put(family, SliceOf(key), SliceOf(value)).PermitUncheckedError();
}

/// Tells the slot somebody waits at, if there is one, which event came first.
void NoteSingleton(const format::EncodedEvent& event, std::uint64_t seq, ThreadState& state) {
  if (state.singletons.empty()) return;
  const auto slot = state.singletons.find(SingletonKeyOf(event));
  if (slot == state.singletons.end()) return;
  if (slot->second.seq == 0) slot->second.seq = seq;
  if (!slot->second.loaded) ++slot->second.generation;
}

}  // namespace

/// What is carried from event to event of one append.
struct AppendBuilder::Assigning {
  AppendCommand& command;
  ThreadEntry& entry;
  WriteGroup& group;
  std::uint64_t commit;
  // Neighbouring events mostly share run and owner.
  const format::EncodedEvent* previous = nullptr;
  RunEntry* run = nullptr;
  OwnerEntry* owner = nullptr;
  std::size_t slice = 0;
  std::unordered_map<std::uint64_t, std::size_t> slices;  // (R, U) -> index in row.slices

  void SelectSlice() {
    const OwnerNumber number = owner != nullptr ? owner->record.owner : OwnerNumber::kNone;
    const std::uint64_t key = std::uint64_t{Raw(run->run)} << 32U | Raw(number);
    const auto [place, inserted] = slices.try_emplace(key, command.row.slices.size());
    slice = place->second;
    if (!inserted) return;
    command.row.slices.push_back({run->run, number, {}});
    command.slice_runs.push_back(run);
    command.slice_owners.push_back(owner);
  }
};

AppendBuilder::AppendBuilder(StoreCore& core, std::uint64_t next_thread)
    : core_(core),
      index_writer_(core.rocks->index_families()),
      next_thread_(next_thread),
      reserved_threads_(next_thread) {}

/// kPending means: go on. Order: design, "Write path" (idempotency, incarnation, expected_seq).
Verdict AppendBuilder::Evaluate(AppendCommand& command, ThreadState& state) const {
  if (!command.idempotency_key.empty()) {
    const auto slot = state.idempotency.find(command.idempotency_key);
    if (slot == state.idempotency.end() || !slot->second.loaded) return Verdict::kMissed;
    if (slot->second.record) {
      const format::IdempotencyRecord& first = *slot->second.record;
      if (!command.resolves && first.digest != command.request_digest) {
        command.status =
            Status(StatusCode::kConflict,
                   fmt::format("idempotency_key: already used by commit {} for other events",
                               first.commit));
        return Verdict::kRefused;
      }
      command.receipt = {.first_seq = first.first_seq,
                         .last_seq = first.first_seq + first.count - 1,
                         .count = first.count,
                         .commit = first.commit,
                         .incarnation = Raw(first.thread),
                         .epoch = first.epoch,
                         .durability = Durability{first.level},
                         .replayed = true};
      return Verdict::kCommitted;
    }
  }
  if (command.resolves) {
    command.status =
        Status(StatusCode::kNotFound, "idempotency_key: no append with it is committed or queued");
    return Verdict::kRefused;
  }
  return EvaluateConditions(command, state);
}

Verdict AppendBuilder::EvaluateConditions(AppendCommand& command, const ThreadState& state) const {
  if (command.expect_incarnation && *command.expect_incarnation != Raw(state.thread)) {
    command.status =
        Status(StatusCode::kGone, fmt::format("expect_incarnation: {}, the thread's is {}",
                                              *command.expect_incarnation, Raw(state.thread)));
    return Verdict::kRefused;
  }
  if (command.expected_seq) {
    const std::uint64_t expected = *command.expected_seq;
    const bool holds = expected == 0 ? state.assigned_events == 0 : state.assigned_mark == expected;
    if (!holds) {
      command.status =
          Status(StatusCode::kConflict,
                 fmt::format("expected_seq: {}, the thread is at {} with {} live events", expected,
                             state.assigned_mark, state.assigned_events));
      return Verdict::kRefused;
    }
  }
  if (command.events.size() > kSeqMax - state.assigned_mark) {
    command.status = Status(StatusCode::kTooLarge,
                            fmt::format("seq: {} events behind {} pass the limit of {}",
                                        command.events.size(), state.assigned_mark, kSeqMax));
    return Verdict::kRefused;
  }
  if (command.singleton) {
    const format::EncodedEvent& event = command.events.front();
    const auto slot = state.singletons.find(SingletonKeyOf(event));
    if (slot == state.singletons.end() || !slot->second.loaded) return Verdict::kMissed;
    if (slot->second.seq != 0) {
      command.found_seq = slot->second.seq;
      return Verdict::kCommitted;
    }
  }
  return PinsAreCurrent(command, state) ? Verdict::kPending : Verdict::kMissed;
}

bool AppendBuilder::PinsAreCurrent(const AppendCommand& command, const ThreadState& state) const {
  const format::EncodedEvent* previous = nullptr;
  for (const format::EncodedEvent& event : command.events) {
    if (previous == nullptr || event.run_id != previous->run_id) {
      if (!state.runs.contains(event.run_id)) return false;
    }
    if (event.has_owner &&
        (previous == nullptr || !previous->has_owner || event.user_id != previous->user_id)) {
      if (!state.owners.contains(event.user_id)) return false;
    }
    previous = &event;
  }
  return true;
}

void AppendBuilder::Add(AppendCommand& command, std::uint64_t commit, std::int64_t at_us,
                        WriteGroup& group) {
  ThreadEntry& entry = *command.thread;
  const std::lock_guard lock(entry.mutex);
  ThreadState& state = entry.state;
  command.verdict = Evaluate(command, state);
  if (command.verdict != Verdict::kPending) return;

  command.commit = commit;
  if (state.thread == ThreadNumber::kNone) StartThread(entry, commit, group);
  const std::uint64_t first_seq = state.assigned_mark + 1;
  const std::uint64_t count = command.events.size();
  command.row = {.kind = command.singleton ? format::StoredCommitKind::kPutIfAbsent
                                           : format::StoredCommitKind::kAppend,
                 .at_us = at_us,
                 .thread = state.thread,
                 .first_seq = first_seq,
                 .count = count};
  command.slice_runs.clear();
  command.slice_owners.clear();
  command.state_runs.clear();

  index_writer_.Begin(state.thread);
  Assigning assigning{command, entry, group, commit};
  std::uint64_t seq = first_seq;
  for (const format::EncodedEvent& event : command.events)
    AddEvent(event, seq++, assigning);
  index_writer_.Finish(group.batch);

  state.assigned_mark += count;
  state.assigned_events += count;
  command.receipt = {.first_seq = first_seq,
                     .last_seq = state.assigned_mark,
                     .count = count,
                     .commit = commit,
                     .incarnation = Raw(state.thread),
                     .epoch = core_.epoch.load(std::memory_order_relaxed),
                     .durability = command.durability};
  if (!command.idempotency_key.empty()) {
    AddIdempotency(command, state, entry.thread_id, at_us, group);
  }
  group.sync = group.sync || command.durability == Durability::kSync;
  group.appends.push_back(&command);
}

void AppendBuilder::AddEvent(const format::EncodedEvent& event, std::uint64_t seq,
                             Assigning& assigning) {
  SelectRunAndOwner(event, assigning);
  format::SliceDelta& slice = assigning.command.row.slices[assigning.slice];
  const std::string& thread_id = assigning.entry.thread_id;
  const format::EventHeader header =
      format::HeaderOf(event, slice.run, slice.owner, assigning.commit);
  PutEvent(header, {assigning.entry.state.thread, seq}, event.body, assigning);
  index_writer_.Add({.seq = seq,
                     .run = slice.run,
                     .owner = slice.owner,
                     .event_class = event.event_class,
                     .event_type = event.event_type,
                     .task_id = event.task_id});
  const std::optional<std::string_view> user_id =
      event.has_owner ? std::optional(event.user_id) : std::nullopt;
  slice.figures.Add(
      FiguresOf(header, seq, event.created_at_us,
                format::EventDigest(thread_id, event.run_id, user_id, seq, event.body_hash)));
  if (auto state = StateDeltaOf(slice.run, seq, event.transition)) {
    assigning.command.row.states.push_back(*std::move(state));
    assigning.command.state_runs.push_back(assigning.run);
  }
  NoteSingleton(event, seq, assigning.entry.state);
}

/// Points `assigning` at the event's run, owner and slice; numbers those that are new.
void AppendBuilder::SelectRunAndOwner(const format::EncodedEvent& event,
                                      Assigning& assigning) const {
  ThreadState& state = assigning.entry.state;
  const format::EncodedEvent* previous = assigning.previous;
  const bool same_run = previous != nullptr && previous->run_id == event.run_id;
  const bool same_owner = previous != nullptr && previous->has_owner == event.has_owner &&
                          previous->user_id == event.user_id;
  if (!same_run) {
    RunEntry& run = state.runs.find(event.run_id)->second;
    assigning.run = &StartRun(state, run, event.run_id, assigning.commit, assigning.group);
  }
  if (!same_owner) {
    assigning.owner = event.has_owner ? &state.owners.find(event.user_id)->second : nullptr;
    if (event.has_owner) {
      StartOwner(state, *assigning.owner, event.user_id, assigning.commit, assigning.group);
    }
  }
  if (!same_run || !same_owner) assigning.SelectSlice();
  assigning.previous = &event;
}

void AppendBuilder::PutEvent(const format::EventHeader& header, const format::EventKey& key,
                             std::string_view body, const Assigning& assigning) const {
  const format::EventHeaderBytes header_bytes =
      format::EncodeEventHeader(header, key, assigning.entry.thread_id);
  const format::EventKeyBytes key_bytes = format::Encode(key);
  const rocksdb::Slice key_part(key_bytes.data(), key_bytes.size());
  const std::array<rocksdb::Slice, 2> value_parts = {
      rocksdb::Slice(header_bytes.data(), header_bytes.size()), SliceOf(body)};
  assigning.group.batch
      .Put(core_.rocks->family(Family::kEvents), rocksdb::SliceParts(&key_part, 1),
           rocksdb::SliceParts(value_parts.data(), 2))
      .PermitUncheckedError();
}

void AppendBuilder::StartThread(ThreadEntry& entry, std::uint64_t commit, WriteGroup& group) {
  if (next_thread_ >= reserved_threads_) {
    reserved_threads_ = next_thread_ + kThreadNumbersReserved;
    Put(group, core_.rocks->family(Family::kMeta), format::kMetaNextThread,
        format::EncodeU64(reserved_threads_));
  }
  ThreadState& state = entry.state;
  state.thread = ThreadNumber{next_thread_++};
  state.record = {.as_of = commit - 1, .thread_id = entry.thread_id};
  state.applied_commit = commit - 1;
  state.assigned_mark = 0;
  state.assigned_events = 0;
  state.next_run = 1;
  state.next_owner = 1;
  state.all_runs_loaded = true;  // it has none
  Put(group, core_.rocks->family(Family::kThreads), format::ThreadNameKey(entry.thread_id),
      format::EncodeU64(Raw(state.thread)));
  Put(group, core_.rocks->family(Family::kThreads), format::ThreadRecordKey(state.thread),
      format::Encode(state.record));
}

/// Gives the run its number if it has none.
RunEntry& AppendBuilder::StartRun(ThreadState& state, RunEntry& run, std::string_view run_id,
                                  std::uint64_t commit, WriteGroup& group) const {
  run.pending = true;  // keeps the entry in its place until it is applied
  if (run.run != RunNumber::kNone) return run;
  run.run = RunNumber{state.next_run++};
  run.record = {.as_of = commit - 1, .run_id = std::string(run_id)};
  Put(group, core_.rocks->family(Family::kRuns), format::RunNameKey(state.thread, run_id),
      format::EncodeU32(Raw(run.run)));
  Put(group, core_.rocks->family(Family::kRuns), format::RunRecordKey(state.thread, run.run),
      format::Encode(run.record));
  return run;
}

void AppendBuilder::StartOwner(ThreadState& state, OwnerEntry& owner, std::string_view user_id,
                               std::uint64_t commit, WriteGroup& group) const {
  owner.pending = true;
  if (owner.record.owner != OwnerNumber::kNone) return;
  owner.record = {.as_of = commit - 1, .owner = OwnerNumber{state.next_owner++}};
  Put(group, core_.rocks->family(Family::kOwners),
      format::OwnerNumberKey(state.thread, owner.record.owner), user_id);
  Put(group, core_.rocks->family(Family::kOwners), format::OwnerNameKey(state.thread, user_id),
      format::Encode(owner.record));
}

void AppendBuilder::AddIdempotency(AppendCommand& command, ThreadState& state,
                                   const std::string& thread_id, std::int64_t at_us,
                                   WriteGroup& group) const {
  const format::IdempotencyRecord record{.thread = state.thread,
                                         .epoch = command.receipt.epoch,
                                         .level = static_cast<std::uint8_t>(command.durability),
                                         .digest = command.request_digest,
                                         .first_seq = command.receipt.first_seq,
                                         .count = command.receipt.count,
                                         .commit = command.commit,
                                         .at_us = at_us};
  Put(group, core_.rocks->family(Family::kIdempotency),
      format::IdempotencyKey(thread_id, command.idempotency_key), format::Encode(record));
  state.idempotency.find(command.idempotency_key)->second.record = record;
}

}  // namespace runlog::engine
