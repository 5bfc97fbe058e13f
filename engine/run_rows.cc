#include "engine/run_rows.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "format/keys.h"

namespace runlog::engine {

RunRecords CopyRunsLocked(const ThreadState& state) {
  RunRecords records;
  for (const auto& [run_id, run] : state.runs) {
    if (run.run != format::RunNumber::kNone) records.emplace(format::Raw(run.run), run.record);
  }
  return records;
}

RunRows::RunRows(const Rocks& rocks)
    : iterator_(rocks.db().NewIterator(Rocks::Reading(), rocks.family(format::Family::kRuns))) {}

void RunRows::Start(format::ThreadNumber thread) {
  thread_ = thread;
  at_first_ = true;
  // The scan mostly stands there already: the last thread's runs end where the next one's begin.
  if (iterator_->Valid()) {
    const auto key = format::DecodeRunRecordKey(iterator_->key().ToStringView());
    if (key && key->thread == thread && run_ == format::RunNumber::kNone) return;
  }
  iterator_->Seek(format::RunRecordPrefix(thread));
}

Result<bool> RunRows::Next(const RunRecords& in_memory) {
  if (!at_first_ && iterator_->Valid()) iterator_->Next();
  at_first_ = false;
  run_ = format::RunNumber::kNone;
  if (!iterator_->Valid()) {
    if (iterator_->status().ok()) return false;
    return FromRocks(iterator_->status(), "reading runs");
  }
  const auto key = format::DecodeRunRecordKey(iterator_->key().ToStringView());
  // Records are the last kind of row in the family: behind them nothing else comes.
  if (!key) return Status(StatusCode::kCorruption, "runs: a key that is none");
  if (key->thread != thread_) return false;
  Result<format::RunRecord> record = format::DecodeRunRecord(iterator_->value().ToStringView());
  if (!record.ok()) {
    return Status(StatusCode::kCorruption,
                  fmt::format("runs: run number {} of thread number {}: {}", format::Raw(key->run),
                              format::Raw(thread_), record.status().message()));
  }
  run_ = key->run;
  const auto newer = in_memory.find(format::Raw(run_));
  const bool use_memory = newer != in_memory.end() && newer->second.as_of >= record->as_of;
  record_ = use_memory ? newer->second : *std::move(record);
  return true;
}

}  // namespace runlog::engine
