#include "engine/notifier.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace runlog::engine {

Notifier::Notifier() : worker_([this] { Run(); }) {}

Notifier::~Notifier() {
  Stop();
}

void Notifier::Call(std::function<void()> call) {
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) {
      calls_.push_back(std::move(call));
      noted_.notify_one();
      return;
    }
  }
  call();
}

void Notifier::WakeThread(const ThreadCache::Pin& thread) {
  // A waker that joins after this look reads what was committed before it.
  if (!thread->watched.load() || thread->wake_queued.exchange(true)) return;
  ThreadCache::Pin pin = thread.Clone();
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) {
      threads_.push_back(std::move(pin));
      noted_.notify_one();
      return;
    }
  }
  WakeAll(*pin);
}

void Notifier::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    noted_.notify_one();
  }
  if (worker_.joinable()) worker_.join();
}

void Notifier::WakeAll(ThreadEntry& entry) {
  // Before the wakers are called: a commit that comes now must be noted anew.
  entry.wake_queued.store(false);
  std::vector<std::shared_ptr<Waker>> wakers;
  {
    const std::lock_guard lock(entry.mutex);
    std::erase_if(entry.wakers, [&](const std::weak_ptr<Waker>& weak) {
      std::shared_ptr<Waker> waker = weak.lock();
      if (waker == nullptr) return true;
      wakers.push_back(std::move(waker));
      return false;
    });
    entry.watched.store(!entry.wakers.empty());
  }
  for (const std::shared_ptr<Waker>& waker : wakers)
    waker->Wake();
}

void Notifier::CallAt(std::chrono::steady_clock::time_point time, std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  timed_.emplace(time, std::move(call));
  noted_.notify_one();
}

/// Moves the timed calls that are due to `calls`; all of them when stopping.
void Notifier::TakeTimedLocked(std::vector<std::function<void()>>& calls) {
  const auto end = stopping_ ? timed_.end() : timed_.upper_bound(std::chrono::steady_clock::now());
  for (auto due = timed_.begin(); due != end; ++due)
    calls.push_back(std::move(due->second));
  timed_.erase(timed_.begin(), end);
}

void Notifier::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto noted = [this] { return stopping_ || !calls_.empty() || !threads_.empty(); };
    if (timed_.empty()) {
      // A timed call that comes now notifies; it need not satisfy noted().
      if (!noted()) noted_.wait(lock);
    } else {
      noted_.wait_until(lock, timed_.begin()->first, noted);
    }
    std::vector<std::function<void()>> calls = std::move(calls_);
    std::vector<ThreadCache::Pin> threads = std::move(threads_);
    calls_.clear();
    threads_.clear();
    TakeTimedLocked(calls);
    if (calls.empty() && threads.empty()) {
      if (stopping_) return;
      continue;
    }
    lock.unlock();
    for (const std::function<void()>& call : calls)
      call();
    for (const ThreadCache::Pin& thread : threads)
      WakeAll(*thread);
    // What the notes held may be the last of its kind: let go of it outside the lock.
    calls.clear();
    threads.clear();
    lock.lock();
  }
}

}  // namespace runlog::engine
