// Reader's state: see runlog/reader.h and ARCHITECTURE.md, "Life of a page".

#ifndef RUNLOG_ENGINE_READER_IMPL_H_
#define RUNLOG_ENGINE_READER_IMPL_H_

#include <memory>
#include <utility>

#include "engine/store_core.h"

namespace runlog::engine {

class ReaderImpl {
 public:
  explicit ReaderImpl(std::shared_ptr<StoreCore> core) : core_(std::move(core)) {}
  StoreCore& core() const { return *core_; }
  const std::shared_ptr<StoreCore>& shared_core() const { return core_; }

 private:
  std::shared_ptr<StoreCore> core_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_READER_IMPL_H_
