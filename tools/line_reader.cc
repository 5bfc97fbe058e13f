#include "tools/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <utility>

#include <fmt/format.h>

namespace runlog::tools {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;

}  // namespace

Result<LineReader> LineReader::Open(const std::string& path, std::size_t line_bytes_max) {
  if (path.empty() || path == "-") return LineReader(STDIN_FILENO, "stdin", line_bytes_max);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd >= 0) return LineReader(fd, path, line_bytes_max);
  return Status(errno == ENOENT ? StatusCode::kNotFound : StatusCode::kIoError,
                fmt::format("cannot open {}: {}", path, strerror(errno)));
}

LineReader::LineReader(int fd, std::string name, std::size_t line_bytes_max)
    : fd_(fd), name_(std::move(name)), line_bytes_max_(line_bytes_max) {}

LineReader::LineReader(LineReader&& other) noexcept
    : fd_(std::exchange(other.fd_, STDIN_FILENO)),
      name_(std::move(other.name_)),
      line_bytes_max_(other.line_bytes_max_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      line_number_(other.line_number_) {}

LineReader::~LineReader() {
  if (fd_ != STDIN_FILENO) ::close(fd_);
}

Result<std::optional<std::string_view>> LineReader::Next() {
  std::size_t searched = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    const std::size_t line_bytes = (end == buffer_.npos ? buffer_.size() : end) - begin_;
    if (line_bytes > line_bytes_max_) {
      return Status(StatusCode::kTooLarge, fmt::format("{}:{}: a line of more than {} bytes", name_,
                                                       line_number_ + 1, line_bytes_max_));
    }
    if (end != buffer_.npos) {
      ++line_number_;
      return std::optional(
          std::string_view(buffer_).substr(std::exchange(begin_, end + 1), line_bytes));
    }
    searched = line_bytes;
    const Result<bool> filled = Fill();
    if (!filled.ok()) return filled.status();
    if (!*filled) break;
  }
  if (begin_ == buffer_.size()) return std::optional<std::string_view>();
  ++line_number_;
  return std::optional(std::string_view(buffer_).substr(std::exchange(begin_, buffer_.size())));
}

Result<bool> LineReader::Fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t held = buffer_.size();
  buffer_.resize(held + kReadBytes);
  ssize_t count = 0;
  do {
    count = ::read(fd_, buffer_.data() + held, kReadBytes);
  } while (count < 0 && errno == EINTR);
  const int error = errno;
  buffer_.resize(held + static_cast<std::size_t>(count < 0 ? 0 : count));
  if (count >= 0) return count > 0;
  return Status(StatusCode::kIoError, fmt::format("cannot read {}: {}", name_, strerror(error)));
}

}  // namespace runlog::tools
