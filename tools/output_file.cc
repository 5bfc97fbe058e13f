#include "tools/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace runlog::tools {
namespace {

Status FileError(std::string_view verb, const std::filesystem::path& path, int error) {
  StatusCode code = StatusCode::kIoError;
  if (error == ENOENT) code = StatusCode::kNotFound;
  if (error == ENOSPC) code = StatusCode::kNoSpace;
  return Status(code, fmt::format("cannot {} {}: {}", verb, path.string(), strerror(error)));
}

// A rename lasts only when the folder that holds the names is on the device.
Status SyncFolderOf(const std::filesystem::path& path) {
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  const int fd = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return FileError("open", parent, errno);
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  return error == 0 ? Status() : FileError("sync", parent, error);
}

}  // namespace

Result<OutputFile> OutputFile::Create(const std::filesystem::path& path) {
  std::filesystem::path temporary = path;
  temporary.replace_filename(fmt::format(".{}.{}.part", path.filename().string(), ::getpid()));
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return FileError("create", temporary, errno);
  return OutputFile(fd, path, std::move(temporary));
}

OutputFile::OutputFile(int fd, std::filesystem::path path, std::filesystem::path temporary)
    : fd_(fd),
      path_(std::move(path)),
      temporary_(std::move(temporary)),
      writer_(fd, path_.string()) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      writer_(std::move(other.writer_)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::PrintLine(std::string_view line) {
  writer_.Write(line);
  writer_.Write("\n");
}

Status OutputFile::Publish() {
  if (Status s = writer_.Flush(); !s.ok()) return s;
  if (::fsync(fd_) != 0) return FileError("sync", temporary_, errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return FileError("rename", temporary_, errno);
  }
  temporary_.clear();
  return SyncFolderOf(path_);
}

}  // namespace runlog::tools
