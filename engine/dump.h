// Shows a store as it lies on disk, for people.

#ifndef RUNLOG_ENGINE_DUMP_H_
#define RUNLOG_ENGINE_DUMP_H_

#include <iosfwd>

#include <runlog/status.h>

#include "engine/store_core.h"

namespace runlog::engine {

/// As StoreView::Dump. What does not decode is shown as such. Errors: kCorruption, kIoError (of
/// reading, or of `out`).
Status DumpStore(StoreCore& core, std::ostream& out);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_DUMP_H_
