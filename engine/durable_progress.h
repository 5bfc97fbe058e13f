// How far the writing process knows its store to be durable. Published by the committer after each
// synced write, read by the anchor keeper and by the next batch's mark.

#ifndef RUNLOG_ENGINE_DURABLE_PROGRESS_H_
#define RUNLOG_ENGINE_DURABLE_PROGRESS_H_

#include <mutex>

#include "format/anchor.h"

namespace runlog::engine {

/// Concurrency: safe.
class DurableProgress {
 public:
  void Publish(const format::DurablePoint& point) {
    const std::lock_guard lock(mutex_);
    point_ = point;
  }
  format::DurablePoint Latest() const {
    const std::lock_guard lock(mutex_);
    return point_;
  }

 private:
  mutable std::mutex mutex_;
  format::DurablePoint point_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_DURABLE_PROGRESS_H_
