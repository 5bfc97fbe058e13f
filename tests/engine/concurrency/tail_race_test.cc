// Tails that are attached while a writer writes see every event behind their cursor exactly once,
// in order: replay and live reading have no seam.
//
// RUNLOG_SEEDS: how many races.

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seeded_random.h"
#include "tests/support/store_test.h"
#include "tests/support/tier.h"
#include "tests/support/workers.h"

namespace runlog::testing {
namespace {

using std::chrono::seconds;

class TailRaceTest : public StoreTest {
 protected:
  /// Reads until seq `last`; empty, and a failed test, where that does not come.
  Seqs ReadTo(Tail& tail, std::uint64_t last, std::size_t limit) {
    Seqs seqs;
    while (tail.cursor() < last) {
      const Result<TailBatch> batch = tail.Next(seconds(60), limit);
      EXPECT_OK(batch);
      if (!batch.ok() || batch->empty()) return {};
      for (const TailItem& item : batch->items()) {
        if (item.kind == TailItemKind::kEvent) seqs.push_back(item.event.seq());
        EXPECT_NE(item.kind, TailItemKind::kHole);
        EXPECT_NE(item.kind, TailItemKind::kReset);
      }
    }
    return seqs;
  }
};

// AFK case 17.
TEST_F(TailRaceTest, EveryEventBehindTheCursorComesOnceAndInOrder) {
  Open();
  const std::uint64_t seeds =
      AmountFrom("RUNLOG_SEEDS", {.short_tier = 1000, .nightly = 5000, .release = 20'000});
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string thread_id = "t" + std::to_string(seed);
    const std::uint64_t last = 5 + seed % 40;
    InParallel(3, [&](std::size_t worker) {
      SeededRandom random(seed * 3 + worker);
      if (worker == 0) {
        for (std::uint64_t seq = 0; seq < last;) {
          const std::uint64_t count = std::min(random.Between(1, 5), last - seq);
          seq = Append(thread_id, Times(count, Draft())).last_seq;
        }
        return;
      }
      const std::uint64_t after = random.Below(4);
      // A cursor that was never given out belongs to no life of the thread: wait until it was.
      while (Value(reader().ThreadEvents(thread_id, {.limit = 0})).high_water() < after)
        std::this_thread::yield();
      Tail tail = OpenTail({.thread_id = thread_id, .after_seq = after});
      EXPECT_EQ(ReadTo(tail, last, random.Between(1, 7)), Range(after + 1, last));
    });
  }
}

TEST_F(TailRaceTest, ManyTailsOnFewWorkersAllSeeEverything) {
  Open();
  constexpr std::size_t kTails = 500;
  constexpr std::uint64_t kLast = 50;
  std::vector<Tail> tails;
  for (std::size_t i = 0; i < kTails; ++i)
    tails.push_back(OpenTail({.thread_id = "t" + std::to_string(i % 7), .after_seq = 0}));
  InParallel(3, [&](std::size_t worker) {
    if (worker == 0) {
      for (std::uint64_t seq = 1; seq <= kLast; ++seq) {
        for (int thread = 0; thread < 7; ++thread)
          Append("t" + std::to_string(thread), Draft());
      }
      return;
    }
    for (std::size_t i = worker - 1; i < kTails; i += 2)
      EXPECT_EQ(ReadTo(tails[i], kLast, 500), Range(1, kLast)) << "tail " << i;
  });
  EXPECT_EQ(store().GetStats().tails, kTails);
  tails.clear();
  EXPECT_EQ(store().GetStats().tails, 0U);
}

TEST_F(TailRaceTest, OnReadyCallsOnceForEachWaitThatHasSomething) {
  Open();
  constexpr std::uint64_t kLast = 200;
  Tail tail = OpenTail({.thread_id = "t", .after_seq = 0});
  std::atomic<std::uint64_t> next{1};
  std::atomic<bool> done{false};
  std::function<void()> ready = [&] {
    // The notifier's worker reads here only because the test has no worker to hand it to.
    const Result<TailBatch> batch = tail.TryNext();
    if (!batch.ok()) return;
    for (const TailItem& item : batch->items()) {
      if (item.kind != TailItemKind::kEvent) continue;
      EXPECT_EQ(item.event.seq(), next++);
    }
    if (next > kLast) {
      done = true;
      done.notify_all();
    } else {
      tail.OnReady(ready);
    }
  };
  tail.OnReady(ready);
  for (std::uint64_t seq = 1; seq <= kLast; ++seq)
    Append("t", Draft());
  done.wait(false);
  EXPECT_EQ(next.load(), kLast + 1);
}

TEST_F(TailRaceTest, CancelWakesAWaitingReaderAtOnce) {
  Open();
  Append("t", Draft());
  for (int round = 0; round < 30; ++round) {
    Tail tail = OpenTail({.thread_id = "t"});
    EXPECT_EQ(Drain(tail), "caught_up");
    InParallel(2, [&](std::size_t worker) {
      if (worker == 0) return tail.Cancel();
      EXPECT_THAT(tail.Next(seconds(600)), FailsWith(StatusCode::kClosed));
    });
  }
}

}  // namespace
}  // namespace runlog::testing
