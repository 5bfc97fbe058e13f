// FOLDER/ANCHOR on disk: two slots, written in turn. FORMAT.md, "What is durable".

#ifndef RUNLOG_ENGINE_ANCHOR_FILE_H_
#define RUNLOG_ENGINE_ANCHOR_FILE_H_

#include <cstdint>
#include <filesystem>
#include <optional>

#include <runlog/status.h>

#include "format/anchor.h"

namespace runlog::engine {

inline constexpr const char* kAnchorName = "ANCHOR";

/// The valid slot with the higher generation; nothing where there is no such file.
/// Errors: kCorruption (no slot is valid), kUnsupported, kIoError.
Result<std::optional<format::Anchor>> ReadAnchor(const std::filesystem::path& folder);

/// Makes the names of `folder` durable. Errors: kIoError.
Status SyncFolder(const std::filesystem::path& folder);

/// The file, open for writing by the one process that writes the store. Concurrency: one caller at
/// a time.
class AnchorFile {
 public:
  /// Makes the file where there is none; its writes are numbered from `generation` on.
  /// Errors: kIoError.
  static Result<AnchorFile> Open(const std::filesystem::path& folder, std::uint64_t generation);

  AnchorFile(AnchorFile&& other) noexcept;
  AnchorFile& operator=(AnchorFile&& other) noexcept;
  ~AnchorFile();

  /// Writes the older slot and syncs it. `anchor.generation` is set here. On failure the other slot
  /// still counts. Errors: kNoSpace, kIoError.
  Status Write(format::Anchor anchor);
  /// Both slots, one after the other: afterwards no slot says anything older.
  Status WriteBoth(const format::Anchor& anchor);

 private:
  AnchorFile(std::filesystem::path path, int descriptor, std::uint64_t generation);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t generation_ = 0;  // of the next write
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_ANCHOR_FILE_H_
