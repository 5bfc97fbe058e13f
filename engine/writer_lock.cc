#include "engine/writer_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "format/bytes.h"
#include "format/checksum.h"

namespace runlog::engine {
namespace {

constexpr const char* kLockFile = "WRITER";

Status IoError(std::string_view doing, const std::filesystem::path& path, int error) {
  return Status(StatusCode::kIoError, fmt::format("{} {}: {}", doing, path.string(),
                                                  std::generic_category().message(error)));
}

struct flock WholeFile(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

std::string HolderText(int descriptor) {
  std::array<char, 256> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  if (size <= 0) return "an unnamed process";
  std::string holder(text.data(), static_cast<std::size_t>(size));
  return holder.substr(0, holder.find('\n'));
}

}  // namespace

WriterLock::WriterLock(WriterLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

WriterLock::~WriterLock() {
  // Closing the last descriptor of the open file description drops the lock.
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<WriterLock> WriterLock::Acquire(const std::filesystem::path& folder, const Clock& clock) {
  const std::filesystem::path path = folder / kLockFile;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return IoError("cannot open", path, errno);
  WriterLock lock(descriptor);

  struct flock whole = WholeFile(F_WRLCK);
  if (::fcntl(descriptor, F_OFD_SETLK, &whole) != 0) {
    if (errno != EAGAIN && errno != EACCES) return IoError("cannot lock", path, errno);
    return Status(StatusCode::kLocked, fmt::format("{} is being written by {}", folder.string(),
                                                   HolderText(descriptor)));
  }
  const std::string text =
      fmt::format("pid {} since {}\n", ::getpid(), FormatTimestamp(clock.Now()));
  if (::ftruncate(descriptor, 0) != 0) return IoError("cannot write", path, errno);
  if (::pwrite(descriptor, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    return IoError("cannot write", path, errno);
  }
  return lock;
}

Result<std::uint64_t> WriterLock::Identity(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kLockFile;
  struct statx found {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &found) != 0) {
    if (errno == ENOENT) return std::uint64_t{0};
    return IoError("cannot look at", path, errno);
  }
  std::string identity;
  format::AppendLittle64(identity, found.stx_ino);
  // A file system that keeps no birth time leaves the inode alone to tell files apart.
  if ((found.stx_mask & STATX_BTIME) != 0) {
    format::AppendLittle64(identity, static_cast<std::uint64_t>(found.stx_btime.tv_sec));
    format::AppendLittle32(identity, found.stx_btime.tv_nsec);
  }
  return format::Hash64(identity);
}

Result<bool> WriterLock::IsHeld(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kLockFile;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) {
    if (errno == ENOENT) return false;
    return IoError("cannot open", path, errno);
  }
  struct flock whole = WholeFile(F_RDLCK);
  const int failed = ::fcntl(descriptor, F_OFD_GETLK, &whole);
  const int error = errno;
  ::close(descriptor);
  if (failed != 0) return IoError("cannot ask for the lock of", path, error);
  return whole.l_type != F_UNLCK;
}

}  // namespace runlog::engine
