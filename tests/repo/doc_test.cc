// Goal: the documents say what is there.
// Method: what a document shares with the code is read from both and compared.

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/repo/source_tree.h"

namespace runlog::repo {
namespace {

using Lines = std::vector<std::string>;

/// The lines of the first fenced block that opens with "```language".
Lines FirstBlock(const SourceFile& file, std::string_view language) {
  const std::string opening = "```" + std::string(language);
  auto first = std::find(file.lines.begin(), file.lines.end(), opening);
  if (first == file.lines.end()) return {};
  auto last = std::find(++first, file.lines.end(), "```");
  return {first, last};
}

bool Exists(const std::string& path) {
  return std::any_of(SourceFiles().begin(), SourceFiles().end(), [&](const SourceFile& file) {
    return file.path == path || file.path.starts_with(path + "/");
  });
}

/// "engine" and "../format/FORMAT.md" make "format/FORMAT.md".
std::string Resolve(std::string_view folder, std::string target) {
  std::string path(folder);
  while (target.starts_with("../")) {
    target.erase(0, 3);
    path.erase(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  while (target.ends_with('/'))
    target.pop_back();
  return path.empty() ? target : path + "/" + target;
}

TEST(DocTest, TheExampleInTheReadmeIsTheConsumerThatIsBuilt) {
  const Lines example = FirstBlock(FileAt("README.md"), "cpp");
  EXPECT_FALSE(example.empty());
  EXPECT_EQ(example, FileAt("tests/install/consumer/main.cc").lines);
}

TEST(DocTest, LinksLeadToFilesThatExist) {
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  Breaches breaches;
  for (const SourceFile& file : SourceFiles()) {
    if (!file.Is(".md")) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it) {
        const std::string target = (*it)[1];
        if (!Exists(Resolve(file.folder(), target))) breaches.Add(Place(file, i) + ": " + target);
      }
    }
  }
  ExpectNone(breaches, "a link to nothing");
}

TEST(DocTest, TheReadmeMapsEveryDocument) {
  std::string readme;
  for (const std::string& line : FileAt("README.md").lines)
    readme += line + '\n';
  Breaches breaches;
  for (const SourceFile& file : SourceFiles()) {
    if (!file.Is(".md") || file.path == "README.md") continue;
    if (readme.find("](" + file.path + ")") == std::string::npos) breaches.Add(file.path);
  }
  ExpectNone(breaches, "README.md names no such document");
}

TEST(DocTest, TheTestReadmeListsTheLabels) {
  std::set<std::string> documented;
  const std::regex row(R"(^\| `([a-z-]+)` \|)");
  for (const std::string& line : FileAt("tests/README.md").lines) {
    if (std::smatch match; std::regex_search(line, match, row)) documented.insert(match[1]);
  }
  std::set<std::string> known;
  const std::string text = RUNLOG_TEST_LABELS;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    known.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
  EXPECT_EQ(documented, known);
}

}  // namespace
}  // namespace runlog::repo
