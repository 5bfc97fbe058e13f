#include "engine/state_loader.h"

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/event_effect.h"
#include "format/event_codec.h"
#include "format/keys.h"
#include "index/posting_cursor.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Raw;

Status Corrupt(Family family, std::string_view what) {
  return Status(StatusCode::kCorruption, fmt::format("{}: {}", format::FamilyName(family), what));
}

}  // namespace

Result<format::ThreadRecord> StateLoader::RecordOf(const Rocks& rocks,
                                                   format::ThreadNumber thread) {
  std::string value;
  const Result<bool> found = rocks.Get(Family::kThreads, format::ThreadRecordKey(thread), value);
  if (!found.ok()) return found.status();
  if (!*found) {
    return Corrupt(Family::kThreads, fmt::format("thread number {} has no record", Raw(thread)));
  }
  return format::DecodeThreadRecord(value);
}

Result<format::RunRecord> StateLoader::RecordOf(format::ThreadNumber thread,
                                                format::RunNumber run) const {
  std::string value;
  const Result<bool> found = rocks_.Get(Family::kRuns, format::RunRecordKey(thread, run), value);
  if (!found.ok()) return found.status();
  if (!*found) {
    return Corrupt(Family::kRuns, fmt::format("run number {} of thread number {} has no record",
                                              Raw(run), Raw(thread)));
  }
  return format::DecodeRunRecord(value);
}

Result<std::string> StateLoader::OwnerName(format::ThreadNumber thread,
                                           format::OwnerNumber owner) const {
  std::string value;
  const Result<bool> found =
      rocks_.Get(Family::kOwners, format::OwnerNumberKey(thread, owner), value);
  if (!found.ok()) return found.status();
  if (!*found) {
    return Corrupt(Family::kOwners, fmt::format("owner number {} of thread number {} has no name",
                                                Raw(owner), Raw(thread)));
  }
  return value;
}

Status StateLoader::LoadThread(std::string_view thread_id, ThreadState& state) const {
  std::string value;
  const Result<bool> found = rocks_.Get(Family::kThreads, format::ThreadNameKey(thread_id), value);
  if (!found.ok()) return found.status();
  if (!*found) return {};
  const Result<std::uint64_t> number = format::DecodeU64(value);
  if (!number.ok()) return number.status();
  const auto thread = format::ThreadNumber{*number};
  Result<format::ThreadRecord> record = RecordOf(thread);
  if (!record.ok()) return record.status();
  if (record->thread_id != thread_id || record->ended) {
    return Corrupt(Family::kThreads,
                   fmt::format("the name of thread number {} leads to another's record", *number));
  }
  state.thread = thread;
  state.record = *std::move(record);
  state.applied_commit = state.record.as_of;
  state.assigned_mark = state.record.mark;
  state.assigned_events = state.record.events;
  state.next_run = state.record.next_run;
  state.next_owner = state.record.next_owner;
  return {};
}

Result<RunEntry> StateLoader::LoadRun(format::ThreadNumber thread, std::string_view run_id) const {
  RunEntry entry;
  std::string value;
  const Result<bool> found = rocks_.Get(Family::kRuns, format::RunNameKey(thread, run_id), value);
  if (!found.ok()) return found.status();
  if (!*found) return entry;
  const Result<std::uint32_t> number = format::DecodeU32(value);
  if (!number.ok()) return number.status();
  entry.run = format::RunNumber{*number};
  Result<format::RunRecord> record = RecordOf(thread, entry.run);
  if (!record.ok()) return record.status();
  if (record->run_id != run_id) {
    return Corrupt(Family::kRuns,
                   fmt::format("the name of run number {} of thread number {} leads to another's",
                               *number, Raw(thread)));
  }
  entry.record = *std::move(record);
  return entry;
}

Status StateLoader::LoadRuns(format::ThreadNumber thread, StringMap<RunEntry>& runs) const {
  const std::string prefix = format::RunRecordPrefix(thread);
  const std::string end = format::PrefixEnd(prefix);
  const rocksdb::Slice upper(end);
  rocksdb::ReadOptions reading = Rocks::Reading();
  reading.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> rows(
      rocks_.db().NewIterator(reading, rocks_.family(Family::kRuns)));
  for (rows->Seek(prefix); rows->Valid(); rows->Next()) {
    const auto key = format::DecodeRunRecordKey(rows->key().ToStringView());
    if (!key) return Corrupt(Family::kRuns, "a key that is none");
    Result<format::RunRecord> record = format::DecodeRunRecord(rows->value().ToStringView());
    if (!record.ok()) return record.status();
    if (record->state == format::StoredRunState::kDeleted) continue;
    RunEntry entry;
    entry.run = key->run;
    entry.record = *std::move(record);
    std::string run_id = entry.record.run_id;
    runs.insert_or_assign(std::move(run_id), std::move(entry));
  }
  if (!rows->status().ok()) return FromRocks(rows->status(), "reading runs");
  return {};
}

Result<OwnerEntry> StateLoader::LoadOwner(format::ThreadNumber thread,
                                          std::string_view user_id) const {
  OwnerEntry entry;
  std::string value;
  const Result<bool> found =
      rocks_.Get(Family::kOwners, format::OwnerNameKey(thread, user_id), value);
  if (!found.ok()) return found.status();
  if (!*found) return entry;
  Result<format::OwnerRecord> record = format::DecodeOwnerRecord(value);
  if (!record.ok()) return record.status();
  entry.record = *record;
  return entry;
}

Result<std::optional<format::IdempotencyRecord>> StateLoader::LoadIdempotency(
    std::string_view thread_id, std::string_view key) const {
  std::string value;
  const Result<bool> found =
      rocks_.Get(Family::kIdempotency, format::IdempotencyKey(thread_id, key), value);
  if (!found.ok()) return found.status();
  if (!*found) return std::optional<format::IdempotencyRecord>();
  Result<format::IdempotencyRecord> record = format::DecodeIdempotencyRecord(value);
  if (!record.ok()) return record.status();
  return std::optional<format::IdempotencyRecord>(*record);
}

Result<std::uint64_t> StateLoader::FirstOfType(format::ThreadNumber thread, format::RunNumber run,
                                               std::string_view event_type) const {
  const std::shared_ptr<const HiddenSet> hidden = hidden_.Of(thread);
  index::PostingCursor cursor({&rocks_.db(), nullptr}, rocks_.family(Family::kTypeIndex),
                              format::PostingPrefix(thread, run, event_type), {},
                              index::Direction::kForward);
  while (true) {
    const Result<bool> more = cursor.Next();
    if (!more.ok()) return more.status();
    if (!*more) return std::uint64_t{0};
    const std::uint64_t seq = cursor.posting().seq;
    if (hidden == nullptr) return seq;
    std::string value;
    const format::EventKeyBytes key = format::Encode(format::EventKey{thread, seq});
    const Result<bool> found =
        rocks_.Get(Family::kEvents, std::string_view(key.data(), key.size()), value);
    if (!found.ok()) return found.status();
    if (!*found) continue;  // purged between the two reads: no longer live
    const Result<format::EventHeader> header = format::PeekEventHeader(value);
    if (!header.ok()) return header.status();
    if (!hidden->Hides(header->run, header->owner, seq)) return seq;
  }
}

Result<format::StateDelta> StateLoader::LastTransition(format::ThreadNumber thread,
                                                       format::RunNumber run,
                                                       format::OwnerNumber without,
                                                       std::uint64_t last_seq) const {
  const Result<format::ThreadRecord> record = RecordOf(thread);
  if (!record.ok()) return record.status();
  const std::shared_ptr<const HiddenSet> hidden = hidden_.Of(thread);
  format::StateDelta last{.run = run};
  std::string value;
  for (const std::string_view event_type : format::kTransitionTypes) {
    index::PostingCursor cursor({&rocks_.db(), nullptr}, rocks_.family(Family::kTypeIndex),
                                format::PostingPrefix(thread, run, event_type),
                                {.after = last.status_seq, .before = last_seq + 1},
                                index::Direction::kBackward);
    while (true) {
      const Result<bool> more = cursor.Next();
      if (!more.ok()) return more.status();
      if (!*more) break;
      const format::EventKey key{thread, cursor.posting().seq};
      const format::EventKeyBytes bytes = format::Encode(key);
      const Result<bool> found =
          rocks_.Get(Family::kEvents, std::string_view(bytes.data(), bytes.size()), value);
      if (!found.ok()) return found.status();
      if (!*found) continue;  // purged since
      const Result<format::EventHeader> header = format::PeekEventHeader(value);
      if (!header.ok()) return header.status();
      if (header->owner == without) continue;
      if (hidden != nullptr && hidden->Hides(header->run, header->owner, key.seq)) continue;
      const Result<EventView> event = EventDecoder::Decode(value, key, record->thread_id);
      if (!event.ok()) return event.status();
      auto state =
          StateDeltaOf(run, key.seq, format::TransitionOf(event->event_type(), event->content()));
      if (!state) continue;
      last = *std::move(state);
      break;
    }
  }
  return last;
}

}  // namespace runlog::engine
