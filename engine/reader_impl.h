// Reader's state: the store it reads, until that closes.

#ifndef RUNLOG_ENGINE_READER_IMPL_H_
#define RUNLOG_ENGINE_READER_IMPL_H_

#include <memory>
#include <mutex>
#include <utility>

#include "engine/store_core.h"

namespace runlog::engine {

/// Concurrency: any worker. A read takes a share of the core and keeps it to its end, so that
/// closing waits for nobody and pulls nothing from under a read.
class ReaderImpl {
 public:
  explicit ReaderImpl(std::shared_ptr<StoreCore> core) : core_(std::move(core)) {}

  /// Null once the store is closed.
  std::shared_ptr<StoreCore> core() const {
    const std::lock_guard lock(mutex_);
    return core_;
  }
  void Release() {
    const std::lock_guard lock(mutex_);
    core_.reset();
  }

 private:
  mutable std::mutex mutex_;  // guards core_
  std::shared_ptr<StoreCore> core_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_READER_IMPL_H_
