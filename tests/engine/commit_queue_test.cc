// Goal: an import beside small appends neither makes more than one in a hundred of them late nor
// waits for ever, and where nothing small is written it waits for nothing.
// Method: commands of given sizes in a queue of its own, at moments the test chooses.

#include "engine/commit_queue.h"

#include <chrono>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/status_matchers.h"

namespace runlog::engine {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Group = std::vector<std::shared_ptr<Command>>;

constexpr std::uint64_t kSmall = 1'000;
constexpr std::uint64_t kLarge = std::uint64_t{100} << 10;

class CommitQueueTest : public ::testing::Test {
 protected:
  void Push(std::uint64_t bytes) {
    auto command = std::make_shared<AppendCommand>();
    command->bytes = bytes;
    EXPECT_OK(queue_.Push(std::move(command), Deadline::max()));
  }

  /// Takes a group and is done with it after `time`.
  Group Take(microseconds time) {
    Group group = queue_.Take(now_);
    now_ += time;
    queue_.Done(now_);
    return group;
  }

  /// Keeps `callers` small commands in line, each group taking `time`, until a large one goes.
  /// Returns how many small ones went before it.
  std::size_t SmallBeforeTheNextLarge(std::size_t callers, microseconds time) {
    std::size_t small = 0;
    while (true) {
      while (queue_.commands() < callers + 1)
        Push(kSmall);
      const LargePace::Moment began = now_;
      const Group group = Take(time);
      if (group.front()->large) {
        now_ = began;
        return small;
      }
      small += group.size();
    }
  }

  CommitQueue queue_{std::uint64_t{64} << 20};
  LargePace::Moment now_{std::chrono::hours(1)};
};

TEST_F(CommitQueueTest, ALargeCommandWithNothingBesideItGoesAtOnceAndTheNextToo) {
  Push(kLarge);
  EXPECT_EQ(Take(milliseconds(5)).size(), 1U);
  Push(kLarge);
  EXPECT_EQ(queue_.NextAt(now_), now_);
  EXPECT_EQ(Take(milliseconds(5)).size(), 1U);
  EXPECT_EQ(queue_.NextAt(now_), LargePace::Moment::max());
}

TEST_F(CommitQueueTest, LargeCommandsShareAGroupWhereNoSmallOneWaits) {
  for (int i = 0; i < 12; ++i)
    Push(kLarge);
  EXPECT_EQ(Take(milliseconds(1)).size(), 10U);  // 1 MiB
  EXPECT_EQ(Take(milliseconds(1)).size(), 2U);
}

TEST_F(CommitQueueTest, ALargeCommandGoesAloneWhereASmallOneWaits) {
  Push(kLarge);
  Push(kLarge);
  Push(kSmall);
  EXPECT_EQ(Take(milliseconds(1)).size(), 1U);
  const Group next = Take(milliseconds(1));
  ASSERT_EQ(next.size(), 1U);
  EXPECT_FALSE(next.front()->large);
}

TEST_F(CommitQueueTest, BesideManySmallOnesFewerThanOneInAHundredIsLate) {
  Push(kLarge);
  for (int i = 0; i < 4; ++i)
    Push(kSmall);
  EXPECT_TRUE(Take(milliseconds(5)).front()->large);
  Push(kLarge);
  EXPECT_GT(SmallBeforeTheNextLarge(4, microseconds(80)), 400U);
}

TEST_F(CommitQueueTest, WhereThatIsOutOfReachTheSmallOnesHaveAsMuchTimeAsTheLargeOneTook) {
  Push(kLarge);
  Push(kSmall);
  EXPECT_TRUE(Take(milliseconds(4)).front()->large);
  const LargePace::Moment ended = now_;
  Push(kLarge);
  EXPECT_EQ(SmallBeforeTheNextLarge(1, milliseconds(1)), 4U);
  EXPECT_EQ(now_ - ended, milliseconds(4));
}

TEST_F(CommitQueueTest, ALargeCommandWaitsSixteenTimesItsTimeAtMost) {
  Push(kLarge);
  for (int i = 0; i < 100; ++i)
    Push(kSmall);
  EXPECT_TRUE(Take(milliseconds(1)).front()->large);
  const LargePace::Moment ended = now_;
  Push(kLarge);
  EXPECT_GT(SmallBeforeTheNextLarge(100, microseconds(110)), 100U);
  EXPECT_LE(now_ - ended, milliseconds(17));
}

TEST_F(CommitQueueTest, APauseWithNothingSmallLeftEndsByItself) {
  Push(kLarge);
  Push(kSmall);
  EXPECT_TRUE(Take(milliseconds(4)).front()->large);
  EXPECT_FALSE(Take(microseconds(100)).front()->large);
  Push(kLarge);
  EXPECT_TRUE(Take(microseconds(0)).empty());
  const LargePace::Moment next = queue_.NextAt(now_);
  EXPECT_GT(next, now_);
  EXPECT_LE(next, now_ + milliseconds(4));
  now_ = next;
  EXPECT_TRUE(Take(milliseconds(4)).front()->large);
}

// A command is answered, and may be in line again, before the queue hears that its group is done.
TEST_F(CommitQueueTest, ALargeCommandThatIsQueuedAgainAsASmallOneWasStillALargeOne) {
  Push(kLarge);
  Push(kSmall);
  const Group group = queue_.Take(now_);
  ASSERT_TRUE(group.front()->large);
  group.front()->bytes = kSmall;
  EXPECT_OK(queue_.Push(group.front(), Deadline::max()));
  now_ += milliseconds(4);
  queue_.Done(now_);
  Push(kLarge);
  EXPECT_EQ(Take(milliseconds(1)).size(), 2U);
  EXPECT_GT(queue_.NextAt(now_), now_);
}

TEST_F(CommitQueueTest, AClosedQueueMakesNoPause) {
  Push(kLarge);
  Push(kSmall);
  EXPECT_TRUE(Take(milliseconds(4)).front()->large);
  EXPECT_FALSE(Take(microseconds(100)).front()->large);
  Push(kLarge);
  queue_.Close();
  EXPECT_EQ(queue_.NextAt(now_), now_);
  EXPECT_TRUE(Take(milliseconds(4)).front()->large);
}

}  // namespace
}  // namespace runlog::engine
