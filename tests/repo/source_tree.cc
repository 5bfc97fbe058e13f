#include "tests/repo/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace runlog::repo {
namespace {

namespace fs = std::filesystem;

bool IsIgnored(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == ".git" || name == ".cache" || name == "build" || path.extension() == ".swp";
}

SourceFile ReadSourceFile(const fs::path& root, const fs::path& path) {
  SourceFile file{.path = path.lexically_relative(root).generic_string(), .lines = {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    file.lines.push_back(line);
  return file;
}

std::vector<SourceFile> ReadTree(const fs::path& root) {
  std::vector<SourceFile> files;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::end(it); ++it) {
    if (IsIgnored(it->path())) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      files.push_back(ReadSourceFile(root, it->path()));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace

std::string_view SourceFile::folder() const {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string_view() : std::string_view(path).substr(0, slash);
}

std::string_view SourceFile::name() const {
  const std::size_t slash = path.rfind('/');
  return std::string_view(path).substr(slash == std::string::npos ? 0 : slash + 1);
}

std::string_view SourceFile::top() const {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? std::string_view() : std::string_view(path).substr(0, slash);
}

bool SourceFile::Is(std::string_view extension) const {
  return path.ends_with(extension);
}

bool SourceFile::IsPublicHeader() const {
  return folder().ends_with("/include/runlog");
}

const std::vector<SourceFile>& SourceFiles() {
  static const std::vector<SourceFile> files = ReadTree(RUNLOG_SOURCE_DIR);
  return files;
}

const SourceFile& FileAt(std::string_view path) {
  static const SourceFile missing;
  for (const SourceFile& file : SourceFiles()) {
    if (file.path == path) return file;
  }
  ADD_FAILURE() << "no file " << path;
  return missing;
}

std::string Place(const SourceFile& file, std::size_t line_index) {
  return file.path + ":" + std::to_string(line_index + 1);
}

void ExpectNone(const Breaches& breaches, std::string_view rule) {
  if (!breaches.none()) ADD_FAILURE() << rule << ':' << breaches.text();
}

}  // namespace runlog::repo
