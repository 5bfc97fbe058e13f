#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/event_fetch.h"
#include "engine/listing.h"
#include "engine/thread_snapshot.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;

/// Adds to `holes` what the gap rows say of the window.
Status AddGaps(const ThreadSnapshot& thread, const index::SeqWindow& window,
               std::vector<Hole>& holes) {
  const Rocks& rocks = *thread.moment->rocks();
  const format::GapKeyBytes first = format::GapKey(thread.thread, window.after + 1);
  const auto prefix = format::ThreadPrefix(thread.thread);
  const std::string end = format::PrefixEnd({prefix.data(), prefix.size()});
  const rocksdb::Slice upper(end);
  rocksdb::ReadOptions reading = thread.moment->Reading();
  if (!end.empty()) reading.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> rows(
      rocks.db().NewIterator(reading, rocks.family(Family::kGaps)));
  for (rows->Seek({first.data(), first.size()}); rows->Valid(); rows->Next()) {
    const auto key = format::DecodeGapKey(rows->key().ToStringView());
    if (!key) return Status(StatusCode::kCorruption, "gaps: a key that is none");
    const Result<format::GapRow> row = format::DecodeGapRow(rows->value().ToStringView());
    if (!row.ok()) return row.status();
    if (row->first_seq >= window.before) break;
    holes.push_back({std::max(row->first_seq, window.after + 1),
                     std::min(key->seq, window.before - 1), static_cast<HoleReason>(row->reason),
                     row->commit});
  }
  if (!rows->status().ok()) return FromRocks(rows->status(), "reading gaps");
  return {};
}

/// Adds the hidden events of the window that are still stored, one hole each.
Status AddHidden(const ThreadSnapshot& thread, index::SeqWindow window, std::vector<Hole>& holes) {
  std::uint64_t last = 0;
  for (const HiddenRange& range : thread.hidden->ranges()) {
    last = std::max(last, range.row.up_to_seq);
  }
  window.before = std::min(window.before, last + 1);
  if (window.before <= window.after + 1) return {};
  EventScan scan(*thread.moment, thread.thread, window, index::Direction::kForward, Keeping::kOne);
  while (true) {
    const Result<bool> more = scan.Next();
    if (!more.ok()) return more.status();
    if (!*more) return {};
    const StoredEvent& event = scan.event();
    const HiddenRange* range =
        thread.hidden->Hiding(event.header.run, event.header.owner, event.seq);
    if (range == nullptr) continue;
    holes.push_back(
        {event.seq, event.seq, static_cast<HoleReason>(range->row.reason), range->row.commit});
  }
}

/// Joins neighbours that were made by the same commit.
std::vector<Hole> Join(std::vector<Hole> holes) {
  std::sort(holes.begin(), holes.end(),
            [](const Hole& a, const Hole& b) { return a.first_seq < b.first_seq; });
  std::vector<Hole> joined;
  for (const Hole& hole : holes) {
    const bool continues = !joined.empty() && joined.back().last_seq + 1 == hole.first_seq &&
                           joined.back().reason == hole.reason &&
                           joined.back().commit == hole.commit;
    if (continues) {
      joined.back().last_seq = hole.last_seq;
    } else {
      joined.push_back(hole);
    }
  }
  return joined;
}

}  // namespace

Result<std::vector<Hole>> ListHoles(StoreCore& core, std::string_view thread_id,
                                    std::uint64_t after_seq, std::uint64_t before_seq) {
  std::vector<Hole> holes;
  const Result<ThreadSnapshot> thread = ThreadSnapshot::Take(core, {.thread_id = thread_id});
  if (!thread.ok()) return thread.status();
  if (thread->holds_nothing || after_seq >= thread->record.mark) return holes;
  const index::SeqWindow window{after_seq, std::min(before_seq, thread->record.mark + 1)};
  if (window.before <= window.after + 1) return holes;
  if (Status s = AddGaps(*thread, window, holes); !s.ok()) return s;
  if (thread->hidden != nullptr) {
    if (Status s = AddHidden(*thread, window, holes); !s.ok()) return s;
  }
  return Join(std::move(holes));
}

}  // namespace runlog::engine
