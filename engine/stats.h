// Counters of a store and of its RocksDB as one struct.

#ifndef RUNLOG_ENGINE_STATS_H_
#define RUNLOG_ENGINE_STATS_H_

#include <runlog/stats.h>

#include "engine/store_core.h"

namespace runlog::engine {

/// Everything but the queue and the tails, which the store adds.
Stats TakeStats(const StoreCore& core);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_STATS_H_
