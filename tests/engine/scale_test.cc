// Goal: one run of a million events and a million threads of one event behave as small ones do.
// Method: the short tier makes a hundredth, the others the whole.
//
// RUNLOG_SCALE: how many.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/store_test.h"
#include "tests/support/tier.h"

namespace runlog::testing {
namespace {

class ScaleTest : public StoreTest {
 protected:
  ScaleTest() {
    options_.durability = Durability::kBuffered;
    Open();
  }

  const std::uint64_t amount_ = AmountFrom(
      "RUNLOG_SCALE", {.short_tier = 10'000, .nightly = 1'000'000, .release = 1'000'000});
};

TEST_F(ScaleTest, OneRunOfAMillionEvents) {
  // One event of a hundred is of the rare type.
  std::vector<Draft> drafts = Times(1000, OfType("common"));
  for (std::size_t i = 99; i < drafts.size(); i += 100)
    drafts[i] = Message("r1", "rare");
  for (std::uint64_t done = 0; done < amount_; done += drafts.size())
    ASSERT_EQ(Append("t", drafts).first_seq, done + 1);
  ReopenVerified();

  const EventFilter rare{.types = {{"rare"}}};
  std::uint64_t after = 0;
  std::uint64_t found = 0;
  while (true) {
    const Page page = Value(reader().RunEvents(
        "t", "r1", {.after_seq = static_cast<std::int64_t>(after), .limit = 777}, rare));
    for (const EventView& event : page.events())
      ASSERT_EQ(event.seq(), 100 * ++found);
    if (!page.has_more()) break;
    ASSERT_GT(page.highest_seq_scanned(), after);
    after = page.highest_seq_scanned();
  }
  EXPECT_EQ(found, amount_ / 100);
  EXPECT_EQ(Value(reader().Count("t")).messages, amount_ / 100);

  EXPECT_EQ(DeleteRun("t", "r1"), amount_);
  EXPECT_TRUE(Value(reader().ThreadEvents("t", {})).empty());
  EXPECT_OK(store().Compact());
  EXPECT_EQ(Append("t", InRun("r2")).first_seq, amount_ + 1);
  const VerifySummary summary = ReopenVerified();
  EXPECT_EQ(summary.events, 1U);
  EXPECT_EQ(summary.pending_purge, 0U);
}

TEST_F(ScaleTest, AMillionThreadsOfOneEvent) {
  options_.thread_cache_bytes = std::uint64_t{1} << 20;
  Reopen();
  const auto name = [](std::uint64_t i) { return "thread-" + std::to_string(i); };
  for (std::uint64_t i = 0; i < amount_; ++i)
    ASSERT_EQ(Append(name(i), InRun("r")).first_seq, 1U);
  EXPECT_EQ(ReopenVerified().threads, amount_);

  std::uint64_t listed = 0;
  std::uint64_t after = 0;
  while (true) {
    const std::vector<ThreadSummary> threads = Value(reader().Threads(after, 1000));
    if (threads.empty()) break;
    for (const ThreadSummary& thread : threads)
      ASSERT_EQ(thread.thread_id, name(listed++));
    after = threads.back().incarnation;
  }
  EXPECT_EQ(listed, amount_);
  for (std::uint64_t i = 0; i < amount_; i += 97)
    ASSERT_EQ(Append(name(i), InRun("r")).first_seq, 2U);
}

}  // namespace
}  // namespace runlog::testing
