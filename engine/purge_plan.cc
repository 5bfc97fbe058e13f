#include "engine/purge_plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <runlog/limits.h>

#include "engine/state_loader.h"
#include "format/event_codec.h"
#include "format/keys.h"
#include "format/records.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::HiddenScope;

constexpr std::size_t kSliceEvents = 512;
constexpr std::size_t kSliceKeys = 1024;

template <typename Bytes>
std::string ToString(const Bytes& bytes) {
  return std::string(bytes.data(), bytes.size());
}

/// Iterates a family below a prefix.
class PrefixScan {
 public:
  PrefixScan(const Rocks& rocks, Family family, const std::string& prefix)
      : end_(format::PrefixEnd(prefix)), upper_(end_), family_(family) {
    rocksdb::ReadOptions reading = Rocks::Reading();
    reading.fill_cache = false;
    if (!end_.empty()) reading.iterate_upper_bound = &upper_;
    rows_.reset(rocks.db().NewIterator(reading, rocks.family(family)));
  }
  rocksdb::Iterator& rows() { return *rows_; }
  Status status() const {
    return FromRocks(rows_->status(), fmt::format("reading {}", format::FamilyName(family_)));
  }

 private:
  std::string end_;
  rocksdb::Slice upper_;
  Family family_;
  std::unique_ptr<rocksdb::Iterator> rows_;
};

Status BadKey(Family family) {
  return Status(StatusCode::kCorruption,
                fmt::format("{}: a key that is none", format::FamilyName(family)));
}

}  // namespace

PurgePlan::PurgePlan(const Rocks& rocks, const HiddenRange& range) : rocks_(rocks), range_(range) {}

Result<std::optional<PurgePlan::Slice>> PurgePlan::Next() {
  switch (range_.key.scope) {
    case HiddenScope::kThread:
      return NextOfThread();
    case HiddenScope::kRun:
      return NextOfRun();
    case HiddenScope::kOwner:
    case HiddenScope::kOwnerInRun:
      return NextOfOwner();
  }
  return Status(StatusCode::kCorruption, "hidden: a scope that is none");
}

/// A whole run: its chunks in order, each with its events; then what is left of its other lists.
Result<std::optional<PurgePlan::Slice>> PurgePlan::NextOfRun() {
  Slice slice;
  const std::string prefix = format::PostingPrefix(range_.key.thread, range_.key.run);
  if (step_ == Step::kEvents) {
    PrefixScan scan(rocks_, Family::kRunIndex, prefix);
    std::vector<Removal> removals;
    std::vector<index::Posting> postings;
    for (scan.rows().Seek(prefix); scan.rows().Valid(); scan.rows().Next()) {
      const std::string_view key = scan.rows().key().ToStringView();
      const auto parts = format::DecodeRunPostingKey(key);
      if (!parts) return BadKey(Family::kRunIndex);
      const std::string_view value = scan.rows().value().ToStringView();
      if (Status s = index::DecodeChunk(value, parts->last_seq, postings); !s.ok()) return s;
      for (const index::Posting& posting : postings) {
        removals.push_back({posting.seq, parts->run, posting.event_class, {}, {}});
      }
      slice.changes.push_back({Family::kRunIndex, std::string(key), std::nullopt});
      if (removals.size() >= kSliceEvents || slice.changes.size() >= kSliceKeys) break;
    }
    if (Status s = scan.status(); !s.ok()) return s;
    RemoveEvents(removals, slice);
    if (!slice.changes.empty()) return std::optional<Slice>(std::move(slice));
    step_ = Step::kIndexes;
  }
  for (const Family family : {Family::kTypeIndex, Family::kTaskIndex}) {
    if (Status s = RemovePrefix(family, prefix, slice); !s.ok()) return s;
  }
  if (slice.changes.empty()) return std::optional<Slice>();
  return std::optional<Slice>(std::move(slice));
}

/// One owner's events, in a run or in the whole thread. Other owners' stay in the same chunks.
Result<std::optional<PurgePlan::Slice>> PurgePlan::NextOfOwner() {
  const std::string prefix = range_.key.scope == HiddenScope::kOwnerInRun
                                 ? format::PostingPrefix(range_.key.thread, range_.key.run)
                                 : ToString(format::ThreadPrefix(range_.key.thread));
  PrefixScan scan(rocks_, Family::kRunIndex, prefix);
  std::vector<Removal> removals;
  std::vector<index::Posting> postings;
  scan.rows().Seek(resume_at_.empty() ? prefix : resume_at_);
  for (; scan.rows().Valid() && removals.size() < kSliceEvents; scan.rows().Next()) {
    const std::string_view key = scan.rows().key().ToStringView();
    const auto parts = format::DecodeRunPostingKey(key);
    if (!parts) return BadKey(Family::kRunIndex);
    const std::string_view value = scan.rows().value().ToStringView();
    if (Status s = index::DecodeChunk(value, parts->last_seq, postings); !s.ok()) return s;
    if (Status s = CollectOwned(postings, parts->run, removals); !s.ok()) return s;
  }
  if (Status s = scan.status(); !s.ok()) return s;
  resume_at_ = scan.rows().Valid() ? scan.rows().key().ToString() : format::PrefixEnd(prefix);
  if (removals.empty()) return std::optional<Slice>();
  Slice slice;
  if (Status s = RemoveFromLists(removals, slice); !s.ok()) return s;
  RemoveEvents(removals, slice);
  return std::optional<Slice>(std::move(slice));
}

/// Adds the chunk's events that the range covers. Reads each: only the event knows its owner, type
/// and task.
Status PurgePlan::CollectOwned(const std::vector<index::Posting>& postings, format::RunNumber run,
                               std::vector<Removal>& removals) {
  if (thread_id_.empty()) {
    Result<format::ThreadRecord> thread = StateLoader::RecordOf(rocks_, range_.key.thread);
    if (!thread.ok()) return thread.status();
    thread_id_ = std::move(thread->thread_id);
  }
  std::string value;
  for (const index::Posting& posting : postings) {
    if (posting.seq > range_.row.up_to_seq) break;
    const format::EventKey key{range_.key.thread, posting.seq};
    const Result<bool> found = rocks_.Get(Family::kEvents, ToString(format::Encode(key)), value);
    if (!found.ok()) return found.status();
    if (!*found) continue;  // verify reports it
    const Result<format::EventHeader> header = format::PeekEventHeader(value);
    if (!header.ok()) return header.status();
    if (header->owner != range_.key.owner) continue;
    const Result<EventView> event = EventDecoder::Decode(value, key, thread_id_);
    if (!event.ok()) return event.status();
    removals.push_back({posting.seq, run, posting.event_class, std::string(event->event_type()),
                        std::string(event->task_id())});
  }
  return {};
}

/// Events, message rows and gaps.
void PurgePlan::RemoveEvents(std::vector<Removal>& removals, Slice& slice) {
  std::sort(removals.begin(), removals.end(),
            [](const Removal& a, const Removal& b) { return a.seq < b.seq; });
  std::size_t first = 0;
  for (std::size_t i = 0; i < removals.size(); ++i) {
    const Removal& removal = removals[i];
    slice.changes.push_back(
        {Family::kEvents,
         ToString(format::Encode(format::EventKey{range_.key.thread, removal.seq})), std::nullopt});
    if (removal.event_class.message()) {
      const format::MessageKey key{range_.key.thread, removal.event_class.visibility(),
                                   removal.seq};
      slice.changes.push_back({Family::kMessageIndex, ToString(format::Encode(key)), std::nullopt});
    }
    const bool range_ends = i + 1 == removals.size() || removals[i + 1].seq != removal.seq + 1 ||
                            removals[i + 1].run != removal.run;
    if (!range_ends) continue;
    AddGap(removals[first].seq, removal.seq, removal.run, slice);
    first = i + 1;
  }
  slice.events += removals.size();
}

/// One row for each stretch; a stretch that goes on where the last one ended makes it longer.
void PurgePlan::AddGap(std::uint64_t first, std::uint64_t last, format::RunNumber run,
                       Slice& slice) {
  format::GapRow row{first, range_.row.reason, run, range_.row.commit};
  if (last_gap_ && last_gap_->first + 1 == first && last_gap_->second.run == run) {
    row.first_seq = last_gap_->second.first_seq;
    slice.changes.push_back({Family::kGaps,
                             ToString(format::GapKey(range_.key.thread, last_gap_->first)),
                             std::nullopt});
  }
  slice.changes.push_back(
      {Family::kGaps, ToString(format::GapKey(range_.key.thread, last)), format::Encode(row)});
  last_gap_ = {last, row};
}

Status PurgePlan::RemoveFromLists(const std::vector<Removal>& removals, Slice& slice) const {
  Lists lists;
  for (const Removal& removal : removals) {
    const format::ThreadNumber thread = range_.key.thread;
    lists[{Family::kRunIndex, format::PostingPrefix(thread, removal.run)}].push_back(removal.seq);
    lists[{Family::kTypeIndex, format::PostingPrefix(thread, removal.run, removal.event_type)}]
        .push_back(removal.seq);
    if (!removal.task_id.empty() && removal.task_id.size() <= kIndexedTaskIdBytesMax) {
      lists[{Family::kTaskIndex, format::PostingPrefix(thread, removal.run, removal.task_id)}]
          .push_back(removal.seq);
    }
  }
  for (auto& [list, seqs] : lists) {
    std::sort(seqs.begin(), seqs.end());
    if (Status s = RemoveFromList(list.first, list.second, seqs, slice); !s.ok()) return s;
  }
  return {};
}

/// Rewrites the chunks of one list without `seqs`, under the same keys; an empty chunk goes.
Status PurgePlan::RemoveFromList(Family family, const std::string& prefix,
                                 const std::vector<std::uint64_t>& seqs, Slice& slice) const {
  PrefixScan scan(rocks_, family, prefix);
  std::vector<index::Posting> postings;
  auto next = seqs.begin();
  scan.rows().Seek(format::PostingKey(prefix, *next));
  for (; scan.rows().Valid() && next != seqs.end(); scan.rows().Next()) {
    const std::string_view key = scan.rows().key().ToStringView();
    const auto parts = family == Family::kRunIndex ? format::DecodeRunPostingKey(key)
                                                   : format::DecodeNamedPostingKey(key);
    if (!parts) return BadKey(family);
    const std::string_view value = scan.rows().value().ToStringView();
    if (Status s = index::DecodeChunk(value, parts->last_seq, postings); !s.ok()) return s;
    const std::size_t before = postings.size();
    std::erase_if(postings, [&](const index::Posting& posting) {
      return std::binary_search(seqs.begin(), seqs.end(), posting.seq);
    });
    next = std::upper_bound(next, seqs.end(), parts->last_seq);
    if (postings.size() == before) continue;
    if (postings.empty()) {
      slice.changes.push_back({family, std::string(key), std::nullopt});
    } else {
      slice.changes.push_back(
          {family, std::string(key), index::EncodeChunk(postings, parts->last_seq)});
    }
  }
  return scan.status();
}

/// An ended incarnation: everything below T, in every family.
Result<std::optional<PurgePlan::Slice>> PurgePlan::NextOfThread() {
  Slice slice;
  const format::ThreadNumber thread = range_.key.thread;
  const std::string prefix = ToString(format::ThreadPrefix(thread));
  constexpr std::array kByThread = {Family::kEvents,    Family::kRunIndex, Family::kTypeIndex,
                                    Family::kTaskIndex, Family::kGaps,     Family::kMessageIndex};
  for (const Family family : kByThread) {
    if (Status s = RemovePrefix(family, prefix, slice); !s.ok()) return s;
    if (family == Family::kEvents) slice.events = slice.changes.size();
  }
  for (const std::string& rows : {format::RunRecordPrefix(thread), format::RunNamePrefix(thread)}) {
    if (Status s = RemovePrefix(Family::kRuns, rows, slice); !s.ok()) return s;
  }
  for (const std::string& rows :
       {format::OwnerNamePrefix(thread), format::OwnerNumberPrefix(thread)}) {
    if (Status s = RemovePrefix(Family::kOwners, rows, slice); !s.ok()) return s;
  }
  // Narrower ranges of the same thread go with it; its own row is the last to go.
  PrefixScan scan(rocks_, Family::kHidden, prefix);
  for (scan.rows().Seek(prefix); scan.rows().Valid() && slice.changes.size() < kSliceKeys;
       scan.rows().Next()) {
    const auto key = format::DecodeHiddenKey(scan.rows().key().ToStringView());
    if (!key) return BadKey(Family::kHidden);
    if (key->scope == HiddenScope::kThread) continue;
    slice.changes.push_back({Family::kHidden, scan.rows().key().ToString(), std::nullopt});
  }
  if (Status s = scan.status(); !s.ok()) return s;
  if (slice.changes.empty()) return std::optional<Slice>();
  return std::optional<Slice>(std::move(slice));
}

/// Deletes the rows below `prefix`, until the slice is full.
Status PurgePlan::RemovePrefix(Family family, const std::string& prefix, Slice& slice) const {
  if (slice.changes.size() >= kSliceKeys) return {};
  PrefixScan scan(rocks_, family, prefix);
  for (scan.rows().Seek(prefix); scan.rows().Valid() && slice.changes.size() < kSliceKeys;
       scan.rows().Next()) {
    slice.changes.push_back({family, scan.rows().key().ToString(), std::nullopt});
  }
  return scan.status();
}

}  // namespace runlog::engine
