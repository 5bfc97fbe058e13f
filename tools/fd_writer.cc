#include "tools/fd_writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <utility>

#include <fmt/format.h>

namespace runlog::tools {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

}  // namespace

FdWriter::FdWriter(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}

void FdWriter::Write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) (void)Flush();
  if (bytes.size() > kBufferBytes) {
    WriteOut(bytes);
  } else {
    buffer_ += bytes;
  }
}

Status FdWriter::Flush() {
  WriteOut(buffer_);
  buffer_.clear();
  return status_;
}

void FdWriter::WriteOut(std::string_view bytes) {
  while (!bytes.empty() && status_.ok()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      const int error = errno;
      reader_gone_ = error == EPIPE;
      status_ = Status(error == ENOSPC ? StatusCode::kNoSpace : StatusCode::kIoError,
                       fmt::format("cannot write {}: {}", name_, strerror(error)));
    }
  }
}

}  // namespace runlog::tools
