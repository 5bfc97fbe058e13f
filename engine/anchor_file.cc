#include "engine/anchor_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace runlog::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSlots = 2;

Status IoError(std::string_view doing, const fs::path& path, int error) {
  const StatusCode code = error == ENOSPC ? StatusCode::kNoSpace : StatusCode::kIoError;
  return Status(
      code, fmt::format("{} {}: {}", doing, path.string(), std::generic_category().message(error)));
}

Result<format::Anchor> ReadSlot(int descriptor, std::uint64_t slot, const fs::path& path) {
  std::string bytes(format::kAnchorSlotSize, '\0');
  const ssize_t size = ::pread(descriptor, bytes.data(), bytes.size(),
                               static_cast<off_t>(slot * format::kAnchorSlotSize));
  if (size < 0) return IoError("cannot read", path, errno);
  bytes.resize(static_cast<std::size_t>(size));
  return format::DecodeAnchorSlot(bytes);
}

}  // namespace

Status SyncFolder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return IoError("cannot open", folder, errno);
  const bool synced = ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  return synced ? Status() : IoError("cannot sync", folder, error);
}

Result<std::optional<format::Anchor>> ReadAnchor(const fs::path& folder) {
  const fs::path path = folder / kAnchorName;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return std::optional<format::Anchor>();
  if (descriptor < 0) return IoError("cannot open", path, errno);
  std::optional<format::Anchor> best;
  Status first_failure;
  for (std::uint64_t slot = 0; slot < kSlots; ++slot) {
    Result<format::Anchor> read = ReadSlot(descriptor, slot, path);
    if (!read.ok()) {
      if (first_failure.ok()) first_failure = read.status();
      // Never guess past a slot that a later build, or a failing device, knows more about.
      if (read.status().code() != StatusCode::kCorruption) break;
      continue;
    }
    if (!best || read->generation > best->generation) best = *std::move(read);
  }
  ::close(descriptor);
  const bool usable = first_failure.ok() || first_failure.code() == StatusCode::kCorruption;
  if (best && usable) return best;
  return Status(first_failure.code(),
                fmt::format("{}: {}", path.string(), first_failure.message()));
}

AnchorFile::AnchorFile(fs::path path, int descriptor, std::uint64_t generation)
    : path_(std::move(path)), descriptor_(descriptor), generation_(generation) {}

AnchorFile::AnchorFile(AnchorFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      generation_(other.generation_) {}

AnchorFile& AnchorFile::operator=(AnchorFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(generation_, other.generation_);
  return *this;
}

AnchorFile::~AnchorFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<AnchorFile> AnchorFile::Open(const fs::path& folder, std::uint64_t generation) {
  const fs::path path = folder / kAnchorName;
  const bool is_new = !fs::exists(path);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return IoError("cannot open", path, errno);
  AnchorFile file(path, descriptor, generation);
  if (is_new) {
    if (Status s = SyncFolder(folder); !s.ok()) return s;
  }
  return file;
}

Status AnchorFile::Write(format::Anchor anchor) {
  anchor.generation = generation_;
  const std::string slot = format::EncodeAnchorSlot(anchor);
  const off_t offset = static_cast<off_t>(generation_ % kSlots * format::kAnchorSlotSize);
  const ssize_t size = ::pwrite(descriptor_, slot.data(), slot.size(), offset);
  if (size != static_cast<ssize_t>(slot.size())) {
    return IoError("cannot write", path_, size < 0 ? errno : ENOSPC);
  }
  if (::fdatasync(descriptor_) != 0) return IoError("cannot sync", path_, errno);
  ++generation_;
  return {};
}

Status AnchorFile::WriteBoth(const format::Anchor& anchor) {
  if (Status s = Write(anchor); !s.ok()) return s;
  return Write(anchor);
}

}  // namespace runlog::engine
