// The one way on for a store that lost acknowledged events: keep all there is, open with what is
// left, begin a new epoch.

#ifndef RUNLOG_ENGINE_ACCEPTED_LOSS_H_
#define RUNLOG_ENGINE_ACCEPTED_LOSS_H_

#include <cstdint>
#include <filesystem>

#include <runlog/options.h>
#include <runlog/status.h>

#include "engine/preflight.h"

namespace runlog::engine {

/// Links the database's files into FOLDER/set-aside-N, opens up to the preflight's cut, raises the
/// epoch and writes the ANCHOR anew. Killed in between, the store is refused as before.
/// Requires: the caller holds the writer's lock; `preflight` can be accepted.
/// Errors: kIoError, kNoSpace, and RocksDB's own.
Status AcceptLoss(const std::filesystem::path& folder, const StoreOptions& options,
                  Preflight preflight, std::uint64_t writer);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_ACCEPTED_LOSS_H_
