// Makes written commands visible: figures, states and the visible seq of their threads. Used by the
// committer behind each write, and by Replay when a store is opened.

#ifndef RUNLOG_ENGINE_COMMAND_APPLIER_H_
#define RUNLOG_ENGINE_COMMAND_APPLIER_H_

#include <cstdint>

#include "engine/command.h"
#include "engine/thread_entry.h"

namespace runlog::engine {

/// Adds what `delta` says to the owner's part of the run. Requires: the entry's mutex.
void ApplySliceLocked(const format::SliceDelta& delta, RunEntry& run, OwnerEntry* owner);
void ApplyStateLocked(const format::StateDelta& delta, RunEntry& run);
/// Totals and mark of the thread. Requires: the entry's mutex.
void ApplyTotalsLocked(const format::CommandRow& row, ThreadState& state);

/// All of a written append, in the order it was assigned. Locks the entry.
void ApplyAppend(const AppendCommand& command);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_COMMAND_APPLIER_H_
