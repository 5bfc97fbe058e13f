// Goal: counts, threads, runs, holes, latest answers and the change feed say what the events say,
// before records are written back and after a reopen, with deletes that are purged and not. Method:
// small threads whose figures a reader of the test can count.

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/reading_test.h"

namespace runlog {
namespace {

Sample OwnedBy(std::string user, Sample sample = {}) {
  sample.user = std::move(user);
  return sample;
}

Sample CalledBy(std::string caller, std::string type = "llm.ai.response") {
  Sample sample = Message("r1", std::move(type));
  sample.metadata = "{\"caller\":\"" + caller + "\"}";
  return sample;
}

class ListingTest : public ReadingTest {
 protected:
  ListingTest() { Open(); }

  std::vector<std::string> RunIds(bool include_deleted = false) {
    std::vector<std::string> ids;
    for (const RunSummary& run : Value(reader().Runs("t", include_deleted))) {
      ids.push_back(run.run_id);
    }
    return ids;
  }
};

using CountTest = ListingTest;
using ThreadsTest = ListingTest;
using RunsTest = ListingTest;
using HolesTest = ListingTest;
using VisibleAiTest = ListingTest;
using ChangesTest = ListingTest;

TEST_F(CountTest, CountsAreByOwnerAndWithoutOneOfAll) {
  Append({OwnedBy("alice"), OwnedBy("alice", Message()), OwnedBy("bob", Message()), Message()});

  const auto expect = [&] {
    EXPECT_EQ(Value(reader().Count("t")).events, 4U);
    EXPECT_EQ(Value(reader().Count("t")).messages, 3U);
    EXPECT_EQ(Value(reader().Count("t", "alice")).events, 2U);
    EXPECT_EQ(Value(reader().Count("t", "alice")).messages, 1U);
    EXPECT_EQ(Value(reader().Count("t", "bob")).messages, 1U);
    EXPECT_EQ(Value(reader().Count("t", "carol")), Counts());
    EXPECT_GT(Value(reader().Count("t")).bytes, Value(reader().Count("t", "alice")).bytes);
  };
  expect();
  Reopen();
  expect();
  EXPECT_EQ(Value(store().DeleteThread("t", {.user_id = "alice"})).deleted, 2U);
  EXPECT_EQ(Value(reader().Count("t", "alice")), Counts());
  EXPECT_EQ(Value(reader().Count("t")).events, 2U);
}

TEST_F(ThreadsTest, ThreadsComeInTheOrderOfTheirCreation) {
  for (const char* id : {"zebra", "ant", "mole"})
    Append({Sample{}, Message("r2")}, id);
  Append({Sample{}}, "ant");

  const auto expect = [&] {
    const std::vector<ThreadSummary> threads = Value(reader().Threads(0, 100));
    ASSERT_EQ(threads.size(), 3U);
    EXPECT_EQ(threads[0].thread_id, "zebra");
    EXPECT_EQ(threads[1].thread_id, "ant");
    EXPECT_EQ(threads[1].last_seq, 3U);
    EXPECT_EQ(threads[1].live.events, 3U);
    EXPECT_EQ(threads[1].live.messages, 1U);
    EXPECT_EQ(threads[1].runs, 2U);
    EXPECT_TRUE(threads[1].first_at.has_value());
    EXPECT_EQ(threads[2].thread_id, "mole");
    const auto rest = Value(reader().Threads(threads[0].incarnation, 1));
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].thread_id, "ant");
    EXPECT_TRUE(Value(reader().Threads(threads[2].incarnation, 10)).empty());
    EXPECT_TRUE(Value(reader().Threads(0, 0)).empty());
    EXPECT_TRUE(Value(reader().Threads(std::numeric_limits<std::uint64_t>::max(), 1)).empty());
  };
  expect();
  Reopen();
  expect();
}

TEST_F(ThreadsTest, ManyThreadsAreListedInAnyStepAndWhetherTheyAreCachedOrNot) {
  constexpr std::size_t kThreads = 700;
  options_.thread_cache_bytes = std::uint64_t{1} << 20;
  Reopen();
  for (std::size_t i = 0; i < kThreads; ++i) {
    Append(std::vector<Sample>(1 + i % 3), "thread " + std::to_string(i));
  }
  for (std::size_t i = 0; i < kThreads; i += 5) {
    ASSERT_TRUE(Value(store().DeleteThread("thread " + std::to_string(i))).incarnation_ended);
  }
  std::uint64_t after = 0;
  std::size_t listed = 0;
  while (true) {
    const std::vector<ThreadSummary> step = Value(reader().Threads(after, 37));
    for (const ThreadSummary& thread : step) {
      const std::size_t i = std::stoul(thread.thread_id.substr(7));
      EXPECT_NE(i % 5, 0U);
      EXPECT_EQ(thread.live.events, 1 + i % 3);
      EXPECT_EQ(thread.runs, 1U);
      ++listed;
    }
    if (step.size() < 37) break;
    after = step.back().incarnation;
  }
  EXPECT_EQ(listed, kThreads - kThreads / 5);
  EXPECT_EQ(Value(reader().Threads(0, std::numeric_limits<std::size_t>::max())).size(), listed);
}

TEST_F(ThreadsTest, AThreadWithoutEventsIsThereUntilItIsDeletedAsAWhole) {
  Append({Sample{}, Sample{}});
  EXPECT_EQ(DeleteRun("r1"), 2U);

  const auto thread = Value(reader().Thread("t"));
  ASSERT_TRUE(thread.has_value());
  EXPECT_EQ(thread->last_seq, 2U);
  EXPECT_EQ(thread->live, Counts());
  EXPECT_EQ(thread->runs, 0U);
  EXPECT_FALSE(thread->first_at.has_value());
  EXPECT_EQ(Value(reader().Threads(0, 10)).size(), 1U);

  Value(store().DeleteThread("t"));
  EXPECT_FALSE(Value(reader().Thread("t")).has_value());
  EXPECT_TRUE(Value(reader().Threads(0, 10)).empty());
}

TEST_F(RunsTest, RunsComeInTheOrderOfTheirFirstEventWithTheirFigures) {
  Append({Sample{.run = "z"}, Message("a"), Sample{.run = "z", .type = "run.end"}, Message("m")});

  const auto expect = [&] {
    const std::vector<RunSummary> runs = Value(reader().Runs("t"));
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[0].run_id, "z");
    EXPECT_EQ(runs[0].first_seq, 1U);
    EXPECT_EQ(runs[0].last_seq, 3U);
    EXPECT_EQ(runs[0].live.events, 2U);
    EXPECT_EQ(runs[0].live.messages, 0U);
    EXPECT_EQ(runs[1].run_id, "a");
    EXPECT_EQ(runs[1].live.messages, 1U);
    EXPECT_EQ(runs[2].run_id, "m");
  };
  expect();
  Reopen();
  expect();
}

TEST_F(RunsTest, ADeletedRunIsListedOnlyIfAskedForAndItsIdStartsANewOne) {
  Append({Sample{.run = "old"}, Sample{.run = "stays"}});
  EXPECT_EQ(DeleteRun("old"), 1U);
  EXPECT_EQ(RunIds(), (std::vector<std::string>{"stays"}));
  EXPECT_EQ(RunIds(true), (std::vector<std::string>{"old", "stays"}));
  const RunSummary deleted = Value(reader().Runs("t", true)).front();
  EXPECT_EQ(deleted.state, RunState::kDeleted);
  EXPECT_EQ(deleted.live, Counts());
  EXPECT_EQ(deleted.first_seq, 0U);

  Append({Sample{.run = "old"}});
  EXPECT_EQ(RunIds(), (std::vector<std::string>{"stays", "old"}));
  EXPECT_EQ(RunIds(true), (std::vector<std::string>{"old", "stays", "old"}));
  EXPECT_EQ(SeqsOf(Value(reader().RunEvents("t", "old", {}))), (Seqs{3}));
}

TEST_F(RunsTest, AnOwnersDeleteInTheMiddleKeepsCountsAndBounds) {
  Append({OwnedBy("alice"), OwnedBy("bob"), OwnedBy("alice", Message()), OwnedBy("bob"),
          OwnedBy("alice")});
  EXPECT_EQ(DeleteRun("r1", "alice"), 3U);

  const auto expect = [&] {
    const std::vector<RunSummary> runs = Value(reader().Runs("t"));
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].first_seq, 2U);
    EXPECT_EQ(runs[0].last_seq, 4U);
    EXPECT_EQ(runs[0].live.events, 2U);
    EXPECT_EQ(runs[0].live.messages, 0U);
    EXPECT_EQ(runs[0].retention_revision, 1U);
    EXPECT_EQ(SeqsOf(Value(reader().RunEvents("t", "r1", {}))), (Seqs{2, 4}));
    EXPECT_EQ(SeqsOf(Value(reader().ThreadEvents("t", {}))), (Seqs{2, 4}));
    EXPECT_TRUE(Value(reader().Messages("t", {}, {})).empty());
  };
  expect();
  Reopen();
  expect();
  Purge();
  expect();
}

TEST_F(HolesTest, HolesAreTheSameHiddenAndPurged) {
  std::vector<Sample> samples;
  for (int i = 0; i < 12; ++i)
    samples.push_back(Sample{.run = i / 3 % 2 == 0 ? "even" : "odd"});
  samples[1].user = "alice";
  Append(samples);  // even 1-3 and 7-9, odd 4-6 and 10-12
  DeleteRun("odd");
  DeleteRun("even", "alice");

  const auto expect = [&] {
    const std::vector<Hole> holes = Value(reader().Holes("t", 0, 100));
    ASSERT_EQ(holes.size(), 3U);
    EXPECT_EQ(holes[0], (Hole{2, 2, HoleReason::kOwnerErased, 3}));
    EXPECT_EQ(holes[1], (Hole{4, 6, HoleReason::kRunDeleted, 2}));
    EXPECT_EQ(holes[2], (Hole{10, 12, HoleReason::kRunDeleted, 2}));
    EXPECT_EQ(Value(reader().Holes("t", 4, 12)),
              (std::vector<Hole>{{5, 6, HoleReason::kRunDeleted, 2},
                                 {10, 11, HoleReason::kRunDeleted, 2}}));
    EXPECT_TRUE(Value(reader().Holes("t", 6, 10)).empty());
    EXPECT_TRUE(Value(reader().Holes("t", 9, 3)).empty());
    const auto largest = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(Value(reader().Holes("t", 0, largest)).size(), 3U);
    EXPECT_TRUE(Value(reader().Holes("t", largest, largest)).empty());
  };
  expect();
  Reopen();
  expect();
  Purge();
  expect();
  Reopen();
  expect();
}

TEST_F(HolesTest, AReaderBehindADeletedRunMissesNothing) {
  Append(std::vector<Sample>(10, Sample{.run = "A"}));
  DeleteRun("A");
  EXPECT_EQ(Append({Sample{.run = "B"}}), 11U);
  EXPECT_EQ(SeqsOf(Value(reader().ThreadEvents("t", {.after_seq = 10}))), (Seqs{11}));
}

TEST_F(VisibleAiTest, TheLastAnswerThatNoMiddlewareGaveIsFound) {
  Append({Sample{}, Sample{}, CalledBy("lead_agent"), Message("r1", "ai_message"),
          CalledBy("middleware:title"), Message("r1", "llm.tool.result")});
  Append({Sample{.run = "quiet"}, [] {
            Sample sample = CalledBy("middleware:title");
            sample.run = "only middleware";
            return sample;
          }()});
  Sample subagent = CalledBy("subagent:x");
  subagent.run = "sub";
  Append({subagent});

  const std::vector<std::string> runs = {"r1", "quiet", "only middleware", "sub", "unknown", "r1"};
  const std::map<std::string, std::uint64_t, std::less<>> expected = {{"r1", 4}, {"sub", 9}};
  EXPECT_EQ(Value(reader().LastVisibleAiSeqs("t", runs)), expected);
  Reopen();
  EXPECT_EQ(Value(reader().LastVisibleAiSeqs("t", runs)), expected);
  EXPECT_TRUE(Value(reader().LastVisibleAiSeqs("t", {})).empty());
}

TEST_F(VisibleAiTest, OwnersAndDeletesCount) {
  Append({OwnedBy("alice", Message("r1", "ai_message")),
          OwnedBy("bob", Message("r1", "ai_message")), Message("r1", "ai_message")});
  const std::vector<std::string> runs = {"r1"};
  const auto last = [&](std::optional<std::string_view> user = {}) {
    const auto seqs = Value(reader().LastVisibleAiSeqs("t", runs, user));
    return seqs.empty() ? 0 : seqs.begin()->second;
  };
  EXPECT_EQ(last(), 3U);
  EXPECT_EQ(last("alice"), 1U);
  EXPECT_EQ(last("carol"), 0U);
  DeleteRun("r1", "alice");
  EXPECT_EQ(last("alice"), 0U);
  EXPECT_EQ(last("bob"), 2U);
}

TEST_F(VisibleAiTest, TheLatestOfATypeIsPerRunAndOwner) {
  Append({OwnedBy("alice", Sample{.type = "x"}), Sample{.type = "x"}, Sample{.type = "y"}});
  EXPECT_EQ(SeqsOf(Value(reader().LatestOfType("t", "r1", "x"))), (Seqs{2}));
  EXPECT_EQ(SeqsOf(Value(reader().LatestOfType("t", "r1", "x", "alice"))), (Seqs{1}));
  EXPECT_TRUE(Value(reader().LatestOfType("t", "r1", "x", "bob")).empty());
  EXPECT_TRUE(Value(reader().LatestOfType("t", "r1", "z")).empty());
}

TEST_F(ChangesTest, EveryCommitIsThereOnceInOrder) {
  Append({Sample{}, Sample{}}, "a");
  Append({Sample{}}, "b");
  Append({OwnedBy("alice", Sample{.run = "r2"})}, "a");
  Value(store().DeleteRun("a", "r1"));
  Value(store().DeleteRun("a", "r2", {.user_id = "alice"}));
  Value(store().DeleteThread("b"));

  const ChangePage page = Value(reader().Changes(0, 100));
  ASSERT_EQ(page.changes.size(), 6U);
  EXPECT_FALSE(page.has_more);
  EXPECT_EQ(page.last_commit, 6U);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(page.changes[i].commit, i + 1);
  EXPECT_EQ(page.changes[0].thread_id, "a");
  EXPECT_EQ(page.changes[0].count, 2U);
  EXPECT_EQ(page.changes[2].first_seq, 3U);
  EXPECT_EQ(page.changes[1].thread_id, "b");
  EXPECT_EQ(page.changes[3].kind, CommitKind::kDeleteRun);
  EXPECT_EQ(page.changes[3].run_id, "r1");
  EXPECT_EQ(page.changes[3].count, 2U);
  EXPECT_EQ(page.changes[4].user_id, "alice");
  EXPECT_EQ(page.changes[5].kind, CommitKind::kDeleteThread);
  EXPECT_TRUE(page.changes[5].incarnation_ended);
  EXPECT_EQ(page.changes[5].thread_id, "b");
}

TEST_F(ChangesTest, TheFeedGoesOnFromAnyCommitAndAfterAReopen) {
  for (int i = 0; i < 20; ++i)
    Append({Sample{}}, i % 2 == 0 ? "a" : "b");
  Reopen();
  std::vector<std::uint64_t> commits;
  std::uint64_t after = 0;
  while (true) {
    const ChangePage page = Value(reader().Changes(after, 3));
    for (const Change& change : page.changes)
      commits.push_back(change.commit);
    after = page.last_commit;
    if (!page.has_more) break;
    EXPECT_EQ(page.changes.size(), 3U);
  }
  EXPECT_EQ(commits, Range(1, 20));
  EXPECT_TRUE(Value(reader().Changes(20, 10)).changes.empty());
  EXPECT_EQ(Value(reader().Changes(25, 10)).last_commit, 25U);
  EXPECT_TRUE(Value(reader().Changes(0, 0)).has_more);
}

}  // namespace
}  // namespace runlog
