#include "engine/record_writeback.h"

#include <algorithm>
#include <utility>

#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;

/// A longer window saves writes of busy threads and makes opening after a crash slower.
constexpr std::uint64_t kWindowCommits = 4096;

/// What one dirty thread roughly takes of the cache; half the cache may be dirty.
constexpr std::uint64_t kDirtyThreadBytes = 1400;

rocksdb::Slice SliceOf(const std::string& text) {
  return {text.data(), text.size()};
}

}  // namespace

RecordWriteback::RecordWriteback(StoreCore& core)
    : core_(core),
      dirty_threads_max_(
          std::max<std::uint64_t>(16, core.options.thread_cache_bytes / 2 / kDirtyThreadBytes)) {}

void RecordWriteback::MarkDirty(ThreadCache::Pin thread, std::uint64_t commit) {
  dirty_.push_back({std::move(thread), commit});
}

void RecordWriteback::AddDue(std::uint64_t next_commit, std::size_t records_max,
                             WriteGroup& group) {
  for (std::size_t added = 0; added < records_max && !dirty_.empty(); ++added) {
    const bool old = dirty_.front().since + kWindowCommits <= next_commit;
    if (!old && dirty_.size() <= dirty_threads_max_) return;
    AddOldest(1, group);
  }
}

bool RecordWriteback::AddOldest(std::size_t threads_max, WriteGroup& group) {
  bool added = false;
  for (std::size_t i = 0; i < threads_max && !dirty_.empty(); ++i) {
    DirtyThread oldest = std::move(dirty_.front());
    dirty_.pop_front();
    Add(std::move(oldest), group);
    added = true;
  }
  return added;
}

void RecordWriteback::Add(DirtyThread dirty, WriteGroup& group) {
  {
    ThreadEntry& entry = *dirty.thread;
    const std::lock_guard lock(entry.mutex);
    ThreadState& state = entry.state;
    const std::uint64_t as_of = state.applied_commit;
    if (state.thread != format::ThreadNumber::kNone) {
      state.record.as_of = as_of;
      state.record.next_run = state.next_run;
      state.record.next_owner = state.next_owner;
      group.batch
          .Put(core_.rocks->family(Family::kThreads),
               SliceOf(format::ThreadRecordKey(state.thread)),
               SliceOf(format::Encode(state.record)))
          .PermitUncheckedError();
      for (auto& [run_id, run] : state.runs) {
        if (!run.dirty) continue;
        run.record.as_of = as_of;
        group.batch
            .Put(core_.rocks->family(Family::kRuns),
                 SliceOf(format::RunRecordKey(state.thread, run.run)),
                 SliceOf(format::Encode(run.record)))
            .PermitUncheckedError();
      }
      for (auto& [user_id, owner] : state.owners) {
        if (!owner.dirty) continue;
        owner.record.as_of = as_of;
        group.batch
            .Put(core_.rocks->family(Family::kOwners),
                 SliceOf(format::OwnerNameKey(state.thread, user_id)),
                 SliceOf(format::Encode(owner.record)))
            .PermitUncheckedError();
      }
    }
  }
  writing_.push_back(std::move(dirty));
}

void RecordWriteback::Written() {
  Bump(core_.counters.records_written_back, writing_.size());
  for (DirtyThread& dirty : writing_) {
    ThreadState& state = dirty.thread->state;
    const std::lock_guard lock(dirty.thread->mutex);
    for (auto& [run_id, run] : state.runs)
      run.dirty = false;
    for (auto& [user_id, owner] : state.owners)
      owner.dirty = false;
    state.first_dirty_commit = 0;
  }
  writing_.clear();
}

std::uint64_t RecordWriteback::ReplayFrom(std::uint64_t next_commit) const {
  return dirty_.empty() ? next_commit : dirty_.front().since;
}

}  // namespace runlog::engine
