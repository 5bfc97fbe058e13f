// Goal: a message cursor yields a thread's messages by seq, the hidden ones only when asked.
// Method: hand-made rows for the rules; then random rows of several threads against plain sets.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/keys.h"
#include "format/records.h"
#include "tests/index/index_test.h"
#include "tests/support/seeded_random.h"
#include "tests/support/status_matchers.h"

namespace runlog::index {
namespace {

using format::MessageVisibility;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr SeqWindow kAll{};

class MessageCursorTest : public IndexTest {
 protected:
  void PutMessage(format::ThreadNumber thread, MessageVisibility visibility, std::uint64_t seq) {
    const auto key = format::Encode(format::MessageKey{thread, visibility, seq});
    const format::MessageEntry entry{RunOf(seq), OwnerOf(seq), ClassOf(seq).byte()};
    Put(families_.message_index, {key.data(), key.size()}, format::Encode(entry));
  }
  void PutVisible(std::uint64_t seq) { PutMessage(kThread, MessageVisibility::kVisible, seq); }
  void PutHidden(std::uint64_t seq) { PutMessage(kThread, MessageVisibility::kHidden, seq); }

  static format::RunNumber RunOf(std::uint64_t seq) {
    return format::RunNumber{static_cast<std::uint32_t>(seq + 1)};
  }
  static format::OwnerNumber OwnerOf(std::uint64_t seq) {
    return format::OwnerNumber{static_cast<std::uint32_t>(seq % 3)};
  }
};

TEST_F(MessageCursorTest, AThreadWithoutMessagesEndsAtOnce) {
  PutMessage(format::ThreadNumber{257}, MessageVisibility::kHidden, 5);
  PutMessage(format::ThreadNumber{259}, MessageVisibility::kVisible, 5);
  EXPECT_THAT(Rest(Messages(true, kAll, Direction::kForward)), IsEmpty());
  EXPECT_THAT(Rest(Messages(true, kAll, Direction::kBackward)), IsEmpty());
}

TEST_F(MessageCursorTest, VisibleAndHiddenComeInOneOrder) {
  for (const std::uint64_t seq : {2U, 5U, 6U})
    PutVisible(seq);
  for (const std::uint64_t seq : {1U, 4U, 9U})
    PutHidden(seq);
  EXPECT_THAT(Rest(Messages(true, kAll, Direction::kForward)), ElementsAre(1, 2, 4, 5, 6, 9));
  EXPECT_THAT(Rest(Messages(true, kAll, Direction::kBackward)), ElementsAre(9, 6, 5, 4, 2, 1));
}

TEST_F(MessageCursorTest, HiddenOnesStayOutUnlessAskedFor) {
  PutVisible(2);
  PutHidden(3);
  PutVisible(7);
  EXPECT_THAT(Rest(Messages(false, kAll, Direction::kForward)), ElementsAre(2, 7));
  EXPECT_THAT(Rest(Messages(false, kAll, Direction::kBackward)), ElementsAre(7, 2));
}

TEST_F(MessageCursorTest, BothBoundsAreExclusive) {
  for (const std::uint64_t seq : {1U, 3U, 5U})
    PutVisible(seq);
  for (const std::uint64_t seq : {2U, 4U, 6U})
    PutHidden(seq);
  EXPECT_THAT(Rest(Messages(true, {2, 5}, Direction::kForward)), ElementsAre(3, 4));
  EXPECT_THAT(Rest(Messages(true, {2, 5}, Direction::kBackward)), ElementsAre(4, 3));
  EXPECT_THAT(Rest(Messages(true, {4, 5}, Direction::kForward)), IsEmpty());
  EXPECT_THAT(Rest(Messages(true, {5, 4}, Direction::kForward)), IsEmpty());
  const std::uint64_t max = ~std::uint64_t{0};
  EXPECT_THAT(Rest(Messages(true, {max, max}, Direction::kForward)), IsEmpty());
  EXPECT_THAT(Rest(Messages(true, {5, max}, Direction::kForward)), ElementsAre(6));
}

TEST_F(MessageCursorTest, ARowTellsRunOwnerAndClass) {
  PutHidden(0x1234);
  MessageCursor cursor = Messages(true, kAll, Direction::kForward);
  ASSERT_TRUE(*cursor.Next());
  EXPECT_EQ(cursor.posting().seq, 0x1234U);
  EXPECT_EQ(cursor.posting().run, RunOf(0x1234));
  EXPECT_EQ(cursor.posting().owner, OwnerOf(0x1234));
  EXPECT_EQ(cursor.posting().event_class, ClassOf(0x1234));
}

TEST_F(MessageCursorTest, TheEndIsForGoodAndSurvivesAMove) {
  PutVisible(1);
  PutHidden(2);
  MessageCursor cursor = Messages(true, kAll, Direction::kForward);
  ASSERT_TRUE(*cursor.Next());
  MessageCursor moved = std::move(cursor);
  EXPECT_EQ(moved.posting().seq, 1U);
  EXPECT_TRUE(*moved.Next());
  EXPECT_EQ(moved.posting().seq, 2U);
  EXPECT_FALSE(*moved.Next());
  EXPECT_FALSE(*moved.Next());
}

TEST_F(MessageCursorTest, ASnapshotHidesWhatCameLater) {
  PutVisible(1);
  const rocksdb::Snapshot* const snapshot = db().GetSnapshot();
  PutVisible(2);
  EXPECT_THAT(Rest(MessageCursor(Source(snapshot), families_.message_index, kThread, true, kAll,
                                 Direction::kBackward)),
              ElementsAre(1));
  db().ReleaseSnapshot(snapshot);
}

TEST_F(MessageCursorTest, RandomRowsComeAsFromASet) {
  constexpr std::uint64_t kSeed = 8;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  runlog::testing::SeededRandom random(kSeed);
  std::map<std::uint64_t, bool> hidden_by_seq;
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t seq = random.Between(1, 2'000);
    const bool hidden = random.OneIn(3);
    if (!hidden_by_seq.emplace(seq, hidden).second) continue;
    hidden ? PutHidden(seq) : PutVisible(seq);
    PutMessage(format::ThreadNumber{random.OneIn(2) ? 257U : 259U}, MessageVisibility::kVisible,
               seq);
    if (i == 200) Flush(families_.message_index);
  }
  for (int round = 0; round < 500; ++round) {
    const SeqWindow window{random.Below(2'050), random.Below(2'050)};
    const bool include_hidden = random.OneIn(2);
    std::vector<std::uint64_t> expected;
    for (const auto& [seq, hidden] : hidden_by_seq) {
      const bool inside = seq > window.after && seq < window.before;
      if (inside && (include_hidden || !hidden)) expected.push_back(seq);
    }
    ASSERT_EQ(Rest(Messages(include_hidden, window, Direction::kForward)), expected);
    std::reverse(expected.begin(), expected.end());
    ASSERT_EQ(Rest(Messages(include_hidden, window, Direction::kBackward)), expected);
  }
}

}  // namespace
}  // namespace runlog::index
