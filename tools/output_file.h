// A file that appears under its name only when it is whole.

#ifndef RUNLOG_TOOLS_OUTPUT_FILE_H_
#define RUNLOG_TOOLS_OUTPUT_FILE_H_

#include <filesystem>
#include <string_view>

#include <runlog/status.h>

#include "tools/fd_writer.h"

namespace runlog::tools {

/// Written to a temporary name beside its own. Publish syncs it and gives it its name; without
/// Publish it goes.
class OutputFile {
 public:
  /// Errors: kIoError, kNotFound.
  static Result<OutputFile> Create(const std::filesystem::path& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  void PrintLine(std::string_view line);
  /// The first failure, or OK.
  const Status& status() const { return writer_.status(); }
  /// Replaces what had the name before. Errors: kNoSpace, kIoError.
  Status Publish();

 private:
  OutputFile(int fd, std::filesystem::path path, std::filesystem::path temporary);

  int fd_;
  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty once it is gone or published
  FdWriter writer_;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_OUTPUT_FILE_H_
