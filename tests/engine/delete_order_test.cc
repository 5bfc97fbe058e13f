// Goal: a delete takes what was committed before it and nothing that comes later, also where both
// wait in the queue. Method: appends and deletes handed over without waiting, then the commits that
// the change feed names.

#include <atomic>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/store_test.h"
#include "tests/support/workers.h"

namespace runlog::testing {
namespace {

class DeleteOrderTest : public StoreTest {
 protected:
  DeleteOrderTest() { Open(); }

  /// Hands over `count` appends of two events to run "r" and does not wait.
  std::vector<std::future<AppendReceipt>> Queue(std::size_t count) {
    const std::vector<Draft> drafts = Times(2, InRun("r"));
    const std::vector<Event> events = AsEvents(drafts);
    std::vector<std::future<AppendReceipt>> answers;
    for (std::size_t i = 0; i < count; ++i) {
      auto answer = std::make_shared<std::promise<AppendReceipt>>();
      answers.push_back(answer->get_future());
      EXPECT_OK(store().AppendAsync("t", events, {}, [answer](Result<AppendReceipt> receipt) {
        answer->set_value(Value(std::move(receipt)));
      }));
    }
    return answers;
  }
};

TEST_F(DeleteOrderTest, ADeleteTakesWhatItsWorkerQueuedBeforeAndNothingLater) {
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t kept = Value(reader().Count("t")).events;
    std::vector<std::future<AppendReceipt>> before = Queue(40);
    const DeleteReceipt deleted = Value(store().DeleteRun("t", "r"));
    EXPECT_EQ(deleted.deleted, kept + 80);
    for (auto& answer : before)
      EXPECT_LT(answer.get().commit, deleted.commit);
    EXPECT_TRUE(RunSeqs("t", "r").empty());
    for (auto& answer : Queue(5)) {
      const AppendReceipt receipt = answer.get();
      EXPECT_GT(receipt.commit, deleted.commit);
    }
    EXPECT_EQ(RunSeqs("t", "r").size(), 10U);
  }
  ReopenVerified();
}

// Whoever deletes while others have appends in the queue: the commits decide, one by one.
TEST_F(DeleteOrderTest, TheOrderOfCommitsDecidesWhatADeleteTakes) {
  std::atomic<std::uint64_t> deleted{0};
  InParallel(3, [&](std::size_t worker) {
    for (int i = 0; i < 30; ++i) {
      if (worker == 0) {
        deleted += Value(store().DeleteRun("t", "r")).deleted;
      } else {
        for (auto& answer : Queue(10))
          answer.wait();
      }
    }
  });
  std::uint64_t live = 0;
  std::uint64_t taken = 0;
  for (const Change& change : Value(reader().Changes(0, 10'000)).changes) {
    if (change.kind == CommitKind::kAppend) {
      live += change.count;
      continue;
    }
    EXPECT_EQ(change.count, live) << "commit " << change.commit;
    taken += change.count;
    live = 0;
  }
  EXPECT_EQ(taken, deleted.load());
  EXPECT_EQ(RunSeqs("t", "r").size(), live);
  EXPECT_EQ(ReopenVerified().events, live);
}

// The seqs of the thread's next life start at 1, also for what was queued behind its end.
TEST_F(DeleteOrderTest, WhatIsQueuedBehindTheEndOfAThreadIsItsNextLife) {
  std::vector<std::future<AppendReceipt>> before = Queue(30);
  const DeleteReceipt ended = Value(store().DeleteThread("t"));
  std::vector<std::future<AppendReceipt>> behind = Queue(30);
  EXPECT_EQ(ended.deleted, 60U);
  EXPECT_TRUE(ended.incarnation_ended);
  std::uint64_t next = 1;
  for (auto& answer : behind) {
    const AppendReceipt receipt = answer.get();
    EXPECT_EQ(receipt.first_seq, next);
    EXPECT_GT(receipt.incarnation, ended.incarnation);
    next = receipt.last_seq + 1;
  }
  EXPECT_EQ(ThreadSeqs("t"), Range(1, 60));
  EXPECT_EQ(ReopenVerified().events, 60U);
}

}  // namespace
}  // namespace runlog::testing
