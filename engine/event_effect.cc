#include "engine/event_effect.h"

#include <utility>

namespace runlog::engine {

format::Figures FiguresOf(const format::EventHeader& header, std::uint64_t seq,
                          std::int64_t created_at_us, const format::Digest128& digest) {
  format::Figures figures{.events = 1,
                          .messages = header.event_class.message() ? 1U : 0U,
                          .bytes = format::kEventHeaderBytes + header.body_bytes,
                          .volatile_events = header.is_volatile ? 1U : 0U,
                          .first_seq = seq,
                          .last_seq = seq,
                          .first_at_us = created_at_us,
                          .last_at_us = created_at_us};
  (header.is_volatile ? figures.volatile_digest : figures.digest) = digest;
  return figures;
}

std::optional<format::StateDelta> StateDeltaOf(format::RunNumber run, std::uint64_t seq,
                                               format::RunTransition transition) {
  if (transition.kind == format::RunTransition::Kind::kNone) return std::nullopt;
  const bool ends = transition.kind == format::RunTransition::Kind::kEnds;
  return format::StateDelta{
      .run = run,
      .state = ends ? format::StoredRunState::kEnded : format::StoredRunState::kRunning,
      .status = std::move(transition.status),
      .status_seq = seq};
}

}  // namespace runlog::engine
