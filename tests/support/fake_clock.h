// A clock that stands where the test puts it.

#ifndef RUNLOG_TESTS_SUPPORT_FAKE_CLOCK_H_
#define RUNLOG_TESTS_SUPPORT_FAKE_CLOCK_H_

#include <atomic>
#include <cstdint>

#include <runlog/options.h>

namespace runlog::testing {

/// Concurrency: any worker.
class FakeClock final : public Clock {
 public:
  Timestamp Now() const override { return {now_.load()}; }
  void Set(Timestamp at) { now_.store(at.microseconds); }
  /// Backwards where `microseconds` is negative.
  void Move(std::int64_t microseconds) { now_.fetch_add(microseconds); }

 private:
  std::atomic<std::int64_t> now_{1'700'000'000'000'000};
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_SUPPORT_FAKE_CLOCK_H_
