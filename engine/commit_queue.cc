#include "engine/commit_queue.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace runlog::engine {
namespace {

/// A group is about this much; more would make the first of it wait for the last.
constexpr std::uint64_t kGroupBytes = std::uint64_t{1} << 20;
constexpr std::size_t kGroupCommandsMax = 4096;
/// A large command takes the time of several small ones: about 70 events of 700 bytes.
constexpr std::uint64_t kLargeBytes = std::uint64_t{64} << 10;

}  // namespace

Status CommitQueue::Push(std::shared_ptr<Command> command, Deadline deadline) {
  std::unique_lock lock(mutex_);
  const auto has_room = [&] {
    return closed_ || bytes_ == 0 || bytes_ + command->bytes <= capacity_bytes_;
  };
  ++waiting_for_room_;
  const bool room = room_.wait_until(lock, deadline, has_room);
  --waiting_for_room_;
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  if (!room) {
    return Status(StatusCode::kOverloaded,
                  fmt::format("the commit queue holds {} of {} bytes and had no room for {} before "
                              "the deadline; nothing was written",
                              bytes_, capacity_bytes_, command->bytes));
  }
  bytes_ += command->bytes;
  ThreadEntry* thread = command->thread ? &*command->thread : nullptr;
  // Behind a large one of its own thread even a small command waits in the large line.
  command->large = command->bytes > kLargeBytes || (thread != nullptr && thread->large_queued > 0);
  if (thread != nullptr) ++(command->large ? thread->large_queued : thread->small_queued);
  (command->large ? large_ : small_).push_back(std::move(command));
  return {};
}

std::shared_ptr<Command> CommitQueue::PopLocked(Line& line) {
  std::shared_ptr<Command> command = std::move(line.front());
  line.pop_front();
  bytes_ -= command->bytes;
  if (command->thread) {
    --(command->large ? command->thread->large_queued : command->thread->small_queued);
  }
  return command;
}

/// A large command must not overtake a small one of its own thread. New small ones of that thread
/// queue up behind it, so it waits for a bounded number. At the end nobody makes pauses.
bool CommitQueue::LargeMayGoLocked(LargePace::Moment now) const {
  if (large_.empty()) return false;
  if (large_.front()->thread && large_.front()->thread->small_queued > 0) return false;
  return closed_ || pace_.MayGo(now, !small_.empty());
}

std::vector<std::shared_ptr<Command>> CommitQueue::Take(LargePace::Moment now) {
  std::vector<std::shared_ptr<Command>> group;
  const std::lock_guard lock(mutex_);
  if (LargeMayGoLocked(now)) {
    pace_.LargeBegan(now);
    large_is_out_ = true;
    TakeLargeLocked(group);
  } else if (!small_.empty()) {
    TakeSmallLocked(group);
    pace_.SmallTaken(group.size());
  }
  if (waiting_for_room_ > 0 && !group.empty()) room_.notify_all();
  return group;
}

void CommitQueue::TakeSmallLocked(std::vector<std::shared_ptr<Command>>& group) {
  std::uint64_t taken = 0;
  while (!small_.empty() && taken < kGroupBytes && group.size() < kGroupCommandsMax) {
    // A delete goes alone: what it hides is what was committed before it.
    const bool is_delete = small_.front()->kind == Command::Kind::kDelete;
    if (is_delete && !group.empty()) break;
    taken += small_.front()->bytes;
    group.push_back(PopLocked(small_));
    if (is_delete) break;
  }
}

/// One, while small ones wait for it to end; else as many as a group holds, for one sync.
void CommitQueue::TakeLargeLocked(std::vector<std::shared_ptr<Command>>& group) {
  std::uint64_t taken = 0;
  while (!large_.empty()) {
    const Command& next = *large_.front();
    const bool is_delete = next.kind == Command::Kind::kDelete;
    if (!group.empty() && (is_delete || !small_.empty() || taken + next.bytes > kGroupBytes)) break;
    taken += next.bytes;
    group.push_back(PopLocked(large_));
    if (is_delete) break;
  }
}

void CommitQueue::Done(LargePace::Moment now) {
  const std::lock_guard lock(mutex_);
  if (!large_is_out_) return;
  large_is_out_ = false;
  pace_.LargeEnded(now, small_.size());
}

LargePace::Moment CommitQueue::NextAt(LargePace::Moment now) const {
  const std::lock_guard lock(mutex_);
  if (!small_.empty() || LargeMayGoLocked(now)) return now;
  return large_.empty() ? LargePace::Moment::max() : pace_.AskAgainAt(now);
}

bool CommitQueue::Withdraw(const Command& command) {
  const std::lock_guard lock(mutex_);
  Line& line = command.large ? large_ : small_;
  const auto place = std::find_if(line.begin(), line.end(),
                                  [&](const auto& queued) { return queued.get() == &command; });
  if (place == line.end()) return false;
  std::rotate(line.begin(), place, std::next(place));
  PopLocked(line);
  room_.notify_all();
  return true;
}

bool CommitQueue::empty() const {
  const std::lock_guard lock(mutex_);
  return small_.empty() && large_.empty();
}

std::uint64_t CommitQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::uint64_t CommitQueue::commands() const {
  const std::lock_guard lock(mutex_);
  return small_.size() + large_.size();
}

void CommitQueue::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
}

}  // namespace runlog::engine
