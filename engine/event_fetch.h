// Stored events by seq: in one scan where they lie close, in point reads where they do not. Nothing
// is copied: what was read stays pinned.

#ifndef RUNLOG_ENGINE_EVENT_FETCH_H_
#define RUNLOG_ENGINE_EVENT_FETCH_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <rocksdb/db.h>

#include <runlog/status.h>

#include "engine/read_moment.h"
#include "engine/rocks.h"
#include "format/event_codec.h"
#include "format/keys.h"
#include "format/numbers.h"
#include "index/posting_cursor.h"

namespace runlog::engine {

/// An event as it is stored: its header is parsed, no hash is checked yet.
struct StoredEvent {
  std::uint64_t seq = 0;
  std::string_view value;
  format::EventHeader header;
};

/// Whether values stay where they are when a scan moves on.
enum class Keeping : std::uint8_t { kOne, kAll };

/// Steps over the stored events of a thread.
/// Concurrency: one caller at a time.
class EventScan {
 public:
  EventScan(const ReadMoment& moment, format::ThreadNumber thread, index::SeqWindow window,
            index::Direction direction, Keeping keeping);
  EventScan(const EventScan&) = delete;
  EventScan& operator=(const EventScan&) = delete;

  /// Steps to the next event, the first time to the first.
  /// Returns: false at the end. Errors: kCorruption, kIoError.
  Result<bool> Next();
  /// The event under the scan. With Keeping::kAll its value lives as long as the scan.
  const StoredEvent& event() const { return event_; }

 private:
  const format::ThreadNumber thread_;
  const index::Direction direction_;
  const format::EventKeyBytes lower_;  // inclusive
  const format::EventKeyBytes upper_;  // exclusive
  const rocksdb::Slice lower_slice_;
  const rocksdb::Slice upper_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  StoredEvent event_;
  bool started_ = false;
};

/// What the views of a page point into. Members go in reverse order: the database last.
struct EventPins {
  std::shared_ptr<Rocks> rocks;
  std::vector<std::unique_ptr<EventScan>> scans;
  std::vector<std::unique_ptr<rocksdb::PinnableSlice[]>> values;
};

/// Reads the events with these seqs, which must ascend, and pins them in `pins`. A seq without an
/// event is kCorruption: index and events are read at one moment.
Result<std::vector<StoredEvent>> FetchEvents(const ReadMoment& moment, format::ThreadNumber thread,
                                             std::span<const std::uint64_t> seqs, EventPins& pins);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_EVENT_FETCH_H_
