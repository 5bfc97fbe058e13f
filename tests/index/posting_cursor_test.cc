// Goal: a posting cursor yields the seqs of its list within its window, in its direction, and jumps
// without reading what it jumps over.
// Method: hand-made chunks, also such as a purge leaves, among neighbours of other lists; RocksDB's
// own counters say what was read.

#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/keys.h"
#include "tests/index/index_test.h"
#include "tests/support/status_matchers.h"

namespace runlog::index {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr SeqWindow kAll{};

class PostingCursorTest : public IndexTest {
 protected:
  std::vector<std::uint64_t> Forward(SeqWindow window) const {
    return Rest(RunCursor(window, Direction::kForward));
  }
  std::vector<std::uint64_t> Backward(SeqWindow window) const {
    return Rest(RunCursor(window, Direction::kBackward));
  }
};

TEST_F(PostingCursorTest, AnEmptyListEndsAtOnce) {
  EXPECT_THAT(Forward(kAll), IsEmpty());
  EXPECT_THAT(Backward(kAll), IsEmpty());
  PostingCursor cursor = RunCursor(kAll, Direction::kForward);
  EXPECT_FALSE(*cursor.SeekTo(1));
}

TEST_F(PostingCursorTest, GoesOverChunksBothWays) {
  PutChunk({1, 2, 5}, 5);
  PutChunk({6}, 6);
  PutChunk({9, 20}, 20);
  EXPECT_THAT(Forward(kAll), ElementsAre(1, 2, 5, 6, 9, 20));
  EXPECT_THAT(Backward(kAll), ElementsAre(20, 9, 6, 5, 2, 1));
}

TEST_F(PostingCursorTest, BothBoundsAreExclusive) {
  PutChunk({1, 2, 5}, 5);
  PutChunk({6, 8}, 8);
  EXPECT_THAT(Forward({2, 8}), ElementsAre(5, 6));
  EXPECT_THAT(Backward({2, 8}), ElementsAre(6, 5));
  EXPECT_THAT(Forward({8, 9}), IsEmpty());
  EXPECT_THAT(Backward({8, 9}), IsEmpty());
  EXPECT_THAT(Forward({0, 1}), IsEmpty());
  EXPECT_THAT(Forward({0, 2}), ElementsAre(1));
}

TEST_F(PostingCursorTest, AWindowWithoutSeqsIsEmpty) {
  PutChunk({1, 2}, 2);
  const std::uint64_t max = ~std::uint64_t{0};
  for (const SeqWindow window : {SeqWindow{1, 2}, SeqWindow{1, 1}, SeqWindow{2, 1}, SeqWindow{0, 0},
                                 SeqWindow{max, max}, SeqWindow{max, 0}}) {
    EXPECT_THAT(Forward(window), IsEmpty());
    EXPECT_THAT(Backward(window), IsEmpty());
    PostingCursor cursor = RunCursor(window, Direction::kForward);
    EXPECT_FALSE(*cursor.SeekTo(1));
  }
}

TEST_F(PostingCursorTest, ASeqBelowBeforeIsFoundInAChunkThatEndsBehindIt) {
  PutChunk({3, 7, 50}, 50);
  EXPECT_THAT(Backward({0, 8}), ElementsAre(7, 3));
  EXPECT_THAT(Forward({0, 8}), ElementsAre(3, 7));
}

TEST_F(PostingCursorTest, AKeyMayLieAboveTheLastSeqLeftInItsChunk) {
  PutChunk({4}, 100);  // 100 and all between were purged
  PutChunk({150, 160}, 200);
  EXPECT_THAT(Forward(kAll), ElementsAre(4, 150, 160));
  EXPECT_THAT(Backward(kAll), ElementsAre(160, 150, 4));
  EXPECT_THAT(Forward({4, 1000}), ElementsAre(150, 160));
  EXPECT_THAT(Forward({160, 1000}), IsEmpty());
  EXPECT_THAT(Backward({0, 90}), ElementsAre(4));
  EXPECT_THAT(Backward({4, 180}), ElementsAre(160, 150));
  PostingCursor cursor = RunCursor(kAll, Direction::kBackward);
  ASSERT_TRUE(*cursor.SeekTo(120));
  EXPECT_EQ(cursor.posting().seq, 4U);
}

TEST_F(PostingCursorTest, NeighbouringListsStayOutside) {
  using format::PostingPrefix;
  const auto run = [&](std::uint64_t t, std::uint32_t r) {
    return PostingPrefix(format::ThreadNumber{t}, format::RunNumber{r});
  };
  PutChunk({5}, 5);
  for (const std::string& other : {run(258, 2), run(258, 4), run(257, 3), run(259, 3)}) {
    PutChunk(families_.run_index, other, {1, 9}, 9);
  }
  EXPECT_THAT(Forward(kAll), ElementsAre(5));
  EXPECT_THAT(Backward(kAll), ElementsAre(5));

  for (const char* name : {"a", "ab", "b", "aa", "\xff\xff"}) {
    const std::string prefix = PostingPrefix(kThread, kRun, name);
    const std::uint64_t seq = std::string_view(name) == "ab" ? 5 : 6;
    PutChunk(families_.type_index, prefix, {seq}, seq);
  }
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    EXPECT_THAT(Rest(PostingCursor(Source(), families_.type_index,
                                   PostingPrefix(kThread, kRun, "ab"), kAll, direction)),
                ElementsAre(5));
  }
}

TEST_F(PostingCursorTest, TheLastListOfAFamilyHasNoEnd) {
  const std::string prefix = format::PostingPrefix(format::ThreadNumber{~std::uint64_t{0}},
                                                   format::RunNumber{~std::uint32_t{0}});
  PutChunk(families_.run_index, prefix, {5, 6}, 6);
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    EXPECT_THAT(Rest(PostingCursor(Source(), families_.run_index, prefix, kAll, direction)),
                ::testing::UnorderedElementsAre(5, 6));
  }
}

TEST_F(PostingCursorTest, ASnapshotHidesWhatCameLater) {
  PutChunk({1}, 1);
  const rocksdb::Snapshot* const snapshot = db().GetSnapshot();
  PutChunk({2}, 2);
  EXPECT_THAT(Rest(RunCursor(kAll, Direction::kForward, snapshot)), ElementsAre(1));
  EXPECT_THAT(Rest(RunCursor(kAll, Direction::kBackward, snapshot)), ElementsAre(1));
  EXPECT_THAT(Forward(kAll), ElementsAre(1, 2));
  db().ReleaseSnapshot(snapshot);
}

TEST_F(PostingCursorTest, TheEndIsForGood) {
  PutChunk({1}, 1);
  PostingCursor cursor = RunCursor(kAll, Direction::kForward);
  EXPECT_TRUE(*cursor.Next());
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(*cursor.Next());
    EXPECT_FALSE(*cursor.SeekTo(1));
  }
}

TEST_F(PostingCursorTest, AMovedCursorGoesOn) {
  PutChunk({1, 2}, 2);
  PutChunk({3}, 3);
  PostingCursor cursor = RunCursor(kAll, Direction::kForward);
  ASSERT_TRUE(*cursor.Next());
  PostingCursor moved = std::move(cursor);
  EXPECT_EQ(moved.posting().seq, 1U);
  EXPECT_THAT(Rest(moved), ElementsAre(2, 3));
}

TEST_F(PostingCursorTest, SeekToLandsAtOrBehindAndNeverStepsBack) {
  PutChunk({10, 20}, 20);
  PutChunk({30}, 30);
  PutChunk({40, 50}, 50);
  PostingCursor up = RunCursor(kAll, Direction::kForward);
  const auto up_to = [&up](std::uint64_t seq) { return *up.SeekTo(seq) ? up.posting().seq : 0; };
  EXPECT_EQ(up_to(15), 20U);
  EXPECT_EQ(up_to(20), 20U);
  EXPECT_EQ(up_to(3), 20U);
  EXPECT_EQ(up_to(21), 30U);
  EXPECT_TRUE(*up.Next());
  EXPECT_EQ(up.posting().seq, 40U);
  EXPECT_EQ(up_to(50), 50U);
  EXPECT_EQ(up_to(51), 0U);

  PostingCursor down = RunCursor(kAll, Direction::kBackward);
  const auto down_to = [&down](std::uint64_t seq) {
    return *down.SeekTo(seq) ? down.posting().seq : 0;
  };
  EXPECT_EQ(down_to(45), 40U);
  EXPECT_EQ(down_to(40), 40U);
  EXPECT_EQ(down_to(48), 40U);
  EXPECT_EQ(down_to(35), 30U);
  EXPECT_TRUE(*down.Next());
  EXPECT_EQ(down.posting().seq, 20U);
  EXPECT_EQ(down_to(9), 0U);
}

TEST_F(PostingCursorTest, SeekToKeepsToTheWindow) {
  PutChunk({1, 2, 3, 4, 5}, 5);
  PostingCursor up = RunCursor({2, 5}, Direction::kForward);
  ASSERT_TRUE(*up.SeekTo(1));
  EXPECT_EQ(up.posting().seq, 3U);
  EXPECT_FALSE(*up.SeekTo(5));
  PostingCursor down = RunCursor({2, 5}, Direction::kBackward);
  ASSERT_TRUE(*down.SeekTo(5));
  EXPECT_EQ(down.posting().seq, 4U);
  EXPECT_FALSE(*down.SeekTo(2));
}

// --- cost ----------------------------------------------------------------------------------------

class PostingCursorCostTest : public PostingCursorTest {
 protected:
  /// `count` chunks of one posting each, as appends of one event leave them.
  void PutSingles(std::uint64_t count) {
    const std::string prefix = format::PostingPrefix(kThread, kRun);
    for (std::uint64_t seq = 1; seq <= count; ++seq) {
      PutChunk(families_.run_index, prefix, {seq}, seq);
    }
  }
};

TEST_F(PostingCursorCostTest, SeekToJumpsOverChunksWithoutReadingThem) {
  constexpr std::uint64_t kCount = 50'000;
  PutSingles(kCount);
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const std::uint64_t before = Ticks(rocksdb::NUMBER_DB_NEXT) + Ticks(rocksdb::NUMBER_DB_PREV);
    {
      PostingCursor cursor = RunCursor(kAll, direction);
      ASSERT_TRUE(*cursor.Next());
      ASSERT_TRUE(*cursor.SeekTo(kCount / 2));
      EXPECT_EQ(cursor.posting().seq, kCount / 2);
    }  // an iterator counts when it goes
    const std::uint64_t steps =
        Ticks(rocksdb::NUMBER_DB_NEXT) + Ticks(rocksdb::NUMBER_DB_PREV) - before;
    EXPECT_LT(steps, 10U);
  }
}

TEST_F(PostingCursorCostTest, NearTargetsAreReachedByStepping) {
  constexpr std::uint64_t kCount = 3'000;
  PutSingles(kCount);
  const std::uint64_t before = Ticks(rocksdb::NUMBER_DB_SEEK);
  {
    PostingCursor cursor = RunCursor(kAll, Direction::kForward);
    for (std::uint64_t seq = 1; seq <= kCount; seq += 3) {
      ASSERT_TRUE(*cursor.SeekTo(seq));
      ASSERT_EQ(cursor.posting().seq, seq);
    }
  }
  EXPECT_LT(Ticks(rocksdb::NUMBER_DB_SEEK) - before, 5U);
}

TEST_F(PostingCursorCostTest, AMillionSeqsAreAThousandChunks) {
  constexpr std::uint64_t kCount = 1'000'000;
  const std::string prefix = format::PostingPrefix(kThread, kRun);
  std::vector<std::uint64_t> seqs(kPostingsPerChunkMax);
  for (std::uint64_t first = 1; first <= kCount; first += seqs.size()) {
    std::iota(seqs.begin(), seqs.end(), first);
    PutChunk(families_.run_index, prefix, seqs, seqs.back());
  }
  Flush(families_.run_index);
  const std::uint64_t last = (kCount / seqs.size() + 1) * seqs.size();
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    PostingCursor cursor = RunCursor(kAll, direction);
    const bool forward = direction == Direction::kForward;
    for (std::uint64_t i = 0; i < last; ++i) {
      ASSERT_TRUE(*cursor.Next());
      ASSERT_EQ(cursor.posting().seq, forward ? i + 1 : last - i);
    }
    EXPECT_FALSE(*cursor.Next());
  }
}

}  // namespace
}  // namespace runlog::index
