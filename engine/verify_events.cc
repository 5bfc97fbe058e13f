#include "engine/verify_events.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/event_effect.h"
#include "format/event_codec.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Raw;

constexpr std::uint64_t kEventsPerProgress = 4096;

bool IsAiResponse(std::string_view event_type) {
  return event_type == "llm.ai.response" || event_type == "ai_message";
}

}  // namespace

bool UnderPurge(const ThreadRecords& records, std::uint32_t run, std::uint64_t seq) {
  if (records.hidden == nullptr) return false;
  const HiddenRange* range =
      records.hidden->Hiding(format::RunNumber{run}, format::OwnerNumber::kNone, seq);
  return range != nullptr && range->key.scope == format::HiddenScope::kRun;
}

EventsCheck::EventsCheck(const ReadMoment& moment, FaultSink& faults,
                         const std::function<void(std::uint64_t)>& progress)
    : faults_(faults),
      progress_(progress),
      events_(moment, Family::kEvents, faults),
      gaps_(moment, Family::kGaps, faults) {}

EventCensus EventsCheck::Count(const ThreadRecords& records, const FamilyWalk::Strays& strays) {
  EventCensus census;
  next_seq_ = 1;
  events_.Start(records.thread, strays);
  gaps_.Start(records.thread, strays);
  for (; events_.valid(); events_.Next()) {
    const auto key = format::DecodeEventKey(events_.key());
    if (!key) {
      faults_.Add(kFaultKey, Family::kEvents, "a key that is none", records.record.thread_id);
      continue;
    }
    PassGapsBelow(records, key->seq);
    Cover(records, key->seq, key->seq, Family::kEvents);
    if (key->seq > records.record.mark) {
      faults_.Add(kFaultMark, Family::kEvents,
                  fmt::format("above the mark {}", records.record.mark), records.record.thread_id,
                  key->seq);
    }
    CheckEvent(records, key->seq, census);
    ++events_seen_;
    if (progress_ && events_seen_ % kEventsPerProgress == 0) progress_(events_seen_);
  }
  PassGapsBelow(records, std::numeric_limits<std::uint64_t>::max());
  if (next_seq_ <= records.record.mark) {
    Cover(records, records.record.mark + 1, records.record.mark, Family::kEvents);
  }
  census.complete = census.complete && !events_.damaged();
  return census;
}

void EventsCheck::Finish(const FamilyWalk::Strays& strays) {
  events_.Finish(strays);
  gaps_.Finish(strays);
  if (progress_) progress_(events_seen_);
}

/// Takes account of the seqs `first` to `last`, which have an event or lie in a gap.
void EventsCheck::Cover(const ThreadRecords& records, std::uint64_t first, std::uint64_t last,
                        Family family) {
  // What lies in a block that cannot be read is not missing: that the block is, was said.
  const bool damaged = events_.damaged() || gaps_.damaged();
  if (first > next_seq_ && !damaged) {
    faults_.Add(kFaultMissing, Family::kEvents,
                fmt::format("seqs {} to {} have neither event nor gap", next_seq_, first - 1),
                records.record.thread_id, next_seq_);
  } else if (first < next_seq_) {
    faults_.Add(kFaultOverlap, family,
                fmt::format("seqs {} to {} are accounted for twice", first, next_seq_ - 1),
                records.record.thread_id, first);
  }
  next_seq_ = std::max(next_seq_, last + 1);
}

void EventsCheck::PassGapsBelow(const ThreadRecords& records, std::uint64_t seq) {
  for (; gaps_.valid(); gaps_.Next()) {
    const auto key = format::DecodeGapKey(gaps_.key());
    const Result<format::GapRow> row = format::DecodeGapRow(gaps_.value());
    if (!key || !row.ok()) {
      faults_.Add(key ? kFaultValue : kFaultKey, Family::kGaps,
                  key ? row.status().ToString() : "a key that is none", records.record.thread_id);
      continue;
    }
    if (row->first_seq > seq) return;
    const bool sane =
        row->first_seq >= 1 && row->first_seq <= key->seq && key->seq <= records.record.mark;
    if (!sane) {
      faults_.Add(kFaultMark, Family::kGaps,
                  fmt::format("gap {} to {} under the mark {}", row->first_seq, key->seq,
                              records.record.mark),
                  records.record.thread_id, row->first_seq);
      continue;
    }
    Cover(records, row->first_seq, key->seq, Family::kGaps);
  }
}

void EventsCheck::CheckEvent(const ThreadRecords& records, std::uint64_t seq, EventCensus& census) {
  const std::string_view value = events_.value();
  const Result<format::EventHeader> header = format::PeekEventHeader(value);
  const Result<EventView> view =
      EventDecoder::Decode(value, format::EventKey{records.thread, seq}, records.record.thread_id);
  if (!header.ok() || !view.ok()) {
    census.complete = false;
    faults_.Add(kFaultChecksum, Family::kEvents,
                std::string((header.ok() ? view.status() : header.status()).message()),
                records.record.thread_id, seq);
    return;
  }
  const StoredEvent event{seq, value, *header};
  CheckNumbers(records, event, *view);
  CheckClass(records, event, *view);
  const bool hidden =
      records.hidden != nullptr && records.hidden->Hides(header->run, header->owner, seq);
  if (hidden) {
    ++census.hidden_events;
  } else {
    AddLive(records, event, *view, census);
  }
  IndexEntry entry;
  for (std::size_t i = 0; i < kIndexFamilies.size(); ++i) {
    if (!EntryOf(kIndexFamilies[i], event, *view, entry)) continue;
    if (!hidden) ++census.live_index_entries;
    if (!UnderPurge(records, entry.run, seq)) census.index_sums[i] += DigestOf(entry);
  }
}

void EventsCheck::AddLive(const ThreadRecords& records, const StoredEvent& event,
                          const EventView& view, EventCensus& census) {
  ++census.live_events;
  const format::EventHeader& header = event.header;
  const format::Digest128 digest = format::EventDigest(records.record.thread_id, view.run_id(),
                                                       view.user_id(), event.seq, header.body_hash);
  census.figures[{Raw(header.run), Raw(header.owner)}].Add(
      FiguresOf(header, event.seq, view.created_at().microseconds, digest));
  if (auto state = StateDeltaOf(header.run, event.seq,
                                format::TransitionOf(view.event_type(), view.content()))) {
    census.states[Raw(header.run)] = *std::move(state);
  }
}

/// R and U of the header must lead to the ids in the body.
void EventsCheck::CheckNumbers(const ThreadRecords& records, const StoredEvent& event,
                               const EventView& view) {
  const auto run = records.runs.find(Raw(event.header.run));
  if (run == records.runs.end() || run->second.run_id != view.run_id()) {
    faults_.Add(kFaultName, Family::kEvents,
                fmt::format("run number {} does not lead to the event's run \"{}\"",
                            Raw(event.header.run), view.run_id()),
                records.record.thread_id, event.seq);
  }
  const auto owner = records.owner_names.find(Raw(event.header.owner));
  const bool owned = event.header.owner != format::OwnerNumber::kNone;
  const bool agrees = owned ? view.user_id().has_value() && owner != records.owner_names.end() &&
                                  owner->second == *view.user_id()
                            : !view.user_id().has_value();
  if (agrees) return;
  faults_.Add(kFaultName, Family::kEvents,
              fmt::format("owner number {} does not lead to the event's user \"{}\"",
                          Raw(event.header.owner), view.user_id().value_or("")),
              records.record.thread_id, event.seq);
}

void EventsCheck::CheckClass(const ThreadRecords& records, const StoredEvent& event,
                             const EventView& view) {
  const format::EventHeader& header = event.header;
  const bool middleware = header.event_class.caller() == format::CallerClass::kMiddleware;
  const bool agrees = header.event_class.category() == format::CategoryCodeOf(view.category()) &&
                      header.event_class.ai_response() == IsAiResponse(view.event_type()) &&
                      header.event_class.is_volatile() == view.is_volatile() &&
                      header.is_volatile == view.is_volatile() &&
                      header.content_kind == view.content().kind &&
                      middleware == view.caller().starts_with("middleware:");
  if (agrees) return;
  faults_.Add(
      kFaultClass, Family::kEvents,
      fmt::format("class byte {:#04x} is not that of the event's body", header.event_class.byte()),
      records.record.thread_id, event.seq);
}

}  // namespace runlog::engine
