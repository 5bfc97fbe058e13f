// Goal: what is printed cannot drive a terminal, and a lost reader is told from a full disk.
// Method: a console on a pseudo-terminal, a pipe and a full device.

#include "tools/console.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace runlog::tools {
namespace {

constexpr std::string_view kHostile =
    "{\"a\":\"\x7f\xc2\x9b"
    "31m\xe2\x80\xae\xc3\xa9\"}";

std::string ReadAvailable(int fd) {
  std::array<char, 4096> bytes{};
  const ssize_t count = ::read(fd, bytes.data(), bytes.size());
  return count > 0 ? std::string(bytes.data(), static_cast<std::size_t>(count)) : std::string();
}

class ConsoleTest : public ::testing::Test {
 protected:
  ConsoleTest() {
    ::signal(SIGPIPE, SIG_IGN);
    EXPECT_EQ(::pipe(pipe_.data()), 0);
  }
  ~ConsoleTest() override {
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }

  std::array<int, 2> pipe_{};
};

TEST_F(ConsoleTest, LinesGoUnchangedIntoAPipe) {
  Console console(pipe_[1], STDERR_FILENO);
  console.PrintLine(kHostile);
  EXPECT_EQ(console.Finish(ExitCode::kDone), ExitCode::kDone);
  EXPECT_EQ(ReadAvailable(pipe_[0]), std::string(kHostile) + "\n");
}

TEST_F(ConsoleTest, OnATerminalControlCharactersAreEscaped) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) {
    GTEST_SKIP() << "no pseudo-terminal here";
  }
  const int screen = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  ASSERT_GE(screen, 0);
  Console console(screen, STDERR_FILENO);
  console.PrintLine(kHostile);
  EXPECT_TRUE(console.Flush());
  EXPECT_EQ(ReadAvailable(terminal), "{\"a\":\"\\u007f\\u009b31m\\u202e\xc3\xa9\"}\r\n");
  ::close(screen);
  ::close(terminal);
}

TEST_F(ConsoleTest, ALostReaderIsAQuietEnd) {
  Console console(pipe_[1], STDERR_FILENO);
  EXPECT_FALSE(console.ReaderGone());
  ::close(pipe_[0]);
  pipe_[0] = -1;
  EXPECT_TRUE(console.ReaderGone());
  console.PrintLine("x");
  EXPECT_FALSE(console.Flush());
  EXPECT_EQ(console.Finish(ExitCode::kDone), ExitCode::kDone);
}

TEST_F(ConsoleTest, AFullDeviceIsAFailure) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  Console console(full, pipe_[1]);
  console.PrintLine("x");
  EXPECT_EQ(console.Finish(ExitCode::kDone), ExitCode::kFailed);
  EXPECT_THAT(ReadAvailable(pipe_[0]), ::testing::HasSubstr("kNoSpace"));
  ::close(full);
}

TEST_F(ConsoleTest, AStreamBecomesLines) {
  Console console(pipe_[1], STDERR_FILENO);
  ConsoleStreamBuffer buffer(console);
  std::ostream out(&buffer);
  out << "one " << 1 << '\n' << "two\nthree\n";
  console.Flush();
  EXPECT_EQ(ReadAvailable(pipe_[0]), "one 1\ntwo\nthree\n");
}

TEST_F(ConsoleTest, ExitCodesFollowTheStatus) {
  EXPECT_EQ(ExitCodeOf(Status()), ExitCode::kDone);
  EXPECT_EQ(ExitCodeOf(Status(StatusCode::kInvalidArgument, "")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(Status(StatusCode::kTooLarge, "")), ExitCode::kUsage);
  for (int code = 3; code <= 18; ++code) {
    EXPECT_EQ(ExitCodeOf(Status(static_cast<StatusCode>(code), "")), ExitCode::kFailed) << code;
  }
}

}  // namespace
}  // namespace runlog::tools
