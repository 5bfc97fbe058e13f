// The bounded line in front of the committer. Small and large commands wait apart, and large ones
// make pauses for small ones; two commands of one thread keep their order.

#ifndef RUNLOG_ENGINE_COMMIT_QUEUE_H_
#define RUNLOG_ENGINE_COMMIT_QUEUE_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include <runlog/status.h>

#include "engine/command.h"
#include "engine/large_pace.h"

namespace runlog::engine {

class CommitQueue {
 public:
  explicit CommitQueue(std::uint64_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

  /// Gives the command a place, waiting for room until `deadline`. A command larger than the whole
  /// queue is let in when the queue is empty. Errors: kOverloaded at the deadline; kClosed.
  Status Push(std::shared_ptr<Command> command, Deadline deadline);

  /// Takes the next group: small commands up to about 1 MiB, or large ones, or one delete. Empty
  /// when nothing may go now. Requires: Done was called for the group before.
  std::vector<std::shared_ptr<Command>> Take(LargePace::Moment now);

  /// The group taken last has been written or refused. It is not given back: a command that has
  /// been answered is its caller's, who may be queueing it again.
  void Done(LargePace::Moment now);

  /// When Take gives a group, as far as is known: now, later for a large command that makes a
  /// pause, never (time_point::max()) when nothing waits.
  LargePace::Moment NextAt(LargePace::Moment now) const;

  /// Takes back a command that no group has taken yet. False: it is under way or done.
  bool Withdraw(const Command& command);

  bool empty() const;
  std::uint64_t bytes() const;
  std::uint64_t commands() const;

  /// Push answers kClosed from now on. What waits stays.
  void Close();

 private:
  using Line = std::deque<std::shared_ptr<Command>>;
  std::shared_ptr<Command> PopLocked(Line& line);
  bool LargeMayGoLocked(LargePace::Moment now) const;
  void TakeSmallLocked(std::vector<std::shared_ptr<Command>>& group);
  void TakeLargeLocked(std::vector<std::shared_ptr<Command>>& group);

  const std::uint64_t capacity_bytes_;
  mutable std::mutex mutex_;  // guards the rest
  std::condition_variable room_;
  Line small_;
  Line large_;
  std::uint64_t bytes_ = 0;
  std::uint64_t waiting_for_room_ = 0;
  LargePace pace_;
  bool large_is_out_ = false;  // between Take and Done
  bool closed_ = false;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_COMMIT_QUEUE_H_
