// Removes what deletes have hidden, in slices, through the committer. One at a time for the store.

#ifndef RUNLOG_ENGINE_PURGER_H_
#define RUNLOG_ENGINE_PURGER_H_

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <runlog/status.h>

#include "engine/committer.h"
#include "engine/hidden_set.h"
#include "engine/store_core.h"

namespace runlog::engine {

class Purger {
 public:
  /// `background`: a worker purges what Add brings. Without one it waits for Drain.
  Purger(StoreCore& core, Committer& committer, bool background);
  ~Purger();  // as Stop

  /// Takes up what earlier openings left.
  Status LoadPending();

  /// Any worker, the committer included: only notes the range.
  void Add(const HiddenRange& range);

  /// Purges everything noted so far, on the calling worker.
  Status Drain();

  /// Drops idempotency records that are both older than 24 h and more than 1 Mi commits back.
  Status PruneIdempotency();

  /// Stops between two slices; the rest is taken up at the next open. Idempotent.
  void Stop();

 private:
  void Run();
  Status Purge(const HiddenRange& range);
  Status Commit(std::shared_ptr<PurgeCommand> command);
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  StoreCore& core_;
  Committer& committer_;
  std::mutex purging_;  // held by whoever purges

  std::mutex mutex_;  // guards pending_
  std::condition_variable noted_;
  std::deque<HiddenRange> pending_;
  std::atomic<bool> stopping_{false};
  std::thread worker_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_PURGER_H_
