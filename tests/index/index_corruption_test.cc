// Goal: a damaged index is kCorruption that names its family, and stays that; it never looks like
// the end of the data.
// Method: foreign keys and values among good ones, and a flipped byte in RocksDB's own file.

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/keys.h"
#include "format/records.h"
#include "tests/index/index_test.h"
#include "tests/support/status_matchers.h"

namespace runlog::index {
namespace {

using runlog::testing::FailsWith;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr SeqWindow kAll{};

/// Steps to the first failure, or an OK status at the end.
template <typename Cursor>
Status Failure(Cursor& cursor) {
  for (;;) {
    const Result<bool> next = cursor.Next();
    if (!next.ok()) return next.status();
    if (!*next) return {};
  }
}

class IndexCorruptionTest : public IndexTest {
 protected:
  /// Expects both directions to fail so, and to keep failing.
  void ExpectRunIndexFails(const std::string& why) {
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      PostingCursor cursor = RunCursor(kAll, direction);
      const auto fails =
          FailsWith(StatusCode::kCorruption, AllOf(HasSubstr("run_index"), HasSubstr(why)));
      EXPECT_THAT(Failure(cursor), fails);
      EXPECT_THAT(cursor.Next(), fails);
      EXPECT_THAT(cursor.SeekTo(5), fails);
    }
  }

  std::string ListPrefix() const { return format::PostingPrefix(kThread, kRun); }
};

TEST_F(IndexCorruptionTest, AValueThatIsNoChunkFails) {
  PutChunk({1}, 1);
  Put(families_.run_index, format::PostingKey(ListPrefix(), 5), "garbage");
  PutChunk({9}, 9);
  ExpectRunIndexFails("posting chunk under seq 5");
}

TEST_F(IndexCorruptionTest, AnEmptyValueFails) {
  Put(families_.run_index, format::PostingKey(ListPrefix(), 5), "");
  ExpectRunIndexFails("posting chunk under seq 5");
}

TEST_F(IndexCorruptionTest, AKeyOfAnotherLengthFails) {
  PutChunk({1}, 1);
  PutChunk({9}, 9);
  Put(families_.run_index, format::PostingKey(ListPrefix(), 5) + "x", "garbage");
  ExpectRunIndexFails("not a posting key");
}

TEST_F(IndexCorruptionTest, ChunksThatOverlapFail) {
  PutChunk({1, 6}, 6);
  PutChunk({5, 9}, 9);
  ExpectRunIndexFails("overlap");
}

TEST_F(IndexCorruptionTest, ChunksThatReachIntoThePurgedPartOfAnotherFail) {
  PutChunk({1}, 6);
  PutChunk({5, 9}, 9);
  ExpectRunIndexFails("overlap");
}

TEST_F(IndexCorruptionTest, AJumpOntoADamagedChunkFails) {
  PutChunk({1}, 1);
  Put(families_.run_index, format::PostingKey(ListPrefix(), 500), "garbage");
  PostingCursor cursor = RunCursor(kAll, Direction::kForward);
  ASSERT_TRUE(*cursor.Next());
  EXPECT_THAT(cursor.SeekTo(400), FailsWith(StatusCode::kCorruption, HasSubstr("run_index")));
}

TEST_F(IndexCorruptionTest, ADamagedChunkOutsideTheWindowHarmsNobody) {
  Put(families_.run_index, format::PostingKey(ListPrefix(), 5), "garbage");
  PutChunk({6, 7}, 7);
  EXPECT_THAT(Rest(RunCursor({5, 7}, Direction::kForward)), ::testing::ElementsAre(6));
  EXPECT_THAT(Rest(RunCursor({5, 7}, Direction::kBackward)), ::testing::ElementsAre(6));
}

TEST_F(IndexCorruptionTest, AMessageRowOfAnotherLengthFails) {
  const auto key =
      format::Encode(format::MessageKey{kThread, format::MessageVisibility::kVisible, 5});
  Put(families_.message_index, {key.data(), key.size()}, "12345678");
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    MessageCursor cursor = Messages(true, kAll, direction);
    const auto fails = FailsWith(StatusCode::kCorruption, HasSubstr("message_index"));
    EXPECT_THAT(cursor.Next(), fails);
    EXPECT_THAT(cursor.Next(), fails);
  }
}

TEST_F(IndexCorruptionTest, AMessageKeyOfAnotherLengthFails) {
  const auto key =
      format::Encode(format::MessageKey{kThread, format::MessageVisibility::kVisible, 5});
  Put(families_.message_index, std::string(key.data(), key.size()) + "x",
      format::Encode(format::MessageEntry{}));
  MessageCursor cursor = Messages(false, kAll, Direction::kForward);
  EXPECT_THAT(cursor.Next(), FailsWith(StatusCode::kCorruption, HasSubstr("message_index")));
}

TEST_F(IndexCorruptionTest, AMessageBothVisibleAndHiddenFails) {
  for (const auto visibility :
       {format::MessageVisibility::kVisible, format::MessageVisibility::kHidden}) {
    const auto key = format::Encode(format::MessageKey{kThread, visibility, 5});
    Put(families_.message_index, {key.data(), key.size()},
        format::Encode(format::MessageEntry{kRun, {}, 1}));
  }
  MessageCursor cursor = Messages(true, kAll, Direction::kForward);
  EXPECT_THAT(cursor.Next(), FailsWith(StatusCode::kCorruption, HasSubstr("visible and hidden")));
}

// --- RocksDB's files -----------------------------------------------------------------------------

void FlipByte(const std::filesystem::path& path, std::streamoff at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(at);
  const int byte = file.get();
  file.seekp(at);
  file.put(static_cast<char>(byte ^ 0x40));
  ASSERT_TRUE(file.good());
}

class IndexFileCorruptionTest : public IndexCorruptionTest {
 protected:
  /// Flushes, and flips a byte of the first data block of the one table file there is.
  void DamageTheFile(rocksdb::ColumnFamilyHandle* family) {
    Flush(family);
    std::vector<std::filesystem::path> tables;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      if (entry.path().extension() == ".sst") tables.push_back(entry.path());
    }
    ASSERT_EQ(tables.size(), 1U);
    FlipByte(tables.front(), 20);
    Reopen();
  }
};

TEST_F(IndexFileCorruptionTest, AFlippedByteOfAPostingBlockIsNotTheEnd) {
  PutChunk({1, 2, 3}, 3);
  PutChunk({4, 5}, 5);
  DamageTheFile(families_.run_index);
  ExpectRunIndexFails("checksum");
}

TEST_F(IndexFileCorruptionTest, AFlippedByteOfAMessageBlockIsNotTheEnd) {
  const auto key =
      format::Encode(format::MessageKey{kThread, format::MessageVisibility::kHidden, 5});
  Put(families_.message_index, {key.data(), key.size()},
      format::Encode(format::MessageEntry{kRun, {}, 1}));
  DamageTheFile(families_.message_index);
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    MessageCursor cursor = Messages(true, kAll, direction);
    EXPECT_THAT(Failure(cursor), FailsWith(StatusCode::kCorruption, HasSubstr("message_index")));
  }
}

}  // namespace
}  // namespace runlog::index
