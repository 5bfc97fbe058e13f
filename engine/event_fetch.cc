#include "engine/event_fetch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace runlog::engine {
namespace {

using format::Family;
using format::Raw;

/// A step of a scan costs a fraction of a point read; past this many steps an event it does not
/// pay.
constexpr std::uint64_t kScanStepsPerEventMax = 4;

rocksdb::Slice SliceOf(const format::EventKeyBytes& key) {
  return {key.data(), key.size()};
}

Status Missing(format::ThreadNumber thread, std::uint64_t seq) {
  return Status(StatusCode::kCorruption,
                fmt::format("events: thread number {} has no event at seq {}, which an index names",
                            Raw(thread), seq));
}

Result<StoredEvent> Parse(format::ThreadNumber thread, std::uint64_t seq, std::string_view value) {
  Result<format::EventHeader> header = format::PeekEventHeader(value);
  if (!header.ok()) {
    return Status(header.status().code(), fmt::format("events: thread number {} seq {}: {}",
                                                      Raw(thread), seq, header.status().message()));
  }
  return StoredEvent{seq, value, *header};
}

Result<std::vector<StoredEvent>> FetchByScan(const ReadMoment& moment, format::ThreadNumber thread,
                                             std::span<const std::uint64_t> seqs, EventPins& pins) {
  pins.scans.push_back(std::make_unique<EventScan>(
      moment, thread, index::SeqWindow{seqs.front() - 1, seqs.back() + 1},
      index::Direction::kForward, Keeping::kAll));
  EventScan& scan = *pins.scans.back();
  std::vector<StoredEvent> events;
  events.reserve(seqs.size());
  for (const std::uint64_t seq : seqs) {
    do {
      const Result<bool> more = scan.Next();
      if (!more.ok()) return more.status();
      if (!*more) return Missing(thread, seq);
    } while (scan.event().seq < seq);
    if (scan.event().seq != seq) return Missing(thread, seq);
    events.push_back(scan.event());
  }
  return events;
}

Result<std::vector<StoredEvent>> FetchByKey(const ReadMoment& moment, format::ThreadNumber thread,
                                            std::span<const std::uint64_t> seqs, EventPins& pins) {
  const std::size_t count = seqs.size();
  std::vector<format::EventKeyBytes> keys(count);
  std::vector<rocksdb::Slice> slices(count);
  std::vector<rocksdb::Status> statuses(count);
  for (std::size_t i = 0; i < count; ++i) {
    keys[i] = format::Encode(format::EventKey{thread, seqs[i]});
    slices[i] = SliceOf(keys[i]);
  }
  pins.values.push_back(std::make_unique<rocksdb::PinnableSlice[]>(count));
  rocksdb::PinnableSlice* values = pins.values.back().get();
  const Rocks& rocks = *moment.rocks();
  rocks.db().MultiGet(moment.Reading(), rocks.family(Family::kEvents), count, slices.data(), values,
                      statuses.data(), /*sorted_input=*/true);
  std::vector<StoredEvent> events;
  events.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (statuses[i].IsNotFound()) return Missing(thread, seqs[i]);
    if (!statuses[i].ok()) {
      return FromRocks(statuses[i], fmt::format("reading events: thread number {} seq {}",
                                                Raw(thread), seqs[i]));
    }
    Result<StoredEvent> event = Parse(thread, seqs[i], values[i].ToStringView());
    if (!event.ok()) return event.status();
    events.push_back(*event);
  }
  return events;
}

}  // namespace

EventScan::EventScan(const ReadMoment& moment, format::ThreadNumber thread, index::SeqWindow window,
                     index::Direction direction, Keeping keeping)
    : thread_(thread),
      direction_(direction),
      lower_(format::Encode(format::EventKey{thread, window.after + 1})),
      upper_(format::Encode(format::EventKey{thread, std::max(window.before, window.after + 1)})),
      lower_slice_(SliceOf(lower_)),
      upper_slice_(SliceOf(upper_)) {
  rocksdb::ReadOptions reading = moment.Reading();
  reading.iterate_lower_bound = &lower_slice_;
  reading.iterate_upper_bound = &upper_slice_;
  reading.pin_data = keeping == Keeping::kAll;
  const Rocks& rocks = *moment.rocks();
  iterator_.reset(rocks.db().NewIterator(reading, rocks.family(Family::kEvents)));
}

Result<bool> EventScan::Next() {
  const bool forward = direction_ == index::Direction::kForward;
  if (!started_) {
    forward ? iterator_->SeekToFirst() : iterator_->SeekToLast();
    started_ = true;
  } else if (iterator_->Valid()) {
    forward ? iterator_->Next() : iterator_->Prev();
  }
  if (!iterator_->Valid()) {
    const rocksdb::Status status = iterator_->status();
    if (status.ok()) return false;
    return FromRocks(status, fmt::format("reading events of thread number {}, behind seq {}",
                                         Raw(thread_), event_.seq));
  }
  const auto key = format::DecodeEventKey(iterator_->key().ToStringView());
  if (!key) return Status(StatusCode::kCorruption, "events: a key that is none");
  Result<StoredEvent> event = Parse(thread_, key->seq, iterator_->value().ToStringView());
  if (!event.ok()) return event.status();
  event_ = *event;
  return true;
}

Result<std::vector<StoredEvent>> FetchEvents(const ReadMoment& moment, format::ThreadNumber thread,
                                             std::span<const std::uint64_t> seqs, EventPins& pins) {
  if (seqs.empty()) return std::vector<StoredEvent>();
  const std::uint64_t span = seqs.back() - seqs.front() + 1;
  const bool close = seqs.size() > 1 && span / kScanStepsPerEventMax <= seqs.size();
  return close ? FetchByScan(moment, thread, seqs, pins) : FetchByKey(moment, thread, seqs, pins);
}

}  // namespace runlog::engine
