#include "engine/command.h"

#include <utility>

namespace runlog::engine {

bool Command::Finish(std::array<std::shared_ptr<Command>, 2> wakes) {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  if (sleeps_) wakes_ = std::move(wakes);
  return sleeps_;
}

void Command::Reset() {
  const std::lock_guard lock(mutex_);
  finished_ = false;
  verdict = Verdict::kPending;
}

bool Command::WaitUntil(Deadline deadline) {
  std::array<std::shared_ptr<Command>, 2> wakes;
  bool finished = false;
  {
    std::unique_lock lock(mutex_);
    sleeps_ = true;
    finished = done_.wait_until(lock, deadline, [this] { return finished_; });
    sleeps_ = false;
    wakes.swap(wakes_);
  }
  for (const std::shared_ptr<Command>& next : wakes) {
    if (next != nullptr) next->Wake();
  }
  return finished;
}

bool Command::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

SlotPins::~SlotPins() {
  if (entry_ == nullptr) return;
  const std::lock_guard lock(entry_->mutex);
  if (!idempotency_key_.empty()) {
    const auto slot = entry_->state.idempotency.find(idempotency_key_);
    if (--slot->second.pins == 0) entry_->state.idempotency.erase(slot);
  }
  if (singleton_) {
    const auto slot = entry_->state.singletons.find(*singleton_);
    if (--slot->second.pins == 0) entry_->state.singletons.erase(slot);
  }
}

void SlotPins::PinIdempotency(ThreadEntry& entry, std::string key) {
  entry_ = &entry;
  idempotency_key_ = std::move(key);
  const std::lock_guard lock(entry.mutex);
  ++entry.state.idempotency[idempotency_key_].pins;
}

void SlotPins::PinSingleton(ThreadEntry& entry, SingletonKey key) {
  entry_ = &entry;
  singleton_ = std::move(key);
  const std::lock_guard lock(entry.mutex);
  const auto [slot, inserted] = entry.state.singletons.try_emplace(*singleton_);
  if (inserted) slot->second.read_after = entry.state.assigned_mark;
  ++slot->second.pins;
}

}  // namespace runlog::engine
