// The lock of a store's one writing process: an open-file-description lock on FOLDER/WRITER, whose
// text names the holder. RocksDB's own LOCK is never opened by us: closing a second descriptor of
// it would drop the lock of the first.

#ifndef RUNLOG_ENGINE_WRITER_LOCK_H_
#define RUNLOG_ENGINE_WRITER_LOCK_H_

#include <cstdint>
#include <filesystem>

#include <runlog/options.h>
#include <runlog/status.h>

namespace runlog::engine {

class WriterLock {
 public:
  WriterLock() = default;
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&& other) noexcept;
  ~WriterLock();

  /// Takes the lock and writes pid and start time into the file.
  /// Errors: kLocked, with the holder's own words; kIoError.
  static Result<WriterLock> Acquire(const std::filesystem::path& folder, const Clock& clock);

  /// What tells FOLDER/WRITER from any copy of it: its inode and the moment it was made, hashed.
  /// 0 where there is no such file. Errors: kIoError.
  static Result<std::uint64_t> Identity(const std::filesystem::path& folder);

  /// Whether some process holds the lock now. Changes nothing in the folder.
  static Result<bool> IsHeld(const std::filesystem::path& folder);

 private:
  explicit WriterLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_WRITER_LOCK_H_
