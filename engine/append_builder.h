// Evaluates appends in commit order: answers them, or assigns their numbers and adds them to a
// group. Runs in the committer; reads no disk.

#ifndef RUNLOG_ENGINE_APPEND_BUILDER_H_
#define RUNLOG_ENGINE_APPEND_BUILDER_H_

#include <cstdint>

#include "engine/command.h"
#include "engine/rocks.h"
#include "engine/store_core.h"
#include "engine/write_group.h"
#include "index/index_writer.h"

namespace runlog::engine {

/// Concurrency: the committer alone.
class AppendBuilder {
 public:
  /// `next_thread` is above every thread number ever given out.
  AppendBuilder(StoreCore& core, std::uint64_t next_thread);

  /// Above every thread number given out so far.
  std::uint64_t next_thread() const { return next_thread_; }

  /// Sets the command's verdict, or leaves it kPending and adds it to `group` as commit number
  /// `commit`.
  void Add(AppendCommand& command, std::uint64_t commit, std::int64_t at_us, WriteGroup& group);

 private:
  struct Assigning;

  Verdict Evaluate(AppendCommand& command, ThreadState& state) const;
  Verdict EvaluateConditions(AppendCommand& command, const ThreadState& state) const;
  bool PinsAreCurrent(const AppendCommand& command, const ThreadState& state) const;
  void StartThread(ThreadEntry& entry, std::uint64_t commit, WriteGroup& group);
  RunEntry& StartRun(ThreadState& state, RunEntry& run, std::string_view run_id,
                     std::uint64_t commit, WriteGroup& group) const;
  void StartOwner(ThreadState& state, OwnerEntry& owner, std::string_view user_id,
                  std::uint64_t commit, WriteGroup& group) const;
  void AddEvent(const format::EncodedEvent& event, std::uint64_t seq, Assigning& assigning);
  void SelectRunAndOwner(const format::EncodedEvent& event, Assigning& assigning) const;
  void PutEvent(const format::EventHeader& header, const format::EventKey& key,
                std::string_view body, const Assigning& assigning) const;
  void AddIdempotency(AppendCommand& command, ThreadState& state, const std::string& thread_id,
                      std::int64_t at_us, WriteGroup& group) const;

  StoreCore& core_;
  index::IndexWriter index_writer_;
  std::uint64_t next_thread_;
  std::uint64_t reserved_threads_;  // numbers below this are reserved in `meta`
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_APPEND_BUILDER_H_
