// put_if_absent from many workers at once: one of them makes the event, all of them see it, also
// while batches and deletes of the same thread go on.

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seeded_random.h"
#include "tests/support/store_test.h"
#include "tests/support/workers.h"

namespace runlog::testing {
namespace {

using std::chrono::seconds;

class SingletonRaceTest : public StoreTest {};

// DeerFlow case 11.
TEST_F(SingletonRaceTest, OneOfThirtyTwoCreatesItBesideEightBatchWriters) {
  Open();
  for (int round = 0; round < 10; ++round) {
    const std::string run = "r" + std::to_string(round);
    std::atomic<int> created{0};
    std::mutex mutex;
    std::set<std::uint64_t> seqs;
    InParallel(40, [&](std::size_t worker) {
      if (worker < 8) {
        // The last batch holds the type as well: it came by plain append and counts.
        EXPECT_OK(TryAppend("t", Times(5, InRun(run))));
        return;
      }
      Draft draft = OfType("run.delivery", run).Of("u" + std::to_string(worker));
      draft.content = std::to_string(worker);
      const Result<PutResult> put = store().PutIfAbsent("t", draft.AsEvent());
      ASSERT_OK(put);
      ASSERT_EQ(put->page.size(), 1U);
      EXPECT_EQ(put->page.events().front().seq(), put->seq);
      EXPECT_EQ(put->page.events().front().event_type(), "run.delivery");
      created += put->created ? 1 : 0;
      const std::lock_guard lock(mutex);
      seqs.insert(put->seq);
    });
    EXPECT_EQ(created.load(), 1) << run;
    EXPECT_EQ(seqs.size(), 1U) << run;
    EXPECT_EQ(RunSeqs("t", run, {.types = {{"run.delivery"}}}), Seqs(seqs.begin(), seqs.end()));
  }
  EXPECT_EQ(ThreadSeqs("t"), Range(1, 10 * 41));
  ReopenVerified();
}

TEST_F(SingletonRaceTest, AnAppendOfTheTypeAtTheSameMomentIsNeverDoubled) {
  Open();
  for (int round = 0; round < 150; ++round) {
    const std::string run = "r" + std::to_string(round);
    std::atomic<int> created{0};
    InParallel(3, [&](std::size_t worker) {
      if (worker == 0) {
        EXPECT_OK(TryAppend("t", {OfType("run.delivery", run)}));
        return;
      }
      const Result<PutResult> put = store().PutIfAbsent("t", OfType("run.delivery", run).AsEvent());
      ASSERT_OK(put);
      created += put->created ? 1 : 0;
      // Whoever asks again gets the lowest.
      EXPECT_EQ(Put("t", OfType("run.delivery", run)).seq, RunSeqs("t", run).front());
    });
    // A put that came first wrote one, and the append always writes its own.
    EXPECT_EQ(RunSeqs("t", run).size(), 1U + static_cast<std::size_t>(created.load())) << run;
    EXPECT_LE(created.load(), 1) << run;
  }
}

// A waiting put must not be kept waiting by a thread that ends under it: each answers long before
// its deadline. And none answers with what has the same seq in the thread's next life.
TEST_F(SingletonRaceTest, PutsGoOnWhileTheThreadIsDeletedUnderThem) {
  Open();
  std::atomic<bool> stop{false};
  Workers deleters(2, [&](std::size_t) {
    while (!stop) {
      EXPECT_OK(TryAppend("t", Times(3, Draft())));
      EXPECT_OK(store().DeleteThread("t"));
    }
  });
  InParallel(6, [&](std::size_t worker) {
    SeededRandom random(worker);
    for (int i = 0; i < 100; ++i) {
      Draft draft = OfType("type" + std::to_string(random.Below(3)));
      draft.content = std::to_string(worker) + "/" + std::to_string(i);
      const Result<PutResult> put =
          store().PutIfAbsent("t", draft.AsEvent(), {.timeout = seconds(20)});
      EXPECT_OK(put);
      if (!put.ok()) return;
      // Only what this call made can be gone before it answers.
      EXPECT_TRUE(put->created || !put->page.empty());
      if (put->page.empty()) continue;
      const EventView& event = put->page.events().front();
      EXPECT_EQ(event.event_type(), draft.type);
      EXPECT_EQ(event.content().bytes == draft.content, put->created);
    }
  });
  stop = true;
  deleters.Join();
  ReopenVerified();
}

}  // namespace
}  // namespace runlog::testing
