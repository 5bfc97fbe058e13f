// The families that belong to the store and not to one thread: commits, names, idempotency, meta.

#ifndef RUNLOG_ENGINE_VERIFY_LOG_H_
#define RUNLOG_ENGINE_VERIFY_LOG_H_

#include "engine/read_moment.h"
#include "engine/store_core.h"
#include "engine/verify_faults.h"

namespace runlog::engine {

/// Commit numbers are consecutive up to the newest one, times never go back, every row decodes.
void CheckCommits(const StoreCore& core, const ReadMoment& moment, FaultSink& faults);

/// Every thread_id leads to a live record that names it.
void CheckThreadNames(const ReadMoment& moment, FaultSink& faults);

void CheckIdempotency(const ReadMoment& moment, FaultSink& faults);
void CheckMeta(const ReadMoment& moment, FaultSink& faults);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_VERIFY_LOG_H_
