#include "engine/command_pinner.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "format/numbers.h"
#include "format/records.h"

namespace runlog::engine {

using format::OwnerNumber;
using format::OwnerSlice;
using format::RunNumber;
using format::ThreadNumber;

Status CommandPinner::Begin(std::string_view thread_id, AppendCommand& command) {
  Result<ThreadCache::Pin> pin = core_.threads.Acquire(thread_id);
  if (!pin.ok()) return pin.status();
  command.thread = *std::move(pin);
  if (!command.idempotency_key.empty()) {
    command.slots.PinIdempotency(*command.thread, command.idempotency_key);
  }
  if (command.singleton) {
    const format::EncodedEvent& event = command.events.front();
    command.slots.PinSingleton(*command.thread, SingletonKeyOf(event));
  }
  return {};
}

Status CommandPinner::Refresh(AppendCommand& command) {
  command.verdict = Verdict::kPending;
  const format::EncodedEvent* previous = nullptr;
  for (const format::EncodedEvent& event : command.events) {
    if (previous == nullptr || previous->run_id != event.run_id) {
      if (Status s = core_.threads.EnsureRun(*command.thread, event.run_id); !s.ok()) return s;
    }
    if (event.has_owner &&
        (previous == nullptr || !previous->has_owner || previous->user_id != event.user_id)) {
      if (Status s = core_.threads.EnsureOwner(*command.thread, event.user_id); !s.ok()) return s;
    }
    previous = &event;
  }
  if (!command.idempotency_key.empty()) {
    if (Status s = LoadIdempotency(command); !s.ok()) return s;
  }
  return command.singleton ? LoadSingleton(command) : Status();
}

Status CommandPinner::LoadIdempotency(const AppendCommand& command) {
  ThreadEntry& entry = *command.thread;
  {
    const std::lock_guard lock(entry.mutex);
    if (entry.state.idempotency.find(command.idempotency_key)->second.loaded) return {};
  }
  Result<std::optional<format::IdempotencyRecord>> record =
      core_.loader.LoadIdempotency(entry.thread_id, command.idempotency_key);
  if (!record.ok()) return record.status();
  const std::lock_guard lock(entry.mutex);
  IdempotencySlot& slot = entry.state.idempotency.find(command.idempotency_key)->second;
  // Another command may have loaded it, and the committer changed it, since this one read.
  if (!slot.loaded) {
    slot.record = *record;
    slot.loaded = true;
  }
  return {};
}

/// Leaves the slot as it is when events that were assigned before it are still being written: the
/// committer then sends the command back, and by that time they are visible.
Status CommandPinner::LoadSingleton(const AppendCommand& command) {
  ThreadEntry& entry = *command.thread;
  const format::EncodedEvent& event = command.events.front();
  const SingletonKey name = SingletonKeyOf(event);
  while (true) {
    ThreadNumber thread{};
    RunNumber run{};
    std::uint64_t generation = 0;
    {
      const std::lock_guard lock(entry.mutex);
      const SingletonSlot& slot = entry.state.singletons.find(name)->second;
      if (slot.loaded || entry.state.record.mark < slot.read_after) return {};
      const auto found = entry.state.runs.find(event.run_id);
      if (found == entry.state.runs.end()) return {};
      thread = entry.state.thread;
      run = found->second.run;
      generation = slot.generation;
    }
    std::uint64_t seq = 0;
    if (run != RunNumber::kNone) {
      const Result<std::uint64_t> first = core_.loader.FirstOfType(thread, run, event.event_type);
      if (!first.ok()) return first.status();
      seq = *first;
    }
    const std::lock_guard lock(entry.mutex);
    SingletonSlot& slot = entry.state.singletons.find(name)->second;
    if (slot.loaded) return {};
    if (slot.generation != generation) continue;
    // An event that the committer has noted here may not be on disk yet; what is, came before it.
    if (seq != 0) slot.seq = seq;
    slot.loaded = true;
    return {};
  }
}

Status CommandPinner::Begin(std::string_view thread_id, DeleteCommand& command) {
  Result<ThreadCache::Pin> pin = core_.threads.Acquire(thread_id);
  if (!pin.ok()) return pin.status();
  command.thread = *std::move(pin);
  return {};
}

Status CommandPinner::Refresh(DeleteCommand& command) {
  command.verdict = Verdict::kPending;
  command.states.clear();
  command.owner_names.clear();
  ThreadEntry& entry = *command.thread;
  if (command.user_id) {
    if (Status s = core_.threads.EnsureOwner(entry, *command.user_id); !s.ok()) return s;
  }
  if (command.run_id && !command.needs_all_runs) {
    if (Status s = core_.threads.EnsureRun(entry, *command.run_id); !s.ok()) return s;
  } else if (Status s = core_.threads.EnsureAllRuns(entry); !s.ok()) {
    return s;
  }
  if (command.run_id) {
    if (Status s = core_.threads.EnsureRun(entry, *command.run_id); !s.ok()) return s;
  }

  ThreadNumber thread{};
  OwnerNumber owner{};
  std::vector<RunEntry> runs;  // copies of those the delete touches
  {
    const std::lock_guard lock(entry.mutex);
    thread = entry.state.thread;
    if (command.user_id) {
      const auto found = entry.state.owners.find(*command.user_id);
      if (found == entry.state.owners.end()) return {};  // the committer sends the command back
      owner = found->second.record.owner;
    }
    for (const auto& [run_id, run] : entry.state.runs) {
      if (run.run == RunNumber::kNone || (command.run_id && run_id != *command.run_id)) continue;
      runs.push_back(run);
    }
  }
  if (command.user_id && owner == OwnerNumber::kNone) return {};
  std::vector<OwnerNumber> owners;
  for (const RunEntry& run : runs) {
    bool takes_some = false;
    bool leaves_some = false;
    for (const OwnerSlice& slice : run.record.slices) {
      const bool takes = !command.user_id || slice.owner == owner;
      takes_some = takes_some || takes;
      leaves_some = leaves_some || (!takes && slice.figures.events > 0);
      if (takes && slice.owner != OwnerNumber::kNone) owners.push_back(slice.owner);
    }
    if (!takes_some || !leaves_some) continue;
    if (Status s = LoadSurvivingState(command, thread, run, owner); !s.ok()) return s;
  }
  return LoadOwners(command, thread, owners);
}

Status CommandPinner::LoadOwners(DeleteCommand& command, ThreadNumber thread,
                                 const std::vector<OwnerNumber>& owners) {
  for (const OwnerNumber owner : owners) {
    if (command.owner_names.contains(Raw(owner))) continue;
    Result<std::string> name = core_.loader.OwnerName(thread, owner);
    if (!name.ok()) {
      const std::lock_guard lock(command.thread->mutex);
      // Purged with a life that has ended since: the committer will send the command back.
      return command.thread->state.thread == thread ? name.status() : Status();
    }
    if (Status s = core_.threads.EnsureOwner(*command.thread, *name); !s.ok()) return s;
    command.owner_names.emplace(Raw(owner), *std::move(name));
  }
  return {};
}

Status CommandPinner::LoadSurvivingState(DeleteCommand& command, ThreadNumber thread,
                                         const RunEntry& run, OwnerNumber owner) {
  DeleteCommand::SurvivingState surviving{.thread = thread,
                                          .seen_revision = run.record.retention_revision};
  for (const OwnerSlice& slice : run.record.slices) {
    surviving.seen_last_seq = std::max(surviving.seen_last_seq, slice.figures.last_seq);
  }
  Result<format::StateDelta> state =
      core_.loader.LastTransition(thread, run.run, owner, surviving.seen_last_seq);
  if (!state.ok()) return state.status();
  surviving.state = *std::move(state);
  command.states.insert_or_assign(run.record.run_id, std::move(surviving));
  return {};
}

}  // namespace runlog::engine
