// Evaluates deletes in commit order and adds them to a group: a hidden row, and the corrected
// records. Runs in the committer; reads no disk; costs runs, never events.

#ifndef RUNLOG_ENGINE_DELETE_BUILDER_H_
#define RUNLOG_ENGINE_DELETE_BUILDER_H_

#include <cstdint>
#include <unordered_map>

#include "engine/command.h"
#include "engine/store_core.h"
#include "engine/write_group.h"

namespace runlog::engine {

/// Concurrency: the committer alone. A delete is alone in its group, so what is applied is all
/// there is.
class DeleteBuilder {
 public:
  explicit DeleteBuilder(StoreCore& core) : core_(core) {}

  /// Sets the command's verdict, or leaves it kPending and adds it to `group` as commit number
  /// `commit`. With kPending the entry's state is already what the delete makes of it: a failed
  /// write stops the store.
  void Add(DeleteCommand& command, std::uint64_t commit, std::int64_t at_us, WriteGroup& group);

 private:
  /// Per owner number what a delete takes.
  using Removed = std::unordered_map<std::uint32_t, format::Figures>;

  Verdict Evaluate(DeleteCommand& command, ThreadState& state, format::OwnerNumber& owner) const;
  Verdict EvaluateRun(DeleteCommand& command, const ThreadState& state, const std::string& run_id,
                      const RunEntry& run, format::OwnerNumber owner, Removed& removed) const;
  static void Describe(DeleteCommand& command, const ThreadState& state, format::OwnerNumber owner,
                       std::int64_t at_us);
  void RemoveFromRun(const DeleteCommand& command, ThreadState& state, RunEntry& run,
                     format::OwnerNumber owner, WriteGroup& group) const;
  void RemoveFromOwners(const DeleteCommand& command, ThreadState& state, const Removed& removed,
                        WriteGroup& group) const;
  void CorrectThread(const DeleteCommand& command, ThreadState& state, const Removed& removed,
                     WriteGroup& group) const;
  void EndIncarnation(DeleteCommand& command, ThreadState& state, WriteGroup& group) const;

  StoreCore& core_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_DELETE_BUILDER_H_
