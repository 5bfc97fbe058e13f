// Puts changed records of threads on disk, a while after they changed: FORMAT.md, "Written back,
// rebuilt from commits".

#ifndef RUNLOG_ENGINE_RECORD_WRITEBACK_H_
#define RUNLOG_ENGINE_RECORD_WRITEBACK_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/store_core.h"
#include "engine/write_group.h"

namespace runlog::engine {

/// Concurrency: the committer alone.
class RecordWriteback {
 public:
  explicit RecordWriteback(StoreCore& core);

  /// `thread` was changed by `commit` and was clean before. Keeps the entry in the cache.
  void MarkDirty(ThreadCache::Pin thread, std::uint64_t commit);

  /// Adds the records whose turn has come to `group`: those dirty for 4 096 commits, and more when
  /// too many threads are dirty. To be called before the group's own commands are added.
  void AddDue(std::uint64_t next_commit, std::size_t records_max, WriteGroup& group);
  /// Adds the oldest `threads_max`, whatever their age. Returns whether there were any.
  bool AddOldest(std::size_t threads_max, WriteGroup& group);
  /// The group was written: its records are clean.
  void Written();

  /// Every record on disk, once `group` is written, includes all commits before this one.
  std::uint64_t ReplayFrom(std::uint64_t next_commit) const;

 private:
  struct DirtyThread {
    ThreadCache::Pin thread;
    std::uint64_t since = 0;
  };
  void Add(DirtyThread dirty, WriteGroup& group);

  StoreCore& core_;
  const std::size_t dirty_threads_max_;
  std::deque<DirtyThread> dirty_;  // ascending `since`
  std::vector<DirtyThread> writing_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_RECORD_WRITEBACK_H_
