// Goal: a damaged store is explained and, when told so, opened with what is left. Method: the real
// binary on a store whose log was changed.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line_test.h"

namespace runlog::tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class DoctorCommandTest : public CommandLineTest {
 protected:
  /// Changes a byte in the middle of the store's log; the name of it.
  std::string DamageLog() const {
    fs::path log;
    for (const fs::directory_entry& entry : fs::directory_iterator(db())) {
      if (entry.path().extension() == ".log") log = entry.path();
    }
    std::ifstream file(log, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    std::ofstream(log, std::ios::binary | std::ios::trunc) << bytes;
    return log.filename().string();
  }
};

TEST_F(DoctorCommandTest, AStoreThatOpensHasNoFindings) {
  Append(EventsIn("t", 3));
  const Ended ended = Run("doctor");
  EXPECT_EQ(ended.code, 0);
  ASSERT_THAT(ended.lines(), SizeIs(1));
  EXPECT_EQ(Member(ended.lines()[0], "opens"), "true");
  EXPECT_EQ(Member(ended.lines()[0], "closed_clean"), "true");
}

TEST_F(DoctorCommandTest, AFolderWithoutAStoreIsAnError) {
  EXPECT_EQ(Run("doctor").code, 3);
}

TEST_F(DoctorCommandTest, ADamagedLogIsNamedByEveryCommandAndCanBeAccepted) {
  for (int i = 0; i < 6; ++i)
    Append(EventsIn("t", 1));
  const std::string log = DamageLog();
  const Ended events = Run("events", {"t"});
  EXPECT_EQ(events.code, 3);
  EXPECT_THAT(events.err, HasSubstr(log));
  EXPECT_EQ(Run("append", {}, EventsIn("t", 1)).code, 3);
  const Ended verified = Run("verify");
  EXPECT_EQ(verified.code, 1);
  EXPECT_THAT(verified.out, HasSubstr(log));

  const Ended ended = Run("doctor");
  EXPECT_EQ(ended.code, 1);
  ASSERT_THAT(ended.lines(), SizeIs(2));
  EXPECT_EQ(Member(ended.lines()[0], "file"), '"' + log + '"');
  EXPECT_EQ(Member(ended.lines()[0], "finding"), "\"kDataLoss\"");
  EXPECT_EQ(Member(ended.lines()[1], "can_be_accepted"), "true");
  EXPECT_THAT(ended.err, HasSubstr("--accept-loss"));

  const Ended accepted = Run("doctor", {"--accept-loss"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_EQ(Member(accepted.lines().back(), "opens"), "true");
  EXPECT_EQ(Member(accepted.lines().back(), "epoch"), "2");
  EXPECT_EQ(Run("verify").code, 0);
  EXPECT_TRUE(fs::is_regular_file(fs::path(db()) / "set-aside-2" / log));
}

}  // namespace
}  // namespace runlog::tools
