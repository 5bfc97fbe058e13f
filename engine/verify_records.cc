#include "engine/verify_records.h"

#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Figures;
using format::Raw;

bool Deleted(const format::RunRecord& record) {
  return record.state == format::StoredRunState::kDeleted;
}

bool SameCounts(const Figures& a, const Figures& b) {
  return a.events == b.events && a.messages == b.messages && a.bytes == b.bytes &&
         a.volatile_events == b.volatile_events;
}

bool SameBounds(const Figures& a, const Figures& b) {
  return a.first_seq == b.first_seq && a.last_seq == b.last_seq && a.first_at_us == b.first_at_us &&
         a.last_at_us == b.last_at_us;
}

std::string Counts(const Figures& figures) {
  return fmt::format("{} events, {} messages, {} bytes, {} volatile", figures.events,
                     figures.messages, figures.bytes, figures.volatile_events);
}

std::string Bounds(const Figures& figures) {
  return fmt::format("seqs {}..{}, times {}..{} us", figures.first_seq, figures.last_seq,
                     figures.first_at_us, figures.last_at_us);
}

}  // namespace

RecordsCheck::RecordsCheck(StoreCore& core, const ReadMoment& moment, FaultSink& faults)
    : core_(core),
      moment_(moment),
      faults_(faults),
      run_names_(moment, Family::kRuns, faults, 'i'),
      run_records_(moment, Family::kRuns, faults, 'r'),
      owner_names_(moment, Family::kOwners, faults, 'n'),
      owner_numbers_(moment, Family::kOwners, faults, 'u'),
      hidden_(moment, Family::kHidden, faults) {}

ThreadRecords RecordsCheck::Load(format::ThreadNumber thread, format::ThreadRecord record,
                                 const FamilyWalk::Strays& strays) {
  for (FamilyWalk* walk : {&run_names_, &run_records_, &owner_names_, &owner_numbers_, &hidden_}) {
    walk->Start(thread, strays);
  }
  ThreadRecords records{.thread = thread, .record = std::move(record)};
  RunRecords runs_in_memory;
  std::map<std::uint32_t, format::OwnerRecord> owners_in_memory;
  if (const ThreadCache::Pin pin = core_.threads.TryAcquire(records.record.thread_id)) {
    const std::lock_guard lock(pin->mutex);
    if (pin->state.thread == thread) {
      records.record = pin->state.record;
      records.record.next_run = pin->state.next_run;
      records.record.next_owner = pin->state.next_owner;
      runs_in_memory = CopyRunsLocked(pin->state);
      for (const auto& [user_id, owner] : pin->state.owners) {
        owners_in_memory.emplace(Raw(owner.record.owner), owner.record);
      }
    }
  }
  CheckName(records);
  LoadRuns(records, runs_in_memory);
  LoadOwners(records);
  for (auto& [owner, on_disk] : records.owners) {
    const auto newer = owners_in_memory.find(owner);
    if (newer != owners_in_memory.end()) on_disk = newer->second;
  }
  LoadHidden(records);
  return records;
}

void RecordsCheck::Finish(const FamilyWalk::Strays& strays) {
  for (FamilyWalk* walk : {&run_names_, &run_records_, &owner_names_, &owner_numbers_, &hidden_}) {
    walk->Finish(strays);
  }
}

void RecordsCheck::CheckName(const ThreadRecords& records) {
  const std::string& thread_id = records.record.thread_id;
  std::string value;
  const Result<bool> found =
      moment_.rocks()->Get(Family::kThreads, format::ThreadNameKey(thread_id), value);
  if (!found.ok()) {
    faults_.Add(kFaultUnreadable, Family::kThreads, found.status().ToString(), thread_id);
    return;
  }
  const bool leads_here = *found && value == format::EncodeU64(Raw(records.thread));
  if (leads_here) return;
  faults_.Add(
      kFaultName, Family::kThreads,
      fmt::format("thread number {} is not what its thread_id leads to", Raw(records.thread)),
      thread_id);
}

void RecordsCheck::LoadRuns(ThreadRecords& records, const RunRecords& in_memory) {
  const std::string& thread_id = records.record.thread_id;
  for (; run_records_.valid(); run_records_.Next()) {
    const auto key = format::DecodeRunRecordKey(run_records_.key());
    Result<format::RunRecord> record = format::DecodeRunRecord(run_records_.value());
    if (!key || !record.ok()) {
      faults_.Add(key ? kFaultValue : kFaultKey, Family::kRuns,
                  key ? record.status().ToString() : "a key that is none", thread_id);
      continue;
    }
    const auto newer = in_memory.find(Raw(key->run));
    const bool use_memory = newer != in_memory.end() && newer->second.as_of >= record->as_of;
    records.runs.emplace(Raw(key->run), use_memory ? newer->second : *std::move(record));
  }
  std::map<std::string, std::uint32_t, std::less<>> names;
  for (; run_names_.valid(); run_names_.Next()) {
    const auto key = format::DecodeRunNameKey(run_names_.key());
    const Result<std::uint32_t> number = format::DecodeU32(run_names_.value());
    if (!key || !number.ok()) {
      faults_.Add(key ? kFaultValue : kFaultKey, Family::kRuns,
                  key ? number.status().ToString() : "a key that is none", thread_id);
      continue;
    }
    names.emplace(key->name, *number);
    const auto run = records.runs.find(*number);
    const bool leads_back =
        run != records.runs.end() && run->second.run_id == key->name && !Deleted(run->second);
    if (leads_back) continue;
    faults_.Add(kFaultName, Family::kRuns,
                fmt::format("run \"{}\" leads to run number {}, which is no live run of that name",
                            key->name, *number),
                thread_id);
  }
  if (run_names_.damaged() || run_records_.damaged()) return;
  for (const auto& [number, record] : records.runs) {
    CheckRun(records, number, record);
    const auto name = names.find(record.run_id);
    if (Deleted(record) || (name != names.end() && name->second == number)) continue;
    faults_.Add(kFaultName, Family::kRuns,
                fmt::format("run \"{}\" does not lead to its number {}", record.run_id, number),
                thread_id);
  }
}

void RecordsCheck::CheckRun(const ThreadRecords& records, std::uint32_t run,
                            const format::RunRecord& record) {
  const format::ThreadRecord& thread = records.record;
  const auto fault = [&](std::string detail) {
    faults_.Add(kFaultState, Family::kRuns, fmt::format("run \"{}\": {}", record.run_id, detail),
                thread.thread_id);
  };
  if (run >= thread.next_run) {
    fault(fmt::format("number {} is not below the next one, {}", run, thread.next_run));
  }
  if (Deleted(record) && !record.slices.empty()) fault("deleted, but owns events");
}

void RecordsCheck::LoadOwners(ThreadRecords& records) {
  const std::string& thread_id = records.record.thread_id;
  for (; owner_numbers_.valid(); owner_numbers_.Next()) {
    const auto key = format::DecodeOwnerNumberKey(owner_numbers_.key());
    if (!key) {
      faults_.Add(kFaultKey, Family::kOwners, "a key that is none", thread_id);
      continue;
    }
    records.owner_names.emplace(Raw(key->owner), owner_numbers_.value());
  }
  for (; owner_names_.valid(); owner_names_.Next()) {
    const auto key = format::DecodeOwnerNameKey(owner_names_.key());
    const Result<format::OwnerRecord> record = format::DecodeOwnerRecord(owner_names_.value());
    if (!key || !record.ok()) {
      faults_.Add(key ? kFaultValue : kFaultKey, Family::kOwners,
                  key ? record.status().ToString() : "a key that is none", thread_id);
      continue;
    }
    records.owners.emplace(Raw(record->owner), *record);
    const auto name = records.owner_names.find(Raw(record->owner));
    const bool leads_back = name != records.owner_names.end() && name->second == key->name;
    if (leads_back && Raw(record->owner) < records.record.next_owner) continue;
    faults_.Add(kFaultName, Family::kOwners,
                fmt::format("owner \"{}\" leads to number {}, which does not lead back", key->name,
                            Raw(record->owner)),
                thread_id);
  }
  if (owner_names_.damaged() || owner_numbers_.damaged()) return;
  for (const auto& [number, name] : records.owner_names) {
    if (records.owners.contains(number)) continue;
    faults_.Add(kFaultName, Family::kOwners,
                fmt::format("owner number {}, \"{}\", has no record", number, name), thread_id);
  }
}

void RecordsCheck::LoadHidden(ThreadRecords& records) {
  std::vector<HiddenRange> ranges;
  for (; hidden_.valid(); hidden_.Next()) {
    const auto key = format::DecodeHiddenKey(hidden_.key());
    const Result<format::HiddenRow> row = format::DecodeHiddenRow(hidden_.value());
    if (!key || !row.ok()) {
      faults_.Add(key ? kFaultValue : kFaultKey, Family::kHidden,
                  key ? row.status().ToString() : "a key that is none", records.record.thread_id);
      continue;
    }
    if (key->scope == format::HiddenScope::kThread) {
      faults_.Add(kFaultState, Family::kHidden, "a live thread is hidden as a whole",
                  records.record.thread_id);
    }
    ranges.push_back({*key, *row});
  }
  if (!ranges.empty()) records.hidden = std::make_unique<HiddenSet>(std::move(ranges));
}

void RecordsCheck::CompareFigures(const ThreadRecords& records,
                                  std::pair<std::uint32_t, std::uint32_t> whose,
                                  const Figures& recorded, const Figures& counted) {
  const auto fault = [&](std::string_view kind, const std::string& says, const std::string& is) {
    faults_.Add(kind, Family::kRuns,
                fmt::format("run number {} owner number {}: recorded {}, counted {}", whose.first,
                            whose.second, says, is),
                records.record.thread_id);
  };
  if (!SameCounts(recorded, counted)) {
    fault(kFaultCount, Counts(recorded), Counts(counted));
    return;  // the rest cannot agree either
  }
  if (counted.events > 0 && !SameBounds(recorded, counted)) {
    fault(kFaultBounds, Bounds(recorded), Bounds(counted));
  }
  const bool same_digests =
      recorded.digest == counted.digest && recorded.volatile_digest == counted.volatile_digest;
  if (!same_digests) fault(kFaultDigest, "another digest", "this one");
}

void RecordsCheck::CompareStates(const ThreadRecords& records, const CountedStates& states) {
  for (const auto& [number, record] : records.runs) {
    if (Deleted(record)) continue;
    const auto found = states.find(number);
    const format::StateDelta said = found == states.end() ? format::StateDelta() : found->second;
    if (record.state == said.state && record.status == said.status &&
        record.status_seq == said.status_seq) {
      continue;
    }
    faults_.Add(kFaultState, Family::kRuns,
                fmt::format("run \"{}\": recorded state {} \"{}\" of seq {}, its events say {} "
                            "\"{}\" of seq {}",
                            record.run_id, static_cast<unsigned>(record.state), record.status,
                            record.status_seq, static_cast<unsigned>(said.state), said.status,
                            said.status_seq),
                records.record.thread_id, record.status_seq);
  }
}

void RecordsCheck::Compare(const ThreadRecords& records, const CountedFigures& counted,
                           const CountedStates& states) {
  CountedFigures rest = counted;
  for (const auto& [run, record] : records.runs) {
    for (const format::OwnerSlice& slice : record.slices) {
      const auto found = rest.find({run, Raw(slice.owner)});
      CompareFigures(records, {run, Raw(slice.owner)}, slice.figures,
                     found == rest.end() ? Figures() : found->second);
      if (found != rest.end()) rest.erase(found);
    }
  }
  for (const auto& [whose, figures] : rest)
    CompareFigures(records, whose, {}, figures);
  CompareStates(records, states);
  CompareTotals(records, counted);
}

void RecordsCheck::CompareTotals(const ThreadRecords& records, const CountedFigures& counted) {
  const format::ThreadRecord& thread = records.record;
  Figures total;
  std::map<std::uint32_t, Figures> by_owner;
  for (const auto& [whose, figures] : counted) {
    total.Add(figures);
    by_owner[whose.second].Add(figures);
  }
  const bool same_totals = thread.events == total.events && thread.messages == total.messages &&
                           thread.bytes == total.bytes;
  if (!same_totals) {
    faults_.Add(kFaultCount, Family::kThreads,
                fmt::format("recorded {} events, {} messages, {} bytes, counted {}", thread.events,
                            thread.messages, thread.bytes, Counts(total)),
                thread.thread_id);
  } else if (total.events > 0 &&
             (thread.first_at_us != total.first_at_us || thread.last_at_us != total.last_at_us)) {
    faults_.Add(kFaultBounds, Family::kThreads,
                fmt::format("recorded times {}..{} us, counted {}", thread.first_at_us,
                            thread.last_at_us, Bounds(total)),
                thread.thread_id);
  }
  for (const auto& [number, owner] : records.owners) {
    const Figures& own = by_owner[number];
    if (owner.events == own.events && owner.messages == own.messages && owner.bytes == own.bytes) {
      continue;
    }
    faults_.Add(
        kFaultCount, Family::kOwners,
        fmt::format("owner number {}: recorded {} events, {} messages, {} bytes, counted {}",
                    number, owner.events, owner.messages, owner.bytes, Counts(own)),
        thread.thread_id);
  }
}

}  // namespace runlog::engine
