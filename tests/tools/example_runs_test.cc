// Goal: example runs look like runs: the same for a seed, events a store takes, the sizes and the
// shapes of recorded ones. Method: many runs of a few seeds, counted.

#include "tools/example_runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/checksum.h"
#include "tests/tools/command_line_test.h"
#include "tools/event_json.h"

namespace runlog::tools {
namespace {

using Lines = std::vector<std::string>;

Lines MakeLines(ExampleShape shape, std::uint64_t seed, std::uint64_t runs) {
  Lines lines;
  MakeExampleRuns({.shape = shape, .seed = seed, .runs = runs}, [&](const std::string& line) {
    lines.push_back(line);
    return true;
  });
  return lines;
}

std::set<std::string> Values(const Lines& lines, const std::string& key) {
  std::set<std::string> values;
  for (std::string& value : Column(lines, key))
    values.insert(std::move(value));
  return values;
}

std::size_t BytesAt(Lines lines, std::size_t percent) {
  std::sort(lines.begin(), lines.end(),
            [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return lines[lines.size() * percent / 100].size();
}

class ExampleRunsTest : public ::testing::TestWithParam<ExampleShape> {};

TEST_P(ExampleRunsTest, EveryLineIsAnEvent) {
  for (const std::string& line : MakeLines(GetParam(), 11, 40)) {
    const auto event = ParseEventLine(line, SeqKey::kRefused);
    ASSERT_TRUE(event.ok()) << event.status().ToString() << "\n" << line;
  }
}

TEST_P(ExampleRunsTest, ASeedMakesTheSameLinesAndAnotherMakesOthers) {
  EXPECT_EQ(MakeLines(GetParam(), 3, 8), MakeLines(GetParam(), 3, 8));
  EXPECT_NE(MakeLines(GetParam(), 3, 8), MakeLines(GetParam(), 4, 8));
}

TEST(ExampleRunsSeedTest, ASeedMakesTheSameLinesOnEveryMachine) {
  const auto hash = [](ExampleShape shape) {
    std::string all;
    for (const std::string& line : MakeLines(shape, 1, 20))
      all += line + '\n';
    return format::Hash64(all);
  };
  // Change these with the phrases and shapes; compilers and build types must agree on them.
  EXPECT_EQ(hash(ExampleShape::kDeerflow), 13746883299748071726U);
  EXPECT_EQ(hash(ExampleShape::kAfk), 18243116302137946036U);
}

TEST_P(ExampleRunsTest, NoTwoLinesAreTheSame) {
  const Lines lines = MakeLines(GetParam(), 12, 60);
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), lines.size());
}

TEST_P(ExampleRunsTest, SeveralThreadsRunsAndOwners) {
  const Lines lines = MakeLines(GetParam(), 13, 60);
  EXPECT_GT(Values(lines, "thread_id").size(), 10U);
  EXPECT_GE(Values(lines, "run_id").size(), 60U);
  EXPECT_GT(Values(lines, "user_id").size(), 3U);
}

TEST_P(ExampleRunsTest, ASinkThatHadEnoughEndsThem) {
  int lines = 0;
  MakeExampleRuns({.shape = GetParam(), .seed = 1, .runs = 1000},
                  [&](const std::string&) { return ++lines < 10; });
  EXPECT_EQ(lines, 10);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ExampleRunsTest,
                         ::testing::Values(ExampleShape::kDeerflow, ExampleShape::kAfk));

TEST(DeerflowExamplesTest, HaveTheSizesOfRecordedRuns) {
  const Lines lines = MakeLines(ExampleShape::kDeerflow, 14, 150);
  EXPECT_NEAR(static_cast<double>(BytesAt(lines, 50)), 780, 160);
  EXPECT_NEAR(static_cast<double>(BytesAt(lines, 95)), 4400, 900);
  EXPECT_GT(BytesAt(lines, 99), 8000U);
}

TEST(DeerflowExamplesTest, EveryRunStartsOnceAndEndsOnce) {
  std::map<std::string, std::string> first;
  std::map<std::string, std::string> last;
  std::map<std::string, int> terminals;
  for (const std::string& line : MakeLines(ExampleShape::kDeerflow, 15, 80)) {
    const std::string run = Member(line, "run_id");
    first.emplace(run, Member(line, "event_type"));
    last[run] = Member(line, "event_type");
    if (last[run] == "\"run.terminal\"") ++terminals[run];
  }
  for (const auto& [run, type] : first) {
    EXPECT_EQ(type, "\"run.start\"");
    EXPECT_EQ(last[run], "\"run.terminal\"");
    EXPECT_EQ(terminals[run], 1);
  }
}

TEST(DeerflowExamplesTest, ShowEveryKindOfEvent) {
  const auto types = Values(MakeLines(ExampleShape::kDeerflow, 16, 200), "event_type");
  for (const char* type :
       {"run.start", "run.end", "run.error", "llm.human.input", "llm.ai.response",
        "llm.tool.result", "llm.error", "context:memory", "middleware:guardrail",
        "middleware:loop_detection", "subagent.start", "subagent.step", "subagent.end",
        "workspace_changes", "run.delivery", "run.terminal"}) {
    EXPECT_TRUE(types.contains('"' + std::string(type) + '"')) << type;
  }
}

TEST(AfkExamplesTest, ShowEveryKindOfEvent) {
  const auto types = Values(MakeLines(ExampleShape::kAfk, 17, 300), "event_type");
  for (const char* type :
       {"run_started", "step_started", "policy_decision", "llm_called", "text_delta",
        "llm_completed", "tool_batch_started", "tool_completed", "tool_deferred",
        "tool_background_resolved", "subagent_started", "subagent_completed", "warning",
        "run_completed", "run_failed", "run_interrupted", "run_cancelled"}) {
    EXPECT_TRUE(types.contains('"' + std::string(type) + '"')) << type;
  }
}

}  // namespace
}  // namespace runlog::tools
