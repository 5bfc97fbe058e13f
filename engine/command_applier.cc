#include "engine/command_applier.h"

#include <algorithm>

namespace runlog::engine {

void ApplySliceLocked(const format::SliceDelta& delta, RunEntry& run, OwnerEntry* owner) {
  auto slice =
      std::find_if(run.record.slices.begin(), run.record.slices.end(),
                   [&](const format::OwnerSlice& own) { return own.owner == delta.owner; });
  if (slice == run.record.slices.end()) {
    slice = run.record.slices.insert(slice, format::OwnerSlice{delta.owner, {}});
  }
  slice->figures.Add(delta.figures);
  run.dirty = true;
  run.pending = false;
  if (owner == nullptr) return;
  owner->record.events += delta.figures.events;
  owner->record.messages += delta.figures.messages;
  owner->record.bytes += delta.figures.bytes;
  owner->dirty = true;
  owner->pending = false;
}

void ApplyStateLocked(const format::StateDelta& delta, RunEntry& run) {
  run.record.state = delta.state;
  run.record.status = delta.status;
  run.record.status_seq = delta.status_seq;
  run.dirty = true;
}

void ApplyTotalsLocked(const format::CommandRow& row, ThreadState& state) {
  format::Figures totals{.events = state.record.events,
                         .messages = state.record.messages,
                         .bytes = state.record.bytes,
                         .first_at_us = state.record.first_at_us,
                         .last_at_us = state.record.last_at_us};
  for (const format::SliceDelta& delta : row.slices)
    totals.Add(delta.figures);
  state.record.events = totals.events;
  state.record.messages = totals.messages;
  state.record.bytes = totals.bytes;
  state.record.first_at_us = totals.first_at_us;
  state.record.last_at_us = totals.last_at_us;
  state.record.mark = row.first_seq + row.count - 1;
}

void ApplyAppend(const AppendCommand& command) {
  ThreadEntry& entry = *command.thread;
  const std::lock_guard lock(entry.mutex);
  ThreadState& state = entry.state;
  for (std::size_t i = 0; i < command.row.slices.size(); ++i) {
    ApplySliceLocked(command.row.slices[i], *command.slice_runs[i], command.slice_owners[i]);
  }
  for (std::size_t i = 0; i < command.row.states.size(); ++i) {
    ApplyStateLocked(command.row.states[i], *command.state_runs[i]);
  }
  ApplyTotalsLocked(command.row, state);
  state.applied_commit = command.commit;
  if (state.first_dirty_commit == 0) state.first_dirty_commit = command.commit;
  // Last: whoever sees this seq finds everything up to it.
  entry.visible_seq.store(state.record.mark, std::memory_order_release);
}

}  // namespace runlog::engine
