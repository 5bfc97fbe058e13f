// The worker that calls back: asynchronous completions, tails whose thread moved, warnings. The
// commit path only leaves a note here.

#ifndef RUNLOG_ENGINE_NOTIFIER_H_
#define RUNLOG_ENGINE_NOTIFIER_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/thread_cache.h"

namespace runlog::engine {

class Notifier {
 public:
  Notifier();
  ~Notifier();  // as Stop

  /// Runs `call` soon.
  void Call(std::function<void()> call);

  /// Runs `call` at `time` or a little later; at once if the notifier stops first.
  void CallAt(std::chrono::steady_clock::time_point time, std::function<void()> call);

  /// Wakes the thread's wakers soon. Calls until then count as one.
  void WakeThread(const ThreadCache::Pin& thread);

  /// Runs what is noted, then ends the worker. Later notes run in their caller.
  void Stop();

 private:
  void Run();
  void TakeTimedLocked(std::vector<std::function<void()>>& calls);
  static void WakeAll(ThreadEntry& entry);

  std::mutex mutex_;  // guards the rest but worker_
  std::condition_variable noted_;
  std::vector<std::function<void()>> calls_;
  std::multimap<std::chrono::steady_clock::time_point, std::function<void()>> timed_;
  std::vector<ThreadCache::Pin> threads_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_NOTIFIER_H_
