// The parts that reading and writing share: the database, the threads in use, what is hidden,
// counters.

#ifndef RUNLOG_ENGINE_STORE_CORE_H_
#define RUNLOG_ENGINE_STORE_CORE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>

#include <runlog/options.h>

#include "engine/counters.h"
#include "engine/durable_progress.h"
#include "engine/hidden_set.h"
#include "engine/rocks.h"
#include "engine/state_loader.h"
#include "engine/thread_cache.h"

namespace runlog::engine {

/// Held by shared_ptr from the store, its readers, pages and tails.
struct StoreCore {
  StoreCore(std::shared_ptr<Rocks> opened, const StoreOptions& store_options)
      : options(store_options),
        rocks(std::move(opened)),
        loader(*rocks, hidden),
        threads(loader, options.thread_cache_bytes) {}

  const StoreOptions options;
  const std::shared_ptr<Rocks> rocks;
  HiddenIndex hidden;
  StateLoader loader;
  ThreadCache threads;
  Counters counters;
  DurableProgress durable;
  std::uint64_t store_tag = 0;  // of every batch's mark; set before anything is written
  std::atomic<std::uint64_t> epoch{1};
  std::atomic<std::uint64_t> last_commit{0};  // newest visible commit
  std::atomic<bool> closed{false};
  // Of a secondary: held alone while it catches up, shared by every read.
  std::shared_mutex catching_up;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_STORE_CORE_H_
