#include "tests/crash/writer_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

extern char** environ;

namespace runlog::testing {
namespace {

using std::chrono::steady_clock;

// A writer that has no receipt by then has failed; nothing waits for this to pass.
constexpr std::chrono::seconds kPatience{120};

struct Child {
  pid_t pid = -1;
  int reports = -1;
};

Child Start(const std::filesystem::path& folder, std::uint64_t seed) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  std::string program = RUNLOG_CRASH_WRITER;
  std::string folder_word = folder.string();
  std::string seed_word = std::to_string(seed);
  const std::array<char*, 4> argv = {program.data(), folder_word.data(), seed_word.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  Child child{.reports = ends[0]};
  EXPECT_EQ(::posix_spawn(&child.pid, program.c_str(), &actions, nullptr, argv.data(), environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  return child;
}

/// False at the end of the reports, or when nothing came before `until`.
bool ReadSome(int reports, steady_clock::time_point until, std::string& text) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now()).count();
  if (left <= 0) return false;
  pollfd readable{reports, POLLIN, 0};
  if (::poll(&readable, 1, static_cast<int>(left)) != 1) return false;
  std::array<char, 65536> bytes{};
  const ssize_t count = ::read(reports, bytes.data(), bytes.size());
  if (count <= 0) return false;
  text.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

bool HasReceipt(std::string_view text) {
  // Every line but an intent is one.
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return false;
    if (const auto report = ParseReport(text.substr(0, end));
        report && report->kind != ReportKind::kIntent) {
      return true;
    }
    text.remove_prefix(end + 1);
  }
  return false;
}

std::vector<Report> ParseAll(std::string_view text) {
  std::vector<Report> reports;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::optional<Report> report = ParseReport(text.substr(0, end));
    EXPECT_TRUE(report.has_value()) << "[" << text.substr(0, end) << "]";
    if (!report) break;
    reports.push_back(*report);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reports;
}

}  // namespace

std::vector<Report> WriteUntilKilled(const std::filesystem::path& folder, std::uint64_t seed,
                                     const KillMoment& moment) {
  const Child child = Start(folder, seed);
  std::string text;
  if (moment.after_first_receipt) {
    const auto limit = steady_clock::now() + kPatience;
    while (!HasReceipt(text)) {
      if (!ReadSome(child.reports, limit, text)) {
        ADD_FAILURE() << "the writer reported no receipt";
        break;
      }
    }
  }
  // Reports are read all the while: a full pipe would hold the workers back.
  const auto end = steady_clock::now() + moment.delay;
  while (ReadSome(child.reports, end, text)) {
  }
  EXPECT_EQ(::kill(child.pid, SIGKILL), 0);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      << "the writer ended by itself, status " << status;
  while (ReadSome(child.reports, steady_clock::now() + kPatience, text)) {
  }
  ::close(child.reports);
  return ParseAll(text);
}

}  // namespace runlog::testing
