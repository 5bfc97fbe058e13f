// The vocabulary of the command line tests.

#ifndef RUNLOG_TESTS_TOOLS_COMMAND_LINE_TEST_H_
#define RUNLOG_TESTS_TOOLS_COMMAND_LINE_TEST_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/scratch_dir.h"
#include "tests/tools/runlog_process.h"

namespace runlog::tools {

/// A test with a folder of its own and a store in it, which the first writing command makes.
class CommandLineTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string db() const { return Path("db"); }
  /// `runlog COMMAND DB ARGUMENTS...`.
  Ended Run(const std::string& command, const Arguments& arguments = {},
            std::string_view input = {}) const;
  /// As Run, for an append that must succeed.
  std::vector<std::string> Append(std::string_view lines, const Arguments& arguments = {}) const;
  /// What `export` prints, which must succeed.
  std::vector<std::string> Export() const;
  /// Names of the files, not folders, in a folder of the test's.
  std::vector<std::string> FilesIn(const std::string& name) const;
  void WriteFile(const std::string& name, std::string_view text) const;

 private:
  testing::ScratchDir folder_;
};

/// A line of the shortest valid event, ended by \n.
std::string EventIn(std::string_view thread, std::string_view run = "r1",
                    std::string_view type = "llm.ai.response");
/// `count` of them.
std::string EventsIn(std::string_view thread, int count);

/// The top-level members of a line of JSON: decoded key to the value's text, without white space
/// between its tokens. A key that stands there twice fails the test.
std::map<std::string, std::string> Members(std::string_view line);
/// One of them; empty where it is not there.
std::string Member(std::string_view line, const std::string& key);
/// That member of each line.
std::vector<std::string> Column(const std::vector<std::string>& lines, const std::string& key);

}  // namespace runlog::tools

#endif  // RUNLOG_TESTS_TOOLS_COMMAND_LINE_TEST_H_
