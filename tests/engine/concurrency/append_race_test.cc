// Many workers write the same threads at once. Whatever the interleaving: seqs of a thread are
// unique and without a gap, commit numbers are unique, everything acknowledged is there as it was
// sent, and verify finds nothing.

#include <algorithm>
#include <future>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seeded_random.h"
#include "tests/support/store_test.h"
#include "tests/support/workers.h"

namespace runlog::testing {
namespace {

constexpr std::size_t kWorkers = 8;

struct Acknowledged {
  std::string thread_id;
  AppendReceipt receipt;
  std::string text;  // the content of each of its events
};

class AppendRaceTest : public StoreTest {
 protected:
  void Note(const std::string& thread_id, const Result<AppendReceipt>& receipt,
            const std::string& text) {
    const std::lock_guard lock(mutex_);
    EXPECT_OK(receipt);
    if (receipt.ok()) acknowledged_.push_back({thread_id, *receipt, text});
  }

  void ExpectGapFree(const std::string& thread_id) {
    Seqs seqs;
    for (const Acknowledged& append : acknowledged_) {
      if (append.thread_id != thread_id) continue;
      for (std::uint64_t seq = append.receipt.first_seq; seq <= append.receipt.last_seq; ++seq)
        seqs.push_back(seq);
    }
    std::sort(seqs.begin(), seqs.end());
    EXPECT_EQ(seqs, Range(1, seqs.size())) << thread_id;
    EXPECT_EQ(ThreadSeqs(thread_id), seqs) << thread_id;
  }

  void ExpectUniqueCommits() {
    Seqs commits;
    for (const Acknowledged& append : acknowledged_)
      commits.push_back(append.receipt.commit);
    std::sort(commits.begin(), commits.end());
    EXPECT_EQ(commits, Range(1, commits.size()));
  }

  void ExpectContents() {
    for (const Acknowledged& append : acknowledged_) {
      const Page page = Value(reader().ThreadEvents(
          append.thread_id,
          {.after_seq = static_cast<std::int64_t>(append.receipt.first_seq - 1),
           .before_seq = static_cast<std::int64_t>(append.receipt.last_seq + 1)}));
      ASSERT_EQ(page.size(), append.receipt.count);
      for (const EventView& event : page.events()) {
        EXPECT_EQ(event.content().bytes, append.text);
        EXPECT_EQ(event.commit(), append.receipt.commit);
      }
    }
  }

  std::mutex mutex_;  // guards acknowledged_ while workers run
  std::vector<Acknowledged> acknowledged_;
};

TEST_F(AppendRaceTest, SeqsAreGapFreeAndContentsWhole) {
  Open();
  InParallel(kWorkers, [&](std::size_t worker) {
    SeededRandom random(worker + 1);
    for (int i = 0; i < 60; ++i) {
      const std::string thread_id = "t" + std::to_string(random.Below(3));
      Draft draft{.run = "r" + std::to_string(random.Below(4))};
      draft.content = std::to_string(worker) + "/" + std::to_string(i);
      if (random.OneIn(2)) draft.user = "u" + std::to_string(random.Below(2));
      const std::vector<Draft> drafts = Times(random.OneIn(2) ? 1 : random.Between(2, 30), draft);
      AppendOptions options;
      if (random.OneIn(4)) options.durability = Durability::kSync;
      Note(thread_id, TryAppend(thread_id, drafts, options), draft.content);
    }
  });
  for (const std::string thread_id : {"t0", "t1", "t2"})
    ExpectGapFree(thread_id);
  ExpectUniqueCommits();
  ExpectContents();
  ReopenVerified();
  ExpectContents();
}

TEST_F(AppendRaceTest, CommandsOfOneWorkerCommitInTheOrderTheyWereSubmitted) {
  Open();
  InParallel(kWorkers, [&](std::size_t worker) {
    const std::string name = std::to_string(worker);
    std::vector<std::future<Result<AppendReceipt>>> answers;
    for (int i = 0; i < 60; ++i) {
      Draft draft{.run = name};
      // Large ones wait in a line of their own, and still keep their place.
      draft.content = i % 20 == 7 ? std::string(300'000, 'L') : name;
      auto promise = std::make_shared<std::promise<Result<AppendReceipt>>>();
      answers.push_back(promise->get_future());
      const std::vector<Draft> drafts = Times(static_cast<std::size_t>(i % 3 + 1), draft);
      EXPECT_OK(store().AppendAsync(
          "t", AsEvents(drafts), {},
          [promise](Result<AppendReceipt> receipt) { promise->set_value(std::move(receipt)); }));
    }
    std::uint64_t last = 0;
    for (auto& answer : answers) {
      const Result<AppendReceipt> receipt = answer.get();
      Note("t", receipt, "");
      if (!receipt.ok()) continue;
      EXPECT_GT(receipt->first_seq, last);
      last = receipt->last_seq;
    }
  });
  ExpectGapFree("t");
  ExpectUniqueCommits();
  ReopenVerified();
}

TEST_F(AppendRaceTest, OfManyWithOneExpectedSeqExactlyOneWins) {
  Open();
  for (std::uint64_t round = 0; round < 40; ++round) {
    std::atomic<int> winners{0};
    InParallel(kWorkers, [&](std::size_t) {
      const Result<AppendReceipt> receipt = TryAppend("t", {Draft()}, {.expected_seq = round});
      if (receipt.ok()) {
        ++winners;
        EXPECT_EQ(receipt->first_seq, round + 1);
      } else {
        EXPECT_EQ(receipt.status().code(), StatusCode::kConflict);
      }
    });
    ASSERT_EQ(winners.load(), 1) << "round " << round;
  }
  EXPECT_EQ(ThreadSeqs("t"), Range(1, 40));
}

TEST_F(AppendRaceTest, OfManyWithOneKeyOneWritesAndTheOthersGetItsReceipt) {
  Open();
  for (int round = 0; round < 40; ++round) {
    const std::string key = "key " + std::to_string(round);
    std::atomic<int> written{0};
    std::mutex mutex;
    std::vector<AppendReceipt> receipts;
    InParallel(kWorkers, [&](std::size_t) {
      const Result<AppendReceipt> receipt =
          TryAppend("t", Times(3, Draft()), {.idempotency_key = key});
      ASSERT_OK(receipt);
      written += receipt->replayed ? 0 : 1;
      const std::lock_guard lock(mutex);
      receipts.push_back(*receipt);
    });
    EXPECT_EQ(written.load(), 1);
    ASSERT_EQ(receipts.size(), kWorkers);
    for (const AppendReceipt& receipt : receipts) {
      EXPECT_EQ(receipt.first_seq, receipts.front().first_seq);
      EXPECT_EQ(receipt.commit, receipts.front().commit);
      EXPECT_FALSE(receipt.deleted);
    }
  }
  EXPECT_EQ(ThreadSeqs("t"), Range(1, 120));
  EXPECT_EQ(ReopenVerified().events, 120U);
}

}  // namespace
}  // namespace runlog::testing
