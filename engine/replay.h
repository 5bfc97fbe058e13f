// Rebuilds the records that were still to be written back when the store was last open: applies the
// newest part of `commits` to the threads it names. FORMAT.md, "Written back, rebuilt from
// commits".

#ifndef RUNLOG_ENGINE_REPLAY_H_
#define RUNLOG_ENGINE_REPLAY_H_

#include <cstdint>
#include <functional>
#include <vector>

#include <runlog/status.h>

#include "engine/store_core.h"

namespace runlog::engine {

struct ReplayOutcome {
  struct DirtyThread {
    ThreadCache::Pin thread;
    std::uint64_t since = 0;
  };
  /// Threads whose records are now newer than the disk's, oldest change first. The pins keep them
  /// so.
  std::vector<DirtyThread> dirty;
  std::uint64_t last_commit = 0;
  std::int64_t last_at_us = 0;
};

/// Loads the hidden ranges, then replays. Changes nothing on disk.
/// Errors: kCorruption, kIoError.
Result<ReplayOutcome> Replay(StoreCore& core);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_REPLAY_H_
