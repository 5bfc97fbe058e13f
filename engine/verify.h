// Checks everything a store holds against everything else it holds. Changes nothing.

#ifndef RUNLOG_ENGINE_VERIFY_H_
#define RUNLOG_ENGINE_VERIFY_H_

#include <cstdint>
#include <functional>

#include <runlog/status.h>
#include <runlog/store_view.h>

#include "engine/store_core.h"

namespace runlog::engine {

/// As StoreView::Verify. Each family is read once, in order; memory grows with the runs and owners
/// of one thread, not with events. Exact where nothing writes meanwhile.
/// Errors: kIoError where the database cannot be read at all; damage is a fault, not an error.
Result<VerifySummary> VerifyStore(StoreCore& core, const std::function<void(const Fault&)>& report,
                                  const std::function<void(std::uint64_t)>& progress = {});

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_VERIFY_H_
