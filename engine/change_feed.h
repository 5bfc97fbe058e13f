// The store's commits in order, from the `commits` family.

#ifndef RUNLOG_ENGINE_CHANGE_FEED_H_
#define RUNLOG_ENGINE_CHANGE_FEED_H_

#include <cstddef>
#include <cstdint>

#include <runlog/listing.h>
#include <runlog/status.h>

#include "engine/store_core.h"

namespace runlog::engine {

/// As Reader::Changes. Errors: kCorruption, kIoError.
Result<ChangePage> ReadChanges(StoreCore& core, std::uint64_t after_commit, std::size_t limit);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_CHANGE_FEED_H_
