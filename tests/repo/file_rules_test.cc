// Goal: the tree stays readable: files keep to their size, are named for what they hold, are built,
// are used, and carry no leftovers of the machine they were written on. Method: a walk over every
// file of the project; each rule names the places that break it.

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/repo/source_tree.h"

namespace runlog::repo {
namespace {

constexpr std::size_t kLinesMax = 400;

constexpr std::array<std::string_view, 11> kBannedWords = {"util",    "utils",  "helper", "helpers",
                                                           "manager", "common", "data",   "info",
                                                           "handle",  "misc",   "stuff"};

bool IsBanned(std::string_view word) {
  return std::find(kBannedWords.begin(), kBannedWords.end(), word) != kBannedWords.end();
}

/// The words of "engine/commit_queue.cc": engine, commit, queue, cc.
std::vector<std::string> WordsOf(std::string_view path) {
  std::vector<std::string> words(1);
  for (char c : path) {
    if (c == '/' || c == '_' || c == '.' || c == '-') {
      words.emplace_back();
    } else {
      words.back().push_back(c);
    }
  }
  return words;
}

bool Contains(const SourceFile& file, std::string_view text) {
  return std::any_of(file.lines.begin(), file.lines.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

bool IsBuildFile(const SourceFile& file) {
  return file.name() == "CMakeLists.txt" || file.Is(".cmake");
}

/// Whether a build file of the source's folder or of one above it names the source.
bool IsBuilt(const SourceFile& source) {
  const std::regex name("(^|[\\s/])" + std::string(source.name()) + "([\\s)]|$)");
  for (const SourceFile& build : SourceFiles()) {
    if (!IsBuildFile(build) || !source.folder().starts_with(build.folder())) continue;
    for (const std::string& line : build.lines) {
      if (std::regex_search(line, name)) return true;
    }
  }
  return false;
}

/// The lines that match, in the files that are wanted.
template <typename Wanted>
Breaches LinesLike(const std::regex& pattern, Wanted wanted) {
  Breaches breaches;
  for (const SourceFile& file : SourceFiles()) {
    if (!wanted(file)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (std::regex_search(file.lines[i], pattern)) {
        breaches.Add(Place(file, i) + ": " + file.lines[i]);
      }
    }
  }
  return breaches;
}

bool IsAny(const SourceFile&) {
  return true;
}
bool IsCode(const SourceFile& file) {
  return file.IsCode();
}

TEST(FileRulesTest, SourceFilesKeepToTheirSize) {
  Breaches breaches;
  for (const SourceFile& file : SourceFiles()) {
    if (file.IsCode() && file.lines.size() > kLinesMax) {
      breaches.Add(file.path + ": " + std::to_string(file.lines.size()) + " lines");
    }
  }
  ExpectNone(breaches, "over 400 lines a file has two subjects: split it");
}

TEST(FileRulesTest, FilesAreNamedForWhatTheyHold) {
  Breaches breaches;
  for (const SourceFile& file : SourceFiles()) {
    for (const std::string& word : WordsOf(file.path)) {
      if (IsBanned(word)) breaches.Add(file.path + ": " + word);
    }
  }
  ExpectNone(breaches, "a name that says nothing");
}

TEST(FileRulesTest, TypesAreNamedForWhatTheyAre) {
  const std::regex banned(
      R"(\b(class|struct) (RUNLOG_EXPORT )?\w*(Util|Utils|Helper|Helpers|Manager|Common|Data|Info|Handle)\b[^;]*$)");
  ExpectNone(LinesLike(banned, IsCode), "a name that says nothing");
}

TEST(FileRulesTest, EverySourceFileIsBuilt) {
  Breaches breaches;
  std::size_t sources = 0;
  for (const SourceFile& file : SourceFiles()) {
    if (!file.Is(".cc")) continue;
    ++sources;
    if (!IsBuilt(file)) breaches.Add(file.path);
  }
  ExpectNone(breaches, "stands in no CMakeLists.txt");
  EXPECT_GT(sources, 10U);
}

TEST(FileRulesTest, EveryHeaderIsIncluded) {
  std::set<std::string> included;
  const std::regex include(R"re(^#include ["<]([^">]+)[">])re");
  for (const SourceFile& file : SourceFiles()) {
    for (const std::string& line : file.lines) {
      if (std::smatch match; std::regex_search(line, match, include)) included.insert(match[1]);
    }
  }
  Breaches breaches;
  for (const SourceFile& file : SourceFiles()) {
    if (!file.Is(".h")) continue;
    const std::string spelling =
        file.IsPublicHeader() ? "runlog/" + std::string(file.name()) : file.path;
    if (!included.contains(spelling)) breaches.Add(file.path);
  }
  ExpectNone(breaches, "is included nowhere");
}

TEST(FileRulesTest, EveryPublicHeaderIsInstalled) {
  const SourceFile& library = FileAt("engine/package/library.cmake");
  Breaches breaches;
  for (const SourceFile& file : SourceFiles()) {
    if (file.IsPublicHeader() && !Contains(library, "/" + file.path)) breaches.Add(file.path);
  }
  ExpectNone(breaches, "missing in " + library.path);
}

TEST(FileRulesTest, NothingIsLeftForLater) {
  const std::regex marker(R"(\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b)");
  ExpectNone(LinesLike(marker, IsAny), "do it or drop it");
}

TEST(FileRulesTest, NoFileKnowsTheMachineItWasWrittenOn) {
  const std::regex machine(
      R"((^|[\s"'=(`])/(home|root|work|Users)/|/tmp/[w]t/|deb\.debian\.org|registry\.npmjs)");
  ExpectNone(LinesLike(machine, IsAny), "a path or host of one machine");
}

TEST(FileRulesTest, TextHasNoTabsOrTrailingSpace) {
  const auto is_text = [](const SourceFile& file) {
    return file.IsCode() || file.Is(".md") || file.Is(".sh") || IsBuildFile(file);
  };
  ExpectNone(LinesLike(std::regex("\t| $"), is_text), "a tab, or a space at the end of a line");
}

}  // namespace
}  // namespace runlog::repo
