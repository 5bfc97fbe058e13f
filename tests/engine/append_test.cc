// Goal: an append is all there or not at all, and says honestly which. Method: the cases of
// deerflow.md section 6 and afk.md section 6 that are about single writes, each by its name.

#include <algorithm>
#include <chrono>
#include <future>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/store_test.h"

namespace runlog::testing {
namespace {

using ::testing::HasSubstr;

class AppendTest : public StoreTest {
 protected:
  AppendTest() { Open(); }

  Status StatusOf(const std::vector<Draft>& drafts, const AppendOptions& options = {}) {
    return TryAppend("t", drafts, options).status();
  }
};

// deerflow.md 6.10
TEST_F(AppendTest, ABatchWithOneBadEventStoresNothingAndTakesNoSeq) {
  Draft bad = InRun("r");
  bad.category = std::string(17, 'c');
  const Status refused = StatusOf({InRun("r"), bad, InRun("r")});
  EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("event 2 of 3: category: 17 characters, at most 16"));
  EXPECT_EQ(Value(reader().Count("t")).events, 0U);
  EXPECT_EQ(Append("t", InRun("r")).first_seq, 1U);
}

TEST_F(AppendTest, AnAppendOfNothingIsNoCommit) {
  const AppendReceipt receipt = Append("t", std::vector<Draft>{});
  EXPECT_EQ(receipt.count, 0U);
  EXPECT_EQ(receipt.commit, 0U);
  EXPECT_TRUE(Value(reader().Changes(0, 10)).changes.empty());
  EXPECT_TRUE(Value(reader().Threads(0, 10)).empty());
}

TEST_F(AppendTest, AnAppendHasAtMostTenThousandEvents) {
  const std::vector<Draft> most = Times(10'000, InRun("r"));
  std::vector<Draft> more = most;
  more.push_back(InRun("r"));
  const Status refused = StatusOf(more);
  EXPECT_EQ(refused.code(), StatusCode::kTooLarge);
  EXPECT_EQ(refused.message(), "append: 10001 events, at most 10000");
  EXPECT_EQ(Append("t", most).last_seq, 10'000U);
}

TEST_F(AppendTest, RunsAndOwnersMayBeMixedAndKeepTheirOrder) {
  const AppendReceipt receipt = Append(
      "t", {InRun("rA").Of("alice"), InRun("rB"), InRun("rA").Of("bob"), InRun("rC").Of("alice")});
  EXPECT_EQ(receipt.first_seq, 1U);
  EXPECT_EQ(receipt.last_seq, 4U);
  EXPECT_EQ(RunSeqs("t", "rA"), (Seqs{1, 3}));
  EXPECT_EQ(RunSeqs("t", "rB"), (Seqs{2}));
  EXPECT_EQ(Value(reader().Count("t", "alice")).events, 2U);
  EXPECT_EQ(Value(reader().Changes(0, 10)).changes.size(), 1U);
}

// deerflow.md 6.9
TEST_F(AppendTest, NamesAreMeasuredInCharacters) {
  std::string accents;
  for (int i = 0; i < 32; ++i)
    accents += "é";
  EXPECT_OK(StatusOf({OfType(accents)}));
  EXPECT_EQ(StatusOf({OfType(std::string(33, 'x'))}).message(),
            "event 1 of 1: event_type: 33 characters, at most 32");
  EXPECT_EQ(StatusOf({OfType("")}).code(), StatusCode::kInvalidArgument);
  // Ids are measured in bytes: they are parts of keys.
  EXPECT_OK(StatusOf({InRun(std::string(256, 'r'))}));
  EXPECT_EQ(StatusOf({InRun(std::string(257, 'r'))}).message(),
            "event 1 of 1: run_id: 257 bytes, at most 256");
  EXPECT_EQ(StatusOf({InRun("r1\n")}).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(Value(reader().RunEvents("t", "r1\n", {})).empty());
  EXPECT_EQ(DeleteRun("t", "r1\n"), 0U);
}

// deerflow.md 6.8
TEST_F(AppendTest, EveryJsonValueComesBackAsItCame) {
  const std::vector<std::string> texts = {R"({"a":1})",
                                          "123",
                                          "null",
                                          "true",
                                          "[]",
                                          "1.0",
                                          "1e400",
                                          "1180591620717411303424",
                                          R"({"b":1,"a":2,"b":3})",
                                          R"(["\u0000"])",
                                          "[\"\u2028\"]",
                                          R"({"k":"\ud83d\ude00\/"})"};
  std::vector<Draft> drafts;
  for (const std::string& text : texts)
    drafts.push_back(InRun("r").Json(text));
  for (const std::string_view text : {"{\"a\": 1}", "123", "null", ""}) {
    Draft draft = InRun("r");
    draft.content = text;
    drafts.push_back(draft);
  }
  Draft absent = InRun("r");
  absent.kind = ContentKind::kAbsent;
  absent.content.clear();
  drafts.push_back(absent);
  Append("t", drafts);
  ReopenVerified();
  const Page page = Value(reader().ThreadEvents("t", {}));
  ASSERT_EQ(page.size(), drafts.size());
  for (std::size_t i = 0; i < drafts.size(); ++i)
    EXPECT_EQ(Differences(page.events()[i], "t", drafts[i]), "") << i;
}

TEST_F(AppendTest, ALoneSurrogateIsRefusedWithItsFieldAndByte) {
  const Status refused = StatusOf({InRun("r").Json(R"({"a":"x\ud800"})")});
  EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("content: lone surrogate at byte 7"));
}

TEST_F(AppendTest, SixteenMebibytesOfContentAreLegalAndOneByteMoreIsNot) {
  Draft draft = InRun("r");
  draft.content = std::string(std::size_t{16} << 20, 'x');
  Append("t", {InRun("r"), draft, InRun("r")});
  ReopenVerified();
  const Page page = Value(reader().ThreadEvents("t", {}));
  ASSERT_EQ(page.size(), 3U);
  EXPECT_EQ(page.events()[1].content().bytes, draft.content);
  draft.content += 'x';
  const Status refused = StatusOf({draft});
  EXPECT_EQ(refused.code(), StatusCode::kTooLarge);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("content: 16777217 bytes, at most 16777216"));
}

TEST_F(AppendTest, AnEventWithoutATimeGetsTheClocks) {
  clock_.Set(Timestamp{1'234'567'890'123'456});
  Append("t", InRun("r"));
  clock_.Move(-5'000'000);
  Append("t", InRun("r"));
  const Page page = Value(reader().ThreadEvents("t", {}));
  ASSERT_EQ(page.size(), 2U);
  EXPECT_EQ(page.events()[0].created_at().microseconds, 1'234'567'890'123'456);
  EXPECT_EQ(page.events()[1].created_at().microseconds, 1'234'567'885'123'456);
}

TEST_F(AppendTest, ExpectedSeqIsTheMarkAndZeroMeansNoLiveEvent) {
  EXPECT_OK(StatusOf({InRun("r")}, {.expected_seq = 0}));
  EXPECT_EQ(StatusOf({InRun("r")}, {.expected_seq = 0}).code(), StatusCode::kConflict);
  EXPECT_EQ(StatusOf({InRun("r")}, {.expected_seq = 2}).code(), StatusCode::kConflict);
  EXPECT_OK(StatusOf({InRun("r")}, {.expected_seq = 1}));
  DeleteRun("t", "r");
  // Empty again, under whatever owner; the mark stays.
  EXPECT_OK(StatusOf({InRun("r").Of("u")}, {.expected_seq = 0}));
  EXPECT_EQ(ThreadSeqs("t"), (Seqs{3}));
}

TEST_F(AppendTest, AnotherIncarnationThanExpectedIsGone) {
  const std::uint64_t life = Append("t", InRun("r")).incarnation;
  EXPECT_OK(StatusOf({InRun("r")}, {.expect_incarnation = life}));
  DeleteThread("t");
  EXPECT_EQ(StatusOf({InRun("r")}, {.expect_incarnation = life}).code(), StatusCode::kGone);
  Append("t", InRun("r"));
  EXPECT_EQ(StatusOf({InRun("r")}, {.expect_incarnation = life}).code(), StatusCode::kGone);
}

// afk.md 6.19
TEST_F(AppendTest, TheSameKeyAnswersWithTheFirstReceiptWhateverHappenedSince) {
  const std::vector<Draft> drafts = Times(3, InRun("r"));
  const AppendOptions keyed{.idempotency_key = "k"};
  const AppendReceipt first = Append("t", drafts, keyed);
  EXPECT_FALSE(first.replayed);
  const auto expect_replayed = [&](bool deleted) {
    const AppendReceipt again = Append("t", drafts, keyed);
    EXPECT_TRUE(again.replayed);
    EXPECT_EQ(again.first_seq, first.first_seq);
    EXPECT_EQ(again.count, first.count);
    EXPECT_EQ(again.commit, first.commit);
    EXPECT_EQ(again.incarnation, first.incarnation);
    EXPECT_EQ(again.deleted, deleted);
    EXPECT_EQ(StatusOf(Times(2, InRun("r")), keyed).code(), StatusCode::kConflict);
    EXPECT_EQ(Value(store().Resolve("t", "k")).commit, first.commit);
  };
  expect_replayed(false);
  ReopenVerified();
  expect_replayed(false);
  DeleteRun("t", "r");
  expect_replayed(true);
  ReopenVerified();
  expect_replayed(true);
  DeleteThread("t");
  Append("t", Times(3, InRun("r")));
  expect_replayed(true);
  EXPECT_EQ(Value(reader().Count("t")).events, 3U);
  EXPECT_EQ(store().Resolve("t", "another").status().code(), StatusCode::kNotFound);
}

// deerflow.md 6.11
TEST_F(AppendTest, ASingletonIsMatchedByRunAndTypeAlone) {
  Append("t", {OfType("run.delivery").Of("alice"), OfType("run.delivery")});
  Draft other = OfType("run.delivery").Of("bob");
  other.category = "outputs";
  other.content = "another";
  {
    const PutResult found = Put("t", other);  // its page would keep the store open
    EXPECT_FALSE(found.created);
    EXPECT_EQ(found.seq, 1U);
    ASSERT_EQ(found.page.size(), 1U);
    EXPECT_EQ(found.page.events().front().user_id(), "alice");
    const PutResult made = Put("t", OfType("run.delivery", "r2"));
    EXPECT_TRUE(made.created);
    EXPECT_EQ(made.seq, 3U);
  }
  ReopenVerified();
  EXPECT_EQ(Put("t", other).seq, 1U);
  DeleteRun("t", "r1");
  const PutResult anew = Put("t", other);
  EXPECT_TRUE(anew.created);
  EXPECT_EQ(anew.seq, 4U);
}

TEST_F(AppendTest, TwoAppendsOfOneThreadInOneGroupFollowEachOther) {
  std::vector<std::promise<Result<AppendReceipt>>> answers(64);
  const std::vector<Draft> drafts = Times(2, InRun("r"));
  const std::vector<Event> events = AsEvents(drafts);
  for (auto& answer : answers) {
    ASSERT_OK(store().AppendAsync(
        "t", events, {}, [&](Result<AppendReceipt> receipt) { answer.set_value(receipt); }));
  }
  std::uint64_t next = 1;
  for (auto& answer : answers) {
    const AppendReceipt receipt = Value(answer.get_future().get());
    EXPECT_EQ(receipt.first_seq, next);
    next = receipt.last_seq + 1;
  }
  EXPECT_LT(store().GetStats().groups, 64U) << "no two shared a group, so this tested nothing";
  EXPECT_EQ(ReopenVerified().events, 128U);
}

// afk.md 6.16
TEST_F(AppendTest, AFilteredCursorPassesWhatTheFilterLeavesOut) {
  Append("t", Times(5, OfType("step")));
  Append("t", Times(10'000, OfType("text_delta")));
  Append("t", OfType("step"));
  const EventFilter steps{.types = {{"step"}}};
  const Page page = Value(reader().RunEvents("t", "r1", {.after_seq = 0, .limit = 500}, steps));
  EXPECT_EQ(page.size(), 6U);
  EXPECT_EQ(page.highest_seq_scanned(), 10'006U);
  const Page behind = Value(reader().RunEvents("t", "r1", {.after_seq = 5, .limit = 1}, steps));
  EXPECT_EQ(SeqsOf(behind), (Seqs{10'006}));
}

// The queue is full of what is on its way; the next one waits for room and then says so.
TEST_F(AppendTest, ADeadlineThatIsOverFindsTheQueueFullAndNothingWritten) {
  options_.commit_queue_bytes = options_.limits.append_bytes;  // the smallest it may be
  Reopen();
  Draft large = InRun("r");
  large.content = std::string(std::size_t{8} << 20, 'x');
  const std::vector<Draft> drafts = {large, large};
  const std::vector<Event> events = AsEvents(drafts);
  std::size_t refused = 0;
  std::size_t accepted = 0;
  std::vector<std::promise<void>> done(20);
  for (auto& one : done) {
    const Status status = store().AppendAsync(
        "t", events, {.durability = Durability::kSync, .timeout = std::chrono::milliseconds(0)},
        [&one](Result<AppendReceipt> receipt) {
          EXPECT_OK(receipt);
          one.set_value();
        });
    if (status.ok()) {
      ++accepted;
    } else {
      EXPECT_EQ(status.code(), StatusCode::kOverloaded) << status.ToString();
      ++refused;
      one.set_value();
    }
    EXPECT_LE(store().GetStats().queue_bytes, options_.commit_queue_bytes);
  }
  for (auto& one : done)
    one.get_future().wait();
  EXPECT_GT(refused, 0U);
  EXPECT_EQ(ReopenVerified().events, 2U * accepted);
}

}  // namespace
}  // namespace runlog::testing
