// The project's own files, as the rules of tests/repo see them: everything under the source root
// but build trees and version control.

#ifndef RUNLOG_TESTS_REPO_SOURCE_TREE_H_
#define RUNLOG_TESTS_REPO_SOURCE_TREE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace runlog::repo {

struct SourceFile {
  std::string path;  ///< From the root, with '/'.
  std::vector<std::string> lines;

  std::string_view folder() const;            ///< "engine/include/runlog", or "" at the root.
  std::string_view name() const;              ///< "reader.h"
  std::string_view top() const;               ///< "engine", or "" at the root.
  bool Is(std::string_view extension) const;  ///< ".h"
  bool IsCode() const { return Is(".h") || Is(".cc"); }
  bool IsPublicHeader() const;
};

/// Every text file of the project, sorted by path. Read once.
const std::vector<SourceFile>& SourceFiles();

/// The file at `path`; a failure of the running test, and an empty file, where there is none.
const SourceFile& FileAt(std::string_view path);

/// "engine/reader.cc:12"
std::string Place(const SourceFile& file, std::size_t line_index);

/// The places that break a rule, one a line.
class Breaches {
 public:
  void Add(const std::string& place) { places_ += "\n  " + place; }
  bool none() const { return places_.empty(); }
  const std::string& text() const { return places_; }

 private:
  std::string places_;
};

/// Fails the running test with all places and the rule they break.
void ExpectNone(const Breaches& breaches, std::string_view rule);

}  // namespace runlog::repo

#endif  // RUNLOG_TESTS_REPO_SOURCE_TREE_H_
