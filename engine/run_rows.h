// A thread's runs: the rows on disk, each replaced by the record in memory where that is newer.

#ifndef RUNLOG_ENGINE_RUN_ROWS_H_
#define RUNLOG_ENGINE_RUN_ROWS_H_

#include <cstdint>
#include <memory>
#include <unordered_map>

#include <rocksdb/iterator.h>

#include <runlog/status.h>

#include "engine/rocks.h"
#include "engine/thread_entry.h"
#include "format/numbers.h"
#include "format/records.h"

namespace runlog::engine {

/// Records of runs that an entry holds, by R.
using RunRecords = std::unordered_map<std::uint32_t, format::RunRecord>;

/// Copies the records of the runs that `state` holds. The entry's mutex is held.
RunRecords CopyRunsLocked(const ThreadState& state);

/// Steps over runs in the order of T and R; one scan serves many threads.
/// Concurrency: one caller at a time.
class RunRows {
 public:
  /// Reads what is on disk now. Take the records in memory before: a record that left memory since
  /// is on disk.
  explicit RunRows(const Rocks& rocks);

  /// Goes to a thread's first run. Cheap where its T is above the last one.
  void Start(format::ThreadNumber thread);
  /// Steps to the thread's next run. Errors: kCorruption, kIoError.
  Result<bool> Next(const RunRecords& in_memory);
  format::RunNumber run() const { return run_; }
  const format::RunRecord& record() const { return record_; }

 private:
  std::unique_ptr<rocksdb::Iterator> iterator_;
  format::ThreadNumber thread_{};
  bool at_first_ = false;
  format::RunNumber run_{};
  format::RunRecord record_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_RUN_ROWS_H_
