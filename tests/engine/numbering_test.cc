// Goal: seqs are given once and never again, whatever is deleted, whenever the store is reopened.
// Method: the cases of deerflow.md section 6 and afk.md section 6 that are about numbers, each by
// its name.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/store_test.h"

namespace runlog::testing {
namespace {

class NumberingTest : public StoreTest {
 protected:
  NumberingTest() { Open(); }

  std::uint64_t NextSeq(std::string_view thread_id, const Draft& draft) {
    return Append(thread_id, draft).first_seq;
  }
};

// deerflow.md 6.1
TEST_F(NumberingTest, TheHighWaterMarkOutlivesTheNewestRunTheLastEventAndAReopen) {
  Append("t", Times(3, InRun("r1")));
  Append("t", Times(3, InRun("r2")));
  EXPECT_EQ(DeleteRun("t", "r2"), 3U);
  EXPECT_EQ(NextSeq("t", InRun("r3")), 7U);
  EXPECT_EQ(DeleteRun("t", "r1"), 3U);
  EXPECT_EQ(DeleteRun("t", "r3"), 1U);
  EXPECT_EQ(ReopenVerified().events, 0U);
  EXPECT_EQ(NextSeq("t", InRun("r3")), 8U);
  const std::uint64_t first_life = Append("t", InRun("r3")).incarnation;
  EXPECT_EQ(DeleteThread("t"), 2U);
  const AppendReceipt anew = Append("t", InRun("r3"));
  EXPECT_EQ(anew.first_seq, 1U);
  EXPECT_GT(anew.incarnation, first_life);
}

TEST_F(NumberingTest, AReopenBetweenTheDeleteAndTheAppendChangesNothing) {
  Append("t", Times(4, InRun("old")));
  Append("t", Times(5, InRun("newest")));
  EXPECT_EQ(DeleteRun("t", "newest"), 5U);
  ReopenVerified();
  EXPECT_EQ(NextSeq("t", InRun("next")), 10U);
  EXPECT_EQ(ThreadSeqs("t"), (Seqs{1, 2, 3, 4, 10}));
}

TEST_F(NumberingTest, AnIncarnationThatEndedStaysEndedAfterAReopen) {
  Append("t", Times(4, InRun("r")));
  EXPECT_EQ(DeleteThread("t"), 4U);
  ReopenVerified();
  EXPECT_EQ(NextSeq("t", InRun("r")), 1U);
  EXPECT_EQ(ReopenVerified().events, 1U);
}

// deerflow.md 6.2
TEST_F(NumberingTest, AnOwnersDeleteLeavesTheOthersTheOwnerlessAndTheMark) {
  Append("t", {InRun("r").Of("alice"), InRun("r").Of("bob"), InRun("r").Of("alice"), InRun("r")});
  EXPECT_EQ(DeleteThread("t", "alice"), 2U);
  EXPECT_EQ(ThreadSeqs("t"), (Seqs{2, 4}));
  EXPECT_EQ(NextSeq("t", InRun("r")), 5U);
  EXPECT_EQ(DeleteThread("t", "bob"), 1U);
  EXPECT_EQ(ThreadSeqs("t"), (Seqs{4, 5}));
  ReopenVerified();
  EXPECT_EQ(NextSeq("t", InRun("r")), 6U);
}

TEST_F(NumberingTest, AnOwnersDeleteOfTheLastEventsEndsTheIncarnation) {
  Append("t", Times(3, InRun("r").Of("alice")));
  EXPECT_EQ(DeleteThread("t", "alice"), 3U);
  EXPECT_EQ(NextSeq("t", InRun("r").Of("alice")), 1U);
}

TEST_F(NumberingTest, AnOwnersDeleteInTheMiddleOfARunKeepsCountsAndBoundsAfterAReopen) {
  Append("t", {InRun("r").Of("a"), InRun("r").Of("b"), InRun("r").Of("b"), InRun("r").Of("a")});
  EXPECT_EQ(DeleteRun("t", "r", "b"), 2U);
  for (int reopened = 0; reopened < 2; ++reopened) {
    const std::vector<RunSummary> runs = Value(reader().Runs("t"));
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].first_seq, 1U);
    EXPECT_EQ(runs[0].last_seq, 4U);
    EXPECT_EQ(runs[0].live.events, 2U);
    EXPECT_EQ(Value(reader().Count("t")).events, 2U);
    ReopenVerified();  // compares the digests too
  }
  EXPECT_EQ(DeleteRun("t", "r", "a"), 2U);
  EXPECT_EQ(ReopenVerified().events, 0U);
}

TEST_F(NumberingTest, ACursorOfAnEarlierLifeIsToldSoAndReadsNothing) {
  Append("t", Times(600, InRun("r")));
  const Page before = Value(reader().ThreadEvents("t", {.after_seq = 0, .limit = 500}));
  EXPECT_EQ(before.highest_seq_scanned(), 500U);
  DeleteThread("t");
  Append("t", Times(3, InRun("r")));
  const Page after = Value(reader().ThreadEvents("t", {.after_seq = 500}));
  EXPECT_TRUE(after.empty());
  EXPECT_TRUE(after.cursor_ahead());
  EXPECT_NE(after.incarnation(), before.incarnation());
  EXPECT_EQ(after.high_water(), 3U);
  const Result<Page> strict =
      reader().ThreadEvents("t", {.after_seq = 500, .expect_incarnation = before.incarnation()});
  EXPECT_EQ(strict.status().code(), StatusCode::kGone);
}

// afk.md 6.21
TEST_F(NumberingTest, AReaderBehindADeletedRunSeesTheNextOne) {
  Append("t", Times(10, InRun("A")));
  DeleteRun("t", "A");
  Append("t", InRun("B"));
  EXPECT_EQ(SeqsOf(Value(reader().ThreadEvents("t", {.after_seq = 10}))), (Seqs{11}));
  EXPECT_EQ(SeqsOf(Value(reader().RunEvents("t", "B", {.after_seq = 10}))), (Seqs{11}));
}

TEST_F(NumberingTest, AThreadThatLeftTheCacheGoesOnWhereItWas) {
  options_.thread_cache_bytes = std::uint64_t{64} << 10;
  Reopen();
  constexpr int kThreads = 600;
  for (std::uint64_t round = 0; round < 3; ++round) {
    for (int i = 0; i < kThreads; ++i) {
      const std::string thread_id = "t" + std::to_string(i);
      ASSERT_EQ(NextSeq(thread_id, InRun("r" + std::to_string(i % 7)).Of("u")), round + 1);
    }
  }
  EXPECT_EQ(ReopenVerified().events, 3U * kThreads);
}

TEST_F(NumberingTest, CommitTimesNeverDecreaseWhenTheClockDoes) {
  Append("t", InRun("r"));
  clock_.Move(-3'600'000'000);
  Append("t", InRun("r"));
  Reopen();
  clock_.Move(-3'600'000'000);
  Append("t", InRun("r"));
  const ChangePage page = Value(reader().Changes(0, 10));
  ASSERT_EQ(page.changes.size(), 3U);
  EXPECT_LE(page.changes[0].at.microseconds, page.changes[1].at.microseconds);
  EXPECT_LE(page.changes[1].at.microseconds, page.changes[2].at.microseconds);
}

// Keys are made of these bytes: none may end an id, merge two or change their order.
TEST_F(NumberingTest, IdsOfEveryLegalByteStayApart) {
  std::vector<std::string> ids;
  for (int byte = 0x20; byte < 0x7f; ++byte) {
    const std::string id(1, static_cast<char>(byte));
    for (const std::string& text : {id, id + id, id + "a", "a" + id})
      ids.push_back(text);
  }
  ids.insert(ids.end(), {"a", "ab", "abc", "é", "éé", "\u2028", "\U0001F600", std::string(256, 'x'),
                         std::string(255, 'x')});
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (const std::string& id : ids) {
    Draft draft = InRun(id).Of(id);
    draft.content = id;
    ASSERT_EQ(NextSeq(id, draft), 1U) << id;
    ASSERT_EQ(NextSeq("shared", draft), static_cast<std::uint64_t>(&id - ids.data()) + 1) << id;
  }
  ReopenVerified();
  for (const std::string& id : ids) {
    const Page own = Value(reader().ThreadEvents(id, {}));
    ASSERT_EQ(own.size(), 1U) << id;
    EXPECT_EQ(own.events().front().content().bytes, id);
    const Page of_run = Value(reader().RunEvents("shared", id, {}, {.user_id = id}));
    ASSERT_EQ(of_run.size(), 1U) << id;
    EXPECT_EQ(of_run.events().front().content().bytes, id);
    EXPECT_EQ(Value(reader().Count("shared", id)).events, 1U) << id;
  }
}

}  // namespace
}  // namespace runlog::testing
