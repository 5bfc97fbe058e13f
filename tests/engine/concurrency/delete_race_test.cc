// Deletes beside appends and reads. What remains is what was appended less what the deletes say
// they took; every reader sees a whole delete or none of it; verify finds nothing.

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seeded_random.h"
#include "tests/support/store_test.h"
#include "tests/support/workers.h"

namespace runlog::testing {
namespace {

class DeleteRaceTest : public StoreTest {
 protected:
  std::uint64_t LiveEvents() {
    std::uint64_t events = 0;
    for (const ThreadSummary& thread : Value(reader().Threads(0, SIZE_MAX))) {
      EXPECT_EQ(ThreadSeqs(thread.thread_id).size(), thread.live.events);
      events += thread.live.events;
    }
    return events;
  }
};

struct Traffic {
  std::size_t threads = 2;
  std::size_t runs = 3;
  std::size_t users = 3;
  int rounds = 80;
};

Draft SomeDraft(SeededRandom& random, const Traffic& traffic) {
  static const std::string kTypes[] = {"run.start", "run_completed", "run_failed", "step"};
  Draft draft{.run = "r" + std::to_string(random.Below(traffic.runs)),
              .type = kTypes[random.Below(4)]};
  if (random.OneIn(2)) draft.category = "message";
  if (!random.OneIn(4)) draft.user = "u" + std::to_string(random.Below(traffic.users));
  return draft;
}

TEST_F(DeleteRaceTest, WhatRemainsIsWhatWasAppendedLessWhatWasTaken) {
  Open();
  const Traffic traffic;
  std::atomic<std::uint64_t> appended{0};
  std::atomic<std::uint64_t> deleted{0};
  InParallel(8, [&](std::size_t worker) {
    SeededRandom random(worker + 100);
    for (int i = 0; i < traffic.rounds; ++i) {
      const std::string thread_id = "t" + std::to_string(random.Below(traffic.threads));
      if (worker < 5) {
        std::vector<Draft> drafts;
        for (std::uint64_t count = random.Between(1, 6); count > 0; --count)
          drafts.push_back(SomeDraft(random, traffic));
        const Result<AppendReceipt> receipt = TryAppend(thread_id, drafts);
        EXPECT_OK(receipt);
        appended += drafts.size();
        continue;
      }
      const std::string user = "u" + std::to_string(random.Below(traffic.users));
      DeleteOptions options;
      if (!random.OneIn(3)) options.user_id = user;
      const std::string run = "r" + std::to_string(random.Below(traffic.runs));
      const Result<DeleteReceipt> receipt = random.OneIn(3)
                                                ? store().DeleteThread(thread_id, options)
                                                : store().DeleteRun(thread_id, run, options);
      EXPECT_OK(receipt);
      if (receipt.ok()) deleted += receipt->deleted;
    }
  });
  EXPECT_EQ(LiveEvents(), appended - deleted);
  EXPECT_EQ(ReopenVerified().events, appended - deleted);
  EXPECT_OK(store().Compact());
  EXPECT_EQ(LiveEvents(), appended - deleted);
  const VerifySummary after = ReopenVerified();
  EXPECT_EQ(after.events, appended - deleted);
  EXPECT_EQ(after.pending_purge, 0U);
}

// The owners of a thread's next life have the numbers of the last one's, in another order. A delete
// that was prepared in one life and committed in the next must not take one for the other.
TEST_F(DeleteRaceTest, ADeleteNeverTakesTheOwnersOfOneLifeForThoseOfAnother) {
  Open();
  constexpr std::uint64_t kOwners = 64;  // many: preparing the delete takes a while
  std::atomic<std::uint64_t> appended{0};
  std::atomic<std::uint64_t> deleted{0};
  std::atomic<bool> stop{false};
  // A wrong owner's figures fall below zero; the thread's next end wipes the trace.
  Workers reader_of_counts(1, [&](std::size_t) {
    for (std::uint64_t i = 0; !stop; ++i) {
      const std::string name = "u" + std::to_string(i % kOwners);
      EXPECT_LE(Value(reader().Count("t", name)).events, 2U * 3U * 80U);
    }
  });
  InParallel(6, [&](std::size_t worker) {
    SeededRandom random(worker + 7);
    for (int i = 0; i < 80; ++i) {
      if (worker < 3) {
        const std::uint64_t first = random.Below(kOwners);
        std::vector<Draft> drafts;
        for (std::uint64_t owner = first; owner < first + kOwners; ++owner) {
          const std::string name = "u" + std::to_string(owner % kOwners);
          drafts.insert(drafts.end(), random.Between(1, 2), InRun("r").Of(name));
        }
        EXPECT_OK(TryAppend("t", drafts));
        appended += drafts.size();
      } else {
        const Result<DeleteReceipt> receipt =
            worker < 5 ? store().DeleteRun("t", "r") : store().DeleteThread("t");
        EXPECT_OK(receipt);
        if (receipt.ok()) deleted += receipt->deleted;
      }
    }
  });
  stop = true;
  reader_of_counts.Join();
  Append("t", Times(3, InRun("another").Of("u1")));
  EXPECT_EQ(LiveEvents(), appended + 3 - deleted);
  EXPECT_EQ(ReopenVerified().events, appended + 3 - deleted);
}

// The state of a run is that of its last live transition, also when the owners of two transitions
// are erased at the same moment.
TEST_F(DeleteRaceTest, ARunsStateComesFromWhatBothDeletesLeave) {
  Open();
  for (int round = 0; round < 150; ++round) {
    const std::string run = "r" + std::to_string(round);
    Append("t", {OfType("run.start", run).Of("carol"), OfType("run_completed", run).Of("bob"),
                 OfType("run_failed", run).Of("alice"), OfType("step", run).Of("carol")});
    InParallel(2, [&](std::size_t worker) {
      EXPECT_EQ(DeleteRun("t", run, worker == 0 ? "alice" : "bob"), 1U);
    });
  }
  for (const RunSummary& run : Value(reader().Runs("t"))) {
    EXPECT_EQ(run.state, RunState::kRunning) << run.run_id;
    EXPECT_EQ(run.status, "") << run.run_id;
  }
  ReopenVerified();
}

TEST_F(DeleteRaceTest, ReadersSeeAWholeDeleteOrNone) {
  Open();
  std::atomic<bool> stop{false};
  Workers readers(3, [&](std::size_t) {
    while (!stop) {
      // Runs are appended whole, ten at a time, and deleted whole.
      const Page page = Value(reader().RunEvents("t", "r", {.limit = 1000}));
      EXPECT_EQ(page.size() % 10, 0U);
      const Page thread = Value(reader().ThreadEvents("t", {.limit = 100'000}));
      EXPECT_EQ(thread.size() % 10, 0U);
      EXPECT_EQ(Value(reader().Count("t")).events % 10, 0U);
      EXPECT_EQ(Value(reader().Messages("t", "r", {.limit = 1000})).size() % 5, 0U);
    }
  });
  std::vector<Draft> ten = Times(5, InRun("r"));
  ten.resize(10, Message("r"));
  for (int i = 0; i < 150; ++i) {
    Append("t", ten);
    Append("t", Times(10, InRun("other")));
    if (i % 3 == 0) DeleteRun("t", "r");
    if (i % 40 == 39) DeleteThread("t");
  }
  stop = true;
  readers.Join();
  ReopenVerified();
}

}  // namespace
}  // namespace runlog::testing
