#include "engine/private_files.h"

#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <rocksdb/file_system.h>

namespace runlog::engine {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFolderMode = 0700;
constexpr mode_t kFileMode = 0600;

Status IoError(std::string_view doing, const fs::path& path, int error) {
  return Status(StatusCode::kIoError, fmt::format("{} {}: {}", doing, path.string(),
                                                  std::generic_category().message(error)));
}

Status CheckPath(const fs::path& path, uid_t user) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return IoError("cannot look at", path, errno);
  if (user != 0 && found.st_uid != user) {
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format("{} belongs to user {}, not to user {}: open it as its owner, or give "
                    "it away with chown -R {}",
                    path.string(), found.st_uid, user, user));
  }
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{} has mode {:04o}: others than its owner may write it, so what it "
                            "holds cannot be trusted; see who did, then chmod {} {}",
                            path.string(), found.st_mode & 07777U,
                            S_ISDIR(found.st_mode) ? "700" : "600", path.string()));
}

/// For a file that was made with the outcome `made`. A mode that cannot be set leaves the file to
/// that of the folder: no reason to refuse a write.
template <typename RocksStatus>
RocksStatus MadePrivate(const std::string& path, RocksStatus made) {
  if (made.ok()) (void)::chmod(path.c_str(), kFileMode);
  return made;
}

/// A wrapper of a file system and not of its files: nothing is added to a read or a write.
class PrivateFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "runlog.PrivateFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* context) override {
    return MadePrivate(path, FileSystemWrapper::NewWritableFile(path, options, file, context));
  }
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* context) override {
    return MadePrivate(path, FileSystemWrapper::ReopenWritableFile(path, options, file, context));
  }
  rocksdb::IOStatus NewLogger(const std::string& path, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* logger,
                              rocksdb::IODebugContext* context) override {
    return MadePrivate(path, FileSystemWrapper::NewLogger(path, options, logger, context));
  }
};

class PrivateEnv final : public rocksdb::EnvWrapper {
 public:
  explicit PrivateEnv(rocksdb::Env& base) : EnvWrapper(&base) {
    file_system_ = std::make_shared<PrivateFileSystem>(base.GetFileSystem());
  }
  const char* Name() const override { return "runlog.PrivateEnv"; }
  /// LOCK is the one file RocksDB does not ask the file system for.
  rocksdb::Status LockFile(const std::string& path, rocksdb::FileLock** lock) override {
    return MadePrivate(path, EnvWrapper::LockFile(path, lock));
  }
};

}  // namespace

Status MakePrivateFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return IoError("cannot make", folder, error.value());
  if (::chmod(folder.c_str(), kFolderMode) != 0) {
    return IoError("cannot take for this user alone", folder, errno);
  }
  return {};
}

Status CheckNobodyElseWrites(const fs::path& folder, uid_t user) {
  if (Status s = CheckPath(folder, user); !s.ok()) return s;
  return CheckPath(folder / "FORMAT", user);
}

std::unique_ptr<rocksdb::Env> MakePrivateEnv(rocksdb::Env& base) {
  return std::make_unique<PrivateEnv>(base);
}

}  // namespace runlog::engine
