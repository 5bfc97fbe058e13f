#include "tests/tools/command_line_test.h"

#include <algorithm>
#include <fstream>

#include "format/json_text.h"

namespace runlog::tools {

Ended CommandLineTest::Run(const std::string& command, const Arguments& arguments,
                           std::string_view input) const {
  Arguments all{command, db()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return RunRunlog(all, input);
}

std::vector<std::string> CommandLineTest::Append(std::string_view lines,
                                                 const Arguments& arguments) const {
  Arguments all{"--durability", "buffered"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Ended ended = Run("append", all, lines);
  EXPECT_EQ(ended.code, 0) << ended.err;
  return ended.lines();
}

std::vector<std::string> CommandLineTest::Export() const {
  const Ended ended = Run("export", {"--to", "jsonl"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  return ended.lines();
}

std::vector<std::string> CommandLineTest::FilesIn(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(Path(name))) {
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void CommandLineTest::WriteFile(const std::string& name, std::string_view text) const {
  std::ofstream(Path(name), std::ios::binary) << text;
}

std::string EventIn(std::string_view thread, std::string_view run, std::string_view type) {
  std::string line = R"({"thread_id":")";
  line.append(thread).append(R"(","run_id":")").append(run);
  line.append(R"(","event_type":")").append(type);
  return line.append(R"(","category":"message"})").append("\n");
}

std::string EventsIn(std::string_view thread, int count) {
  std::string lines;
  for (int i = 0; i < count; ++i)
    lines += EventIn(thread);
  return lines;
}

std::map<std::string, std::string> Members(std::string_view line) {
  std::map<std::string, std::string> members;
  const auto split = format::SplitJsonObject("line", line);
  EXPECT_TRUE(split.ok()) << split.status().ToString() << "\n" << line;
  if (!split.ok()) return members;
  for (const format::JsonMember& member : *split) {
    const bool is_new = members.emplace(member.key, format::CompactJson(member.value)).second;
    EXPECT_TRUE(is_new) << member.key << " stands twice in " << line;
  }
  return members;
}

std::string Member(std::string_view line, const std::string& key) {
  const auto members = Members(line);
  const auto found = members.find(key);
  return found == members.end() ? std::string() : found->second;
}

std::vector<std::string> Column(const std::vector<std::string>& lines, const std::string& key) {
  std::vector<std::string> column;
  for (const std::string& line : lines)
    column.push_back(Member(line, key));
  return column;
}

}  // namespace runlog::tools
