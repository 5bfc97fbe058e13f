// What one event does to the figures and the state of its run. One home for the write path, which
// adds it, for deletes, which look for what is left of it, and for Verify, which counts it again.

#ifndef RUNLOG_ENGINE_EVENT_EFFECT_H_
#define RUNLOG_ENGINE_EVENT_EFFECT_H_

#include <cstdint>
#include <optional>

#include "format/event_codec.h"
#include "format/records.h"

namespace runlog::engine {

/// The figures of this event alone. `digest` is its format::EventDigest.
format::Figures FiguresOf(const format::EventHeader& header, std::uint64_t seq,
                          std::int64_t created_at_us, const format::Digest128& digest);

/// Nothing where the event leaves its run's state as it was.
std::optional<format::StateDelta> StateDeltaOf(format::RunNumber run, std::uint64_t seq,
                                               format::RunTransition transition);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_EVENT_EFFECT_H_
