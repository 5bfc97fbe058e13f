// Goal: FORMAT.md and the encoders agree byte for byte.
// Method: the page's golden blocks are compared with what the encoders make of the values the page
// names. Here are the keys and records; other blocks have their case in the test of their unit.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/checksum.h"
#include "format/keys.h"
#include "format/records.h"
#include "tests/support/golden.h"

namespace runlog::format {
namespace {

using runlog::testing::Golden;
using runlog::testing::GoldenBlocks;
using runlog::testing::Hex;
using ::testing::SizeIs;

template <std::size_t N>
std::string HexOf(const std::array<char, N>& bytes) {
  return Hex({bytes.data(), bytes.size()});
}

TEST(FormatPageTest, EventKeyIsThePages) {
  EXPECT_EQ(HexOf(Encode(EventKey{ThreadNumber{258}, 7})), Golden("event_key"));
}

TEST(FormatPageTest, RunIndexKeyIsThePages) {
  const std::string prefix = PostingPrefix(ThreadNumber{258}, RunNumber{3});
  EXPECT_EQ(Hex(PostingKey(prefix, 1024)), Golden("run_index_key"));
}

TEST(FormatPageTest, TypeIndexKeyIsThePages) {
  const std::string prefix = PostingPrefix(ThreadNumber{258}, RunNumber{3}, "run.end");
  EXPECT_EQ(Hex(PostingKey(prefix, 7)), Golden("type_index_key"));
}

TEST(FormatPageTest, EventDigestIsThePages) {
  const Digest128 digest = EventDigest("t", "r", "u", 7, 0x0102030405060708);
  EXPECT_EQ(Hex(EncodeU64(digest.low) + EncodeU64(digest.high)), Golden("event_digest"));
}

TEST(FormatPageTest, CommitRowIsThePages) {
  CommandRow append;
  append.kind = StoredCommitKind::kAppend;
  append.at_us = 1'000'000;
  append.thread = ThreadNumber{258};
  append.first_seq = 6;
  append.count = 2;
  append.slices.push_back({RunNumber{3},
                           OwnerNumber{1},
                           {.events = 2,
                            .messages = 1,
                            .bytes = 1400,
                            .volatile_events = 0,
                            .first_seq = 6,
                            .last_seq = 7,
                            .first_at_us = -1,
                            .last_at_us = 999'000,
                            .digest = {.low = 1, .high = 2},
                            .volatile_digest = {}}});
  append.states.push_back({RunNumber{3}, StoredRunState::kEnded, "success", 7});
  CommandRow erase;
  erase.kind = StoredCommitKind::kDeleteRun;
  erase.at_us = 1'000'001;
  erase.thread = ThreadNumber{258};
  erase.thread_id = "t";
  erase.run_id = "r";
  erase.user_id = "u";
  erase.run = RunNumber{3};
  erase.owner = OwnerNumber{1};
  erase.count = 2;
  const CommitRow row{0x0102030405060708, 40, {append, erase}};
  EXPECT_EQ(Hex(Encode(row)), Golden("commit_row"));
}

TEST(FormatPageTest, GapRowIsThePages) {
  const GapRow row{300, GapReason::kOwnerErased, RunNumber{3}, 41};
  EXPECT_EQ(Hex(Encode(row)), Golden("gap_row"));
}

/// The text of every test.
std::string AllTests() {
  std::string text;
  const std::filesystem::path tests(RUNLOG_SOURCE_DIR "/tests");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tests)) {
    if (!entry.path().string().ends_with("_test.cc")) continue;
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

TEST(FormatPageTest, EveryGoldenBlockHasATest) {
  const auto blocks = GoldenBlocks();
  ASSERT_GE(blocks.size(), 7U);
  const std::string tests = AllTests();
  for (const auto& [name, hex] : blocks) {
    EXPECT_NE(tests.find("Golden(\"" + name + "\")"), std::string::npos)
        << "no test compares the block " << name;
    EXPECT_FALSE(hex.empty()) << name;
  }
}

}  // namespace
}  // namespace runlog::format
