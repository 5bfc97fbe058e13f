// Goal: lines end at \n and nowhere else, and a line that never ends cannot fill the memory.
// Method: files with lines of every awkward kind.

#include "tools/line_reader.h"

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace runlog::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LineReaderTest : public ::testing::Test {
 protected:
  LineReaderTest() {
    const int fd = ::mkstemp(path_.data());
    EXPECT_GE(fd, 0);
    ::close(fd);
  }
  ~LineReaderTest() override { ::unlink(path_.c_str()); }

  std::vector<std::string> LinesOf(std::string_view text) {
    std::ofstream(path_, std::ios::binary) << text;
    auto reader = LineReader::Open(path_);
    EXPECT_TRUE(reader.ok()) << reader.status().ToString();
    std::vector<std::string> lines;
    for (;;) {
      const auto line = reader.value().Next();
      EXPECT_TRUE(line.ok()) << line.status().ToString();
      if (!line.ok() || !*line) return lines;
      lines.emplace_back(**line);
      EXPECT_EQ(reader->line_number(), lines.size());
    }
  }

  std::string path_ = ::testing::TempDir() + "line_reader_XXXXXX";
};

TEST_F(LineReaderTest, LinesEndAtLineFeedsOnly) {
  EXPECT_THAT(LinesOf("a\r\nb\xe2\x80\xa8"
                      "c\xc2\x85"
                      "d\n\ne"),
              ElementsAre("a\r",
                          "b\xe2\x80\xa8"
                          "c\xc2\x85"
                          "d",
                          "", "e"));
}

TEST_F(LineReaderTest, ALastLineFeedEndsALineAndStartsNone) {
  EXPECT_THAT(LinesOf(""), IsEmpty());
  EXPECT_THAT(LinesOf("\n"), ElementsAre(""));
  EXPECT_THAT(LinesOf("a\n"), ElementsAre("a"));
}

TEST_F(LineReaderTest, LinesMaySpanWhatOneReadBrings) {
  const std::string first(1'000'003, 'a');
  const std::string second(700'001, 'b');
  EXPECT_THAT(LinesOf(first + "\n" + second + "\nc\n"), ElementsAre(first, second, "c"));
}

TEST_F(LineReaderTest, ALineOverTheLimitIsAnErrorThatNamesIt) {
  std::ofstream(path_, std::ios::binary) << "short\n" << std::string(3'000'000, 'x');
  auto reader = LineReader::Open(path_, 1'000'000);
  ASSERT_TRUE(reader.ok());
  ASSERT_TRUE(reader.value().Next().ok());

  const auto line = reader.value().Next();
  EXPECT_EQ(line.status().code(), StatusCode::kTooLarge);
  EXPECT_THAT(std::string(line.status().message()), ::testing::HasSubstr(path_ + ":2: "));
}

TEST_F(LineReaderTest, ALineOfTheLimitIsTaken) {
  std::ofstream(path_, std::ios::binary) << std::string(1000, 'x') << "\n"
                                         << std::string(1001, 'y');
  auto reader = LineReader::Open(path_, 1000);
  ASSERT_TRUE(reader.ok());
  EXPECT_TRUE(reader.value().Next().ok());
  EXPECT_EQ(reader.value().Next().status().code(), StatusCode::kTooLarge);
}

TEST_F(LineReaderTest, AFolderIsNoFile) {
  auto reader = LineReader::Open(::testing::TempDir());
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader.value().Next().status().code(), StatusCode::kIoError);
}

}  // namespace
}  // namespace runlog::tools
