// Workers that start together, so that what they do overlaps.

#ifndef RUNLOG_TESTS_SUPPORT_WORKERS_H_
#define RUNLOG_TESTS_SUPPORT_WORKERS_H_

#include <cstddef>
#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace runlog::testing {

/// Joined by Join or at the end of life.
class Workers {
 public:
  /// Calls `work(i)` on `count` workers of their own, none before all are there.
  Workers(std::size_t count, std::function<void(std::size_t)> work)
      : gate_(std::make_unique<std::latch>(static_cast<std::ptrdiff_t>(count))) {
    for (std::size_t i = 0; i < count; ++i) {
      workers_.emplace_back([gate = gate_.get(), work, i] {
        gate->arrive_and_wait();
        work(i);
      });
    }
  }

  void Join() { workers_.clear(); }

 private:
  std::unique_ptr<std::latch> gate_;
  std::vector<std::jthread> workers_;
};

/// Waits until all are done.
inline void InParallel(std::size_t count, std::function<void(std::size_t)> work) {
  Workers(count, std::move(work)).Join();
}

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_SUPPORT_WORKERS_H_
