// Counts the calls that are inside a store, so that closing it can wait for them and turn later
// ones away.

#ifndef RUNLOG_ENGINE_CALL_GATE_H_
#define RUNLOG_ENGINE_CALL_GATE_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace runlog::engine {

/// Concurrency: any worker.
class CallGate {
 public:
  /// One call. Inside while it lives, if it got in.
  class Call {
   public:
    explicit Call(CallGate& gate) : gate_(gate), inside_(gate.Enter()) {}
    ~Call() {
      if (inside_) gate_.Leave();
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    explicit operator bool() const { return inside_; }

   private:
    CallGate& gate_;
    const bool inside_;
  };

  /// Nobody gets in any more.
  void Shut() {
    const std::lock_guard lock(mutex_);
    shut_ = true;
  }
  /// Waits until nobody is inside. Requires: Shut, and that the caller is not inside.
  void WaitUntilEmpty() {
    std::unique_lock lock(mutex_);
    left_.wait(lock, [this] { return inside_ == 0; });
  }

 private:
  bool Enter() {
    const std::lock_guard lock(mutex_);
    if (shut_) return false;
    ++inside_;
    return true;
  }
  void Leave() {
    const std::lock_guard lock(mutex_);
    if (--inside_ == 0 && shut_) left_.notify_all();
  }

  std::mutex mutex_;  // guards the rest
  std::condition_variable left_;
  std::uint64_t inside_ = 0;
  bool shut_ = false;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_CALL_GATE_H_
