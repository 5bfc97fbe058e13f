// Goal: an include never points up, third-party code stays where it belongs, and a public header
// needs nothing but the standard library and other public headers. Method: every #include of every
// source file is held against one table.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/repo/source_tree.h"

namespace runlog::repo {
namespace {

struct Layer {
  std::string_view folder;
  std::set<std::string_view> own;          ///< Folders whose private headers it may include.
  std::set<std::string_view> interfaces;   ///< Folders whose public headers it may include.
  std::set<std::string_view> third_party;  ///< Libraries it may include.
};

const std::vector<Layer>& Layers() {
  static const std::vector<Layer> layers = {
      {"contracts", {"contracts"}, {"format"}, {"boost", "valijson"}},
      {"format", {"format"}, {"format"}, {"boost", "flatbuffers", "fmt", "xxhash"}},
      {"index", {"format", "index"}, {"format"}, {"fmt", "rocksdb"}},
      {"engine", {"format", "index", "engine"}, {"format", "engine"}, {"fmt", "isa-l", "rocksdb"}},
      {"tools",
       {"contracts", "format", "index", "engine", "tools"},
       {"format", "engine"},
       {"CLI", "fmt"}},
  };
  return layers;
}

const Layer* LayerOf(std::string_view folder) {
  for (const Layer& layer : Layers()) {
    if (layer.folder == folder) return &layer;
  }
  return nullptr;
}

/// Libraries that exactly one product source file includes.
const std::set<std::string_view> kSingleUser = {"boost", "flatbuffers", "isa-l", "xxhash"};

const std::set<std::string_view> kLibraryFolders = {"CLI",     "benchmark", "boost", "flatbuffers",
                                                    "fmt",     "gmock",     "gtest", "isa-l",
                                                    "rocksdb", "valijson"};

/// What the C library offers beyond the standard: allowed below the public headers.
bool IsPosix(std::string_view target) {
  static const std::set<std::string_view> headers = {
      "dirent.h", "errno.h",  "fcntl.h",  "poll.h",    "pthread.h", "signal.h",
      "spawn.h",  "stdlib.h", "string.h", "termios.h", "unistd.h",  "linux/fs.h"};
  return headers.contains(target) || target.starts_with("sys/");
}

struct Include {
  const SourceFile* file = nullptr;
  std::size_t line_index = 0;
  std::string target;
  bool angled = false;

  std::string place() const { return Place(*file, line_index) + " includes " + target; }
};

std::optional<Include> ParseInclude(const SourceFile& file, std::size_t line_index) {
  std::string_view line = file.lines[line_index];
  if (!line.starts_with("#include ")) return std::nullopt;
  line.remove_prefix(std::string_view("#include ").size());
  const bool angled = line.starts_with('<');
  const std::size_t end = line.find(angled ? '>' : '"', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return Include{&file, line_index, std::string(line.substr(1, end - 1)), angled};
}

std::vector<Include> Includes() {
  std::vector<Include> includes;
  for (const SourceFile& file : SourceFiles()) {
    if (!file.IsCode()) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (std::optional<Include> include = ParseInclude(file, i)) includes.push_back(*include);
    }
  }
  return includes;
}

/// "rocksdb" for <rocksdb/db.h>; empty for what is ours, the standard library's or POSIX's.
std::string_view LibraryOf(const Include& include) {
  const std::string_view target = include.target;
  if (target == "xxhash.h") return "xxhash";
  if (target.ends_with("_generated.h")) return "flatbuffers";
  const std::string_view first = target.substr(0, target.find('/'));
  return include.angled && kLibraryFolders.contains(first) ? first : std::string_view();
}

bool IsStandard(std::string_view target) {
  return target.find_first_of("./") == std::string_view::npos;
}

std::string_view FolderOfPublicHeader(std::string_view target) {
  const std::string suffix = "/include/" + std::string(target);
  for (const SourceFile& file : SourceFiles()) {
    if (file.path.ends_with(suffix)) return file.top();
  }
  return {};
}

/// Why a layer may not have this include, or nothing.
std::string Objection(const Layer& layer, const Include& include) {
  if (std::string_view library = LibraryOf(include); !library.empty()) {
    return layer.third_party.contains(library) ? "" : "a library this layer does not know";
  }
  const std::string_view target = include.target;
  if (include.angled && target.starts_with("runlog/")) {
    return layer.interfaces.contains(FolderOfPublicHeader(target)) ? "" : "a layer above";
  }
  if (!include.angled) {
    return layer.own.contains(target.substr(0, target.find('/'))) ? "" : "a layer above";
  }
  return IsStandard(target) || IsPosix(target) ? "" : "not in this test's tables";
}

TEST(LayeringTest, AnIncludeNeverPointsUp) {
  Breaches breaches;
  std::size_t seen = 0;
  for (const Include& include : Includes()) {
    const Layer* layer = LayerOf(include.file->top());
    if (layer == nullptr) continue;
    ++seen;
    if (std::string why = Objection(*layer, include); !why.empty()) {
      breaches.Add(include.place() + ": " + why);
    }
  }
  ExpectNone(breaches, "format <- index <- engine <- tools");
  EXPECT_GT(seen, 100U) << "the walk found too little to mean anything";
}

TEST(LayeringTest, TheTableRefusesWhatPointsUpOrIsUnknown) {
  const auto objection = [](std::string_view layer, std::string target, bool angled) {
    return Objection(*LayerOf(layer), Include{nullptr, 0, std::move(target), angled});
  };
  EXPECT_NE(objection("format", "index/posting_chunk.h", false), "");
  EXPECT_NE(objection("index", "engine/rocks.h", false), "");
  EXPECT_NE(objection("index", "runlog/reader.h", true), "");
  EXPECT_NE(objection("engine", "tools/console.h", false), "");
  EXPECT_NE(objection("format", "rocksdb/slice.h", true), "");
  EXPECT_NE(objection("tools", "rocksdb/db.h", true), "");
  EXPECT_NE(objection("engine", "somewhere/else.h", true), "");
  EXPECT_EQ(objection("engine", "index/posting_chunk.h", false), "");
  EXPECT_EQ(objection("index", "runlog/status.h", true), "");
  EXPECT_EQ(objection("engine", "vector", true), "");
}

TEST(LayeringTest, TheTestOfALayerKnowsItAndTheOnesBelow) {
  Breaches breaches;
  for (const Include& include : Includes()) {
    const std::string_view folder = include.file->folder();
    if (!folder.starts_with("tests/")) continue;
    const Layer* layer = LayerOf(folder.substr(std::string_view("tests/").size()));
    if (layer == nullptr) continue;
    Layer test = *layer;
    test.own.insert("tests");
    test.third_party.insert({"gtest", "gmock", "rocksdb"});
    if (std::string why = Objection(test, include); !why.empty()) {
      breaches.Add(include.place() + ": " + why);
    }
  }
  ExpectNone(breaches, "a layer's test knows the layer, the ones below and the test framework");
}

TEST(LayeringTest, PublicHeadersIncludeOnlyTheStandardLibraryAndPublicHeaders) {
  Breaches breaches;
  for (const Include& include : Includes()) {
    if (!include.file->IsPublicHeader()) continue;
    const bool is_public = include.angled && include.target.starts_with("runlog/");
    if (!is_public && !(include.angled && IsStandard(include.target))) {
      breaches.Add(include.place());
    }
  }
  ExpectNone(breaches, "a user of the library needs no other library's headers");
}

TEST(LayeringTest, SomeLibrariesHaveOneUser) {
  std::map<std::string, std::set<std::string>> users;
  for (const Include& include : Includes()) {
    if (LayerOf(include.file->top()) == nullptr) continue;
    users[std::string(LibraryOf(include))].insert(include.file->path);
  }
  for (std::string_view library : kSingleUser) {
    const std::set<std::string>& files = users[std::string(library)];
    EXPECT_EQ(files.size(), 1U) << library << ": " << ::testing::PrintToString(files);
  }
}

TEST(LayeringTest, PrivateHeadersAreNamedFromTheRoot) {
  Breaches breaches;
  for (const Include& include : Includes()) {
    if (include.angled || include.target.ends_with("_generated.h")) continue;
    if (include.target.find('/') == std::string::npos || include.target.starts_with("../")) {
      breaches.Add(include.place());
    }
  }
  ExpectNone(breaches, "\"engine/rocks.h\", not \"rocks.h\"");
}

TEST(LayeringTest, ASourceFileIncludesItsOwnHeaderFirst) {
  std::set<std::string> paths;
  for (const SourceFile& file : SourceFiles())
    paths.insert(file.path);
  std::map<std::string, std::string> first;
  for (const Include& include : Includes())
    first.emplace(include.file->path, include.target);
  Breaches breaches;
  for (const auto& [path, target] : first) {
    if (!path.ends_with(".cc")) continue;
    const std::string header = path.substr(0, path.size() - 2) + "h";
    if (paths.contains(header) && target != header) breaches.Add(path);
  }
  ExpectNone(breaches, "a header that comes first proves that it stands alone");
}

}  // namespace
}  // namespace runlog::repo
