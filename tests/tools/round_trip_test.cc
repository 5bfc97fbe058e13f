// Goal: what is appended comes back, field by field, in order, with seqs 1 to n in every thread.
// Method: whole files of runs through append and export of the real binary, made-up ones always and
// recorded ones where they are at hand.

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line_test.h"

namespace runlog::tools {
namespace {

using Lines = std::vector<std::string>;

/// Lines by thread, in their order.
std::map<std::string, Lines> ByThread(const Lines& lines) {
  std::map<std::string, Lines> threads;
  for (const std::string& line : lines)
    threads[Member(line, "thread_id")].push_back(line);
  return threads;
}

Lines SplitLines(const std::string& text) {
  return Ended{0, text, ""}.lines();
}

class RoundTripTest : public CommandLineTest {
 protected:
  // Tokens compare as text: stronger than comparing parsed values.
  static void ExpectSameEvents(const Lines& given, const Lines& stored) {
    const auto given_threads = ByThread(given);
    const auto stored_threads = ByThread(stored);
    ASSERT_EQ(given.size(), stored.size());
    for (const auto& [thread, lines] : given_threads) {
      const auto found = stored_threads.find(thread);
      ASSERT_NE(found, stored_threads.end()) << thread;
      ASSERT_EQ(found->second.size(), lines.size()) << thread;
      for (std::size_t i = 0; i < lines.size(); ++i)
        ExpectSameEvent(lines[i], i + 1, found->second[i]);
    }
  }

  static void ExpectSameEvent(const std::string& given, std::size_t seq,
                              const std::string& stored) {
    auto expected = Members(given);
    expected["seq"] = std::to_string(seq);
    expected.emplace("metadata", "{}");
    EXPECT_EQ(expected, Members(stored));
  }

  void AppendExportCompare(const std::string& text) const {
    Append(text);
    ExpectSameEvents(SplitLines(text), Export());
    const Ended verified = Run("verify");
    EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
  }
};

TEST_F(RoundTripTest, MadeUpDeerflowRuns) {
  AppendExportCompare(RunRunlog({"examples", "--seed", "5", "--runs", "30"}).out);
}

TEST_F(RoundTripTest, MadeUpAfkRuns) {
  AppendExportCompare(RunRunlog({"examples", "--shape", "afk", "--seed", "6", "--runs", "30"}).out);
}

TEST_F(RoundTripTest, ASecondExportIsTheSameBytes) {
  Append(RunRunlog({"examples", "--seed", "7"}).out);
  WriteFile("first.jsonl", Run("export", {"--to", "jsonl"}).out);
  const std::string copy = Path("copy");
  ASSERT_EQ(RunRunlog({"import", copy, "--from", "jsonl", Path("first.jsonl")}).code, 0);

  EXPECT_EQ(RunRunlog({"export", copy, "--to", "jsonl"}).out, Run("export", {"--to", "jsonl"}).out);
}

/// Recordings beside the checkout, or where RUNLOG_DATA says.
std::filesystem::path RecordedRuns() {
  const char* const given = ::getenv("RUNLOG_DATA");
  if (given != nullptr) return given;
  return std::filesystem::path(RUNLOG_SOURCE_DIR) / ".." / "shared" / "data";
}

TEST_F(RoundTripTest, RecordedDeerflowRuns) {
  const std::filesystem::path folder = RecordedRuns() / "deerflow";
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "no recorded runs in " << folder << "; RUNLOG_DATA may name their folder";
  }
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const Ended appended = Run("append", {entry.path().string()});
    EXPECT_EQ(appended.code, 0) << entry.path() << appended.err;
    if (!text.ends_with('\n')) text += '\n';
    all += text;
  }
  ASSERT_FALSE(all.empty());
  ExpectSameEvents(SplitLines(all), Export());
  EXPECT_EQ(Run("verify").code, 0);
}

}  // namespace
}  // namespace runlog::tools
