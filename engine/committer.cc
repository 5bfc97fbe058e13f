#include "engine/committer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/command_applier.h"
#include "engine/nonce.h"
#include "format/anchor.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;

/// Threads written back with one group, beyond twice its commands: lets a backlog shrink.
constexpr std::size_t kWritebackExtra = 16;
constexpr std::size_t kWritebackAtClose = 1024;

LargePace::Moment Now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

Committer::Committer(StoreCore& core, Notifier& notifier, const CommitterStart& start)
    : core_(core),
      notifier_(notifier),
      queue_(core.options.commit_queue_bytes),
      appends_(core, start.next_thread),
      deletes_(core),
      writeback_(core),
      next_commit_(start.next_commit),
      last_at_us_(start.last_at_us),
      nonce_state_(RandomSeed()),
      worker_([this] { Work(); }) {}

Committer::~Committer() {
  // Close() has stopped it and taken its status; this is for a store that was never closed.
  (void)Stop();
}

Status Committer::failure() const {
  if (!failed_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(mutex_);
  return failure_;
}

Status Committer::Submit(std::shared_ptr<Command> command, Deadline deadline) {
  if (Status s = failure(); !s.ok()) return s;
  if (Status s = queue_.Push(std::move(command), deadline); !s.ok()) {
    if (s.code() == StatusCode::kOverloaded) Bump(core_.counters.overloads);
    return s;
  }
  // The mutex orders this with the worker's look at the queue: it is either awake or sees the
  // command.
  const std::lock_guard lock(mutex_);
  work_.notify_one();
  return {};
}

Status Committer::Run(const std::shared_ptr<Command>& command, Deadline deadline) {
  if (Status s = failure(); !s.ok()) return s;
  if (Status s = queue_.Push(command, deadline); !s.ok()) {
    if (s.code() == StatusCode::kOverloaded) Bump(core_.counters.overloads);
    return s;
  }
  Lead(command.get());
  if (command->WaitUntil(deadline)) return {};
  if (queue_.Withdraw(*command)) {
    Bump(core_.counters.overloads);
    return Status(StatusCode::kOverloaded,
                  "the deadline came before the command's turn; nothing was written");
  }
  if (command->finished()) return {};
  return Status(StatusCode::kUnknown, "the deadline came while the command was being written");
}

/// Leads if nobody does: processes groups until `until_done` is finished, or nothing waits.
void Committer::Lead(const Command* until_done) {
  std::unique_lock lead(lead_, std::try_to_lock);
  if (!lead.owns_lock()) return;
  while (until_done == nullptr || !until_done->finished()) {
    const std::vector<std::shared_ptr<Command>> commands = queue_.Take(Now());
    if (commands.empty()) break;
    Process(commands);
  }
  lead.unlock();
  // A command that was pushed while this worker led found the lead taken and went to wait.
  if (until_done != nullptr && !queue_.empty()) {
    const std::lock_guard lock(mutex_);
    work_.notify_one();
  }
}

void Committer::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const LargePace::Moment now = Now();
    const LargePace::Moment next = queue_.NextAt(now);
    if (next > now) {
      if (stopping_ && queue_.empty()) return;
      // A leading caller may have emptied the queue since: that alone is no reason to go.
      if (next == LargePace::Moment::max()) {
        work_.wait(lock);
      } else {
        work_.wait_until(lock, next);
      }
      continue;
    }
    lock.unlock();
    {
      // Waits for a leading caller, who may finish the queue meanwhile.
      const std::lock_guard lead(lead_);
      for (auto commands = queue_.Take(Now()); !commands.empty(); commands = queue_.Take(Now())) {
        Process(commands);
      }
    }
    lock.lock();
  }
}

void Committer::Process(const std::vector<std::shared_ptr<Command>>& commands) {
  if (Status failed = failure(); !failed.ok()) {
    for (const std::shared_ptr<Command>& command : commands) {
      command->verdict = Verdict::kRefused;
      command->status = failed;
    }
    Answer(commands);
    queue_.Done(Now());
    return;
  }
  Build(commands);
  Status written;
  if (group_.batch.Count() > 0) {
    written = Write(group_.sync);
  }
  if (!written.ok()) {
    for (const std::shared_ptr<Command>& command : commands) {
      if (command->verdict == Verdict::kRefused || command->verdict == Verdict::kMissed) continue;
      command->verdict = Verdict::kUnknown;
      command->status = Status(StatusCode::kUnknown, std::string(written.message()));
    }
  } else {
    Apply();
    for (const std::shared_ptr<Command>& command : commands) {
      if (command->verdict == Verdict::kPending) command->verdict = Verdict::kCommitted;
    }
  }
  Answer(commands);
  queue_.Done(Now());
  group_.Clear();
}

void Committer::Build(const std::vector<std::shared_ptr<Command>>& commands) {
  group_.first_commit = next_commit_;
  writeback_.AddDue(next_commit_, 2 * commands.size() + kWritebackExtra, group_);
  for (const std::shared_ptr<Command>& command : commands) {
    const std::uint64_t commit = next_commit_ + group_.row.commands.size();
    switch (command->kind) {
      case Command::Kind::kAppend: {
        auto& append = static_cast<AppendCommand&>(*command);
        last_at_us_ = std::max(last_at_us_, append.at_us);
        appends_.Add(append, commit, last_at_us_, group_);
        if (append.verdict == Verdict::kPending) group_.row.commands.push_back(append.row);
        break;
      }
      case Command::Kind::kDelete: {
        auto& deletion = static_cast<DeleteCommand&>(*command);
        last_at_us_ = std::max(last_at_us_, deletion.at_us);
        deletes_.Add(deletion, commit, last_at_us_, group_);
        if (deletion.verdict == Verdict::kPending) group_.row.commands.push_back(deletion.row);
        break;
      }
      case Command::Kind::kPurge:
        AddPurge(static_cast<const PurgeCommand&>(*command));
        break;
    }
  }
  if (!group_.row.commands.empty()) AddCommitRow();
}

void Committer::AddPurge(const PurgeCommand& purge) {
  for (const PurgeCommand::Change& change : purge.changes) {
    rocksdb::ColumnFamilyHandle* family = core_.rocks->family(change.family);
    if (change.value) {
      group_.batch.Put(family, change.key, *change.value).PermitUncheckedError();
    } else {
      group_.batch.Delete(family, change.key).PermitUncheckedError();
    }
  }
  if (!purge.finishes) return;
  // Here, in the one order, no delete can raise the range between the look and the write. An ended
  // thread's is never raised.
  const HiddenRange& range = *purge.finishes;
  if (range.key.scope != format::HiddenScope::kThread && !core_.hidden.Contains(range)) return;
  const format::HiddenKeyBytes key = format::Encode(range.key);
  group_.batch.Delete(core_.rocks->family(Family::kHidden), rocksdb::Slice(key.data(), key.size()))
      .PermitUncheckedError();
  group_.finished.push_back(range);
}

void Committer::AddCommitRow() {
  group_.row.nonce = NextNonce(nonce_state_);
  group_.row.replay_from = writeback_.ReplayFrom(group_.first_commit);
  next_commit_ += group_.row.commands.size();
  const format::CommitKeyBytes key = format::CommitKey(next_commit_ - 1);
  const std::string value = format::Encode(group_.row);
  group_.batch
      .Put(core_.rocks->family(Family::kCommits), rocksdb::Slice(key.data(), key.size()),
           rocksdb::Slice(value))
      .PermitUncheckedError();
}

/// The last entry of the batch: what the store says of itself in the log. FORMAT.md, "A mark".
void Committer::AddMark() {
  const std::string mark = format::Encode(
      format::WalMark{core_.store_tag, next_commit_ - 1, core_.durable.Latest().sequence});
  group_.batch.PutLogData(mark).PermitUncheckedError();
}

Status Committer::Write(bool sync) {
  AddMark();
  rocksdb::WriteOptions options;
  options.sync = sync;
  const auto start = std::chrono::steady_clock::now();
  const rocksdb::Status written = core_.rocks->db().Write(options, &group_.batch);
  const auto taken = std::chrono::steady_clock::now() - start;
  core_.counters.write_latency.Add(taken);
  if (taken > core_.options.warn.commit_time) {
    Warn(fmt::format("writing commit {} took {} ms", group_.first_commit,
                     std::chrono::duration_cast<std::chrono::milliseconds>(taken).count()));
  }
  if (written.ok()) {
    // A sync covers what was written before it too. Nobody else writes, so the number is ours.
    if (sync) {
      core_.durable.Publish({next_commit_ - 1, core_.rocks->db().GetLatestSequenceNumber()});
    }
    return {};
  }

  const Status cause = FromRocks(written, fmt::format("writing commit {}", group_.first_commit));
  const std::lock_guard lock(mutex_);
  failure_ = Status(StatusCode::kReadOnly,
                    fmt::format("an earlier write failed, so its outcome is unknown; reopen the "
                                "store. The first cause: {}",
                                cause.ToString()));
  failed_.store(true, std::memory_order_release);
  return cause;
}

void Committer::Apply() {
  writeback_.Written();
  for (AppendCommand* append : group_.appends) {
    // It shares the group's sync: the level it really has.
    if (group_.sync) append->receipt.durability = Durability::kSync;
    // Only the committer changes first_dirty_commit, so it may look without the entry's mutex.
    if (append->thread->state.first_dirty_commit == 0) {
      writeback_.MarkDirty(append->thread.Clone(), append->commit);
    }
    ApplyAppend(*append);
    WarnOver(*append);
    Bump(core_.counters.events, append->receipt.count);
  }
  if (group_.deletion != nullptr) ApplyDeletion(*group_.deletion);
  for (const HiddenRange& range : group_.finished)
    core_.hidden.Remove(range);
  if (!group_.row.commands.empty()) {
    core_.last_commit.store(next_commit_ - 1, std::memory_order_release);
  }
  for (const AppendCommand* append : group_.appends)
    notifier_.WakeThread(append->thread);
  if (group_.deletion != nullptr) notifier_.WakeThread(group_.deletion->thread);

  Bump(core_.counters.groups);
  if (group_.sync) Bump(core_.counters.syncs);
  Bump(core_.counters.appends, group_.appends.size());
  const std::uint64_t most = core_.counters.group_commands_max.load(std::memory_order_relaxed);
  core_.counters.group_commands_max.store(std::max<std::uint64_t>(most, group_.row.commands.size()),
                                          std::memory_order_relaxed);
}

void Committer::ApplyDeletion(const DeleteCommand& deletion) {
  if (deletion.receipt.incarnation_ended) {
    deletion.thread->visible_seq.store(0, std::memory_order_release);
  }
  Bump(core_.counters.deletes);
  Bump(core_.counters.events_deleted, deletion.receipt.deleted);
  if (on_hidden_) on_hidden_(deletion.hides);
}

/// Waking a caller costs more than writing its events, so the committer wakes two and each of them
/// two more: the first half of the commands wake nobody, the others two that came before them.
void Committer::Answer(const std::vector<std::shared_ptr<Command>>& commands) {
  std::vector<std::shared_ptr<Command>> to_wake;
  std::size_t handed_on = 0;  // the first of to_wake, which others wake
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::shared_ptr<Command>& command = commands[i];
    if (command->on_done) {
      // Moved out first: the call may queue the command again, with another call.
      command->Finish({});
      notifier_.Call([command] { std::exchange(command->on_done, nullptr)(); });
      continue;
    }
    std::array<std::shared_ptr<Command>, 2> wakes;
    const bool has_two = 2 * i >= commands.size() && to_wake.size() >= handed_on + 2;
    if (has_two) wakes = {to_wake[handed_on], to_wake[handed_on + 1]};
    if (!command->Finish(std::move(wakes))) continue;  // its caller leads, or has not slept yet
    if (has_two) handed_on += 2;
    to_wake.push_back(command);
  }
  for (; handed_on < to_wake.size(); ++handed_on)
    to_wake[handed_on]->Wake();
}

void Committer::Warn(std::string sentence) {
  Bump(core_.counters.warnings);
  if (!core_.options.on_warning) return;
  notifier_.Call([this, sentence = std::move(sentence)] { core_.options.on_warning(sentence); });
}

/// Warns once, when a threshold is crossed. Only the committer changes these figures, so it may
/// read them without the entry's mutex.
void Committer::WarnOver(const AppendCommand& command) {
  const WarningThresholds& warn = core_.options.warn;
  std::uint64_t bytes_added = 0;
  for (std::size_t i = 0; i < command.row.slices.size(); ++i) {
    const format::RunRecord& run = command.slice_runs[i]->record;
    std::uint64_t events = 0;
    for (const format::OwnerSlice& slice : run.slices)
      events += slice.figures.events;
    const std::uint64_t added = command.row.slices[i].figures.events;
    bytes_added += command.row.slices[i].figures.bytes;
    if (events >= warn.run_events && events - added < warn.run_events) {
      Warn(fmt::format("run {} of thread {} has {} events", run.run_id, command.thread->thread_id,
                       events));
    }
  }
  const std::uint64_t bytes = command.thread->state.record.bytes;
  if (bytes >= warn.thread_bytes && bytes - bytes_added < warn.thread_bytes) {
    Warn(fmt::format("thread {} has {} bytes of events", command.thread->thread_id, bytes));
  }
}

Status Committer::Stop() {
  const std::lock_guard one(stop_mutex_);
  if (stopped_) return failure();
  stopped_ = true;
  queue_.Close();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    work_.notify_one();
  }
  worker_.join();
  const std::lock_guard lead(lead_);
  if (Status s = failure(); !s.ok()) return s;
  return WriteBackEverything();
}

/// Leaves every record on disk as new as the last commit, so that the next open replays nothing.
Status Committer::WriteBackEverything() {
  group_.Clear();
  while (writeback_.AddOldest(kWritebackAtClose, group_)) {
    if (Status s = Write(/*sync=*/false); !s.ok()) return s;
    writeback_.Written();
    group_.Clear();
  }
  group_.batch
      .Put(core_.rocks->family(Family::kMeta),
           rocksdb::Slice(format::kMetaReplayFloor.data(), format::kMetaReplayFloor.size()),
           format::EncodeU64(next_commit_))
      .PermitUncheckedError();
  // What was reserved and not given out is free again.
  group_.batch
      .Put(core_.rocks->family(Family::kMeta),
           rocksdb::Slice(format::kMetaNextThread.data(), format::kMetaNextThread.size()),
           format::EncodeU64(appends_.next_thread()))
      .PermitUncheckedError();
  Status synced = Write(/*sync=*/true);
  group_.Clear();
  return synced;
}

}  // namespace runlog::engine
