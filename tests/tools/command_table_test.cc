// Goal: the command line is what tools/README.md says it is, and wrong usage is exit 2. Method: the
// page's table against `runlog help`, and the real binary called wrongly.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line_test.h"

namespace runlog::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Row {
  std::string name;
  std::string arguments;
  std::string summary;
};

std::string Trim(std::string text) {
  text.erase(0, text.find_first_not_of(" `"));
  text.erase(text.find_last_not_of(" `") + 1);
  return text;
}

/// The rows "| `name` | `arguments` | summary |" behind the head "| command | arguments | does |".
std::vector<Row> DocumentedCommands() {
  std::ifstream page(std::filesystem::path(RUNLOG_SOURCE_DIR) / "tools" / "README.md");
  std::vector<Row> rows;
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "| command | arguments | does |") in_table = true;
    if (in_table && line.empty()) break;
    if (!in_table || !line.starts_with("| `")) continue;
    const std::size_t second = line.find('|', 1);
    const std::size_t third = line.find(" | ", second + 1) == second + 1
                                  ? line.find('|', second + 1)
                                  : line.find(" | ", second + 1) + 1;
    rows.push_back({Trim(line.substr(1, second - 1)),
                    Trim(line.substr(second + 1, third - second - 1)),
                    Trim(line.substr(third + 1, line.rfind('|') - third - 1))});
  }
  return rows;
}

TEST(CommandTableTest, TheReadmeHasTheRowsOfTheHelp) {
  const Ended help = RunRunlog({"help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(RunRunlog({"--help"}).out, help.out);
  std::vector<std::string> printed;
  for (const std::string& line : help.lines()) {
    if (line.starts_with("  runlog ")) printed.push_back(line);
  }
  const auto rows = DocumentedCommands();
  ASSERT_EQ(rows.size(), printed.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_THAT(printed[i],
                ::testing::StartsWith("  runlog " + Trim(rows[i].name + " " + rows[i].arguments)));
    EXPECT_THAT(printed[i], ::testing::EndsWith("  " + rows[i].summary));
  }
}

TEST(CommandTableTest, EveryOptionIsDocumented) {
  std::ifstream file(std::filesystem::path(RUNLOG_SOURCE_DIR) / "tools" / "README.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const Row& row : DocumentedCommands()) {
    const Ended help = RunRunlog({row.name, "--help"});
    EXPECT_EQ(help.code, 0) << row.name;
    EXPECT_EQ(RunRunlog({"help", row.name}).out, help.out);
    for (const std::string& line : help.lines()) {
      const std::size_t option = line.find("--");
      if (option == line.npos || option > 8 || line.find("--help") != line.npos) continue;
      const std::string name = line.substr(option, line.find_first_of(" ,", option) - option);
      if (name == "--output") continue;  // spelled -o on the page
      EXPECT_THAT(page, HasSubstr(name)) << row.name;
    }
  }
}

TEST(CommandTableTest, VersionNamesTheStoreFormat) {
  const Ended ended = RunRunlog({"version"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, ::testing::MatchesRegex("runlog [0-9.]+, store format 1\n"));
  EXPECT_EQ(RunRunlog({"--version"}).out, ended.out);
}

class UsageTest : public CommandLineTest {};

TEST_F(UsageTest, WrongUsageIsExitTwoAndPrintsNoAnswer) {
  Append(EventIn("t"));
  const std::vector<Arguments> wrong = {
      {},
      {"nonsense"},
      {"help", "nonsense"},
      {"append"},
      {"events", db()},
      {"events", db(), "t", "r", "more"},
      {"events", db(), "t", "--nonsense"},
      {"events", db(), "t", "--limit", "-1"},
      {"events", db(), "t", "--limit", "1.5"},
      {"events", db(), "t", "--limit", ""},
      {"events", db(), "t", "--limit", "9223372036854775808"},
      {"events", db(), "t", "--limit", "1", "--limit", "2"},
      {"events", db(), "t", "--format", "xml"},
      {"messages", db(), "t", "--limit", "-1"},
      {"append", db(), "--batch", "0"},
      {"append", db(), "--batch", "10001"},
      {"append", db(), "--durability", "hope"},
      {"append", db(), "--expected-seq", "-1"},
      {"export", db()},
      {"export", db(), "--to", "csv"},
      {"threads", db(), "--limit", "x"},
      {"changes", db(), "--after-commit", "-5"},
      {"delete-run", db(), "t"},
      {"examples", "--shape", "other"},
  };
  for (const Arguments& arguments : wrong) {
    const Ended ended = RunRunlog(arguments);
    EXPECT_EQ(ended.code, 2) << ::testing::PrintToString(arguments);
    EXPECT_THAT(ended.out, IsEmpty()) << ::testing::PrintToString(arguments);
    EXPECT_THAT(ended.err, ::testing::StartsWith("runlog: "))
        << ::testing::PrintToString(arguments);
  }
}

TEST_F(UsageTest, IdsMayLookLikeAnythingALineMayHold) {
  for (const std::string id : {"[a,b]", "{}", "append", "%", "a b", "--", "-x", "true", "1"}) {
    Append(EventIn(id));
    const Ended ended = Run("runs", {"--", id});
    EXPECT_EQ(ended.code, 0) << id << ended.err;
    EXPECT_EQ(ended.lines().size(), 1U) << id;
  }
}

TEST_F(UsageTest, AnOptionOfAnEmptyStringIsThatString) {
  Append(EventIn("t"));
  const Ended ended = Run("events", {"t", "--user", ""});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, IsEmpty());
}

}  // namespace
}  // namespace runlog::tools
