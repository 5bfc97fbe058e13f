// The one order of the store: takes commands from the queue, writes them in groups, makes them
// visible and answers. ARCHITECTURE.md, "Life of an append".

#ifndef RUNLOG_ENGINE_COMMITTER_H_
#define RUNLOG_ENGINE_COMMITTER_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <runlog/status.h>

#include "engine/append_builder.h"
#include "engine/commit_queue.h"
#include "engine/delete_builder.h"
#include "engine/notifier.h"
#include "engine/record_writeback.h"
#include "engine/store_core.h"
#include "engine/write_group.h"

namespace runlog::engine {

/// Where numbering goes on when a store is opened.
struct CommitterStart {
  std::uint64_t next_commit = 1;
  std::uint64_t next_thread = 1;
  std::int64_t last_at_us = 0;
};

class Committer {
 public:
  Committer(StoreCore& core, Notifier& notifier, const CommitterStart& start);
  ~Committer();

  /// Queues `command` and waits for its verdict. The verdict is kPending where the deadline came
  /// first: the Status then is kOverloaded (nothing was written) or kUnknown (it was under way).
  Status Run(const std::shared_ptr<Command>& command, Deadline deadline);

  /// Queues `command`; its on_done is called when it has its verdict.
  Status Submit(std::shared_ptr<Command> command, Deadline deadline);

  /// Called with the range of each committed delete, from the committer; must not block.
  void OnHidden(std::function<void(const HiddenRange&)> on_hidden) {
    on_hidden_ = std::move(on_hidden);
  }

  /// Takes over a thread whose records are newer than the disk's: what Replay found.
  void AdoptDirty(ThreadCache::Pin thread, std::uint64_t since) {
    writeback_.MarkDirty(std::move(thread), since);
  }

  /// Queues nothing more: kClosed.
  void StopAdmitting() { queue_.Close(); }

  /// Lets what is queued finish, then stops; writes every record back and syncs. Idempotent.
  Status Stop();

  /// The first failed write, or OK.
  Status failure() const;
  const CommitQueue& queue() const { return queue_; }

 private:
  void Work();
  void Lead(const Command* until_done);
  void Process(const std::vector<std::shared_ptr<Command>>& commands);
  void Build(const std::vector<std::shared_ptr<Command>>& commands);
  void AddPurge(const PurgeCommand& purge);
  void AddCommitRow();
  void AddMark();
  Status Write(bool sync);
  void Apply();
  void ApplyDeletion(const DeleteCommand& deletion);
  void Answer(const std::vector<std::shared_ptr<Command>>& commands);
  void Warn(std::string sentence);
  void WarnOver(const AppendCommand& command);
  Status WriteBackEverything();

  StoreCore& core_;
  Notifier& notifier_;
  CommitQueue queue_;
  std::function<void(const HiddenRange&)> on_hidden_;

  // Held by whoever leads; guards the next block.
  std::mutex lead_;
  AppendBuilder appends_;
  DeleteBuilder deletes_;
  RecordWriteback writeback_;
  WriteGroup group_;
  std::uint64_t next_commit_;
  std::int64_t last_at_us_;
  std::uint64_t nonce_state_;

  mutable std::mutex mutex_;  // guards the next block
  std::condition_variable work_;
  bool stopping_ = false;
  Status failure_;

  std::atomic<bool> failed_{false};
  std::mutex stop_mutex_;  // one Stop at a time
  bool stopped_ = false;
  std::thread worker_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_COMMITTER_H_
