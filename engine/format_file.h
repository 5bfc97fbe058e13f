// FOLDER/FORMAT: what makes a folder a store, and whether this build may touch it.
// FORMAT.md, "The folder".

#ifndef RUNLOG_ENGINE_FORMAT_FILE_H_
#define RUNLOG_ENGINE_FORMAT_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include <runlog/status.h>

namespace runlog::engine {

enum class FolderKind : unsigned char {
  kMissing,  ///< There is no such folder.
  kEmpty,    ///< It is empty: a store may be made here.
  kStore,    ///< It holds a store this build may open.
};

/// Says what `folder` is. Reads only.
/// Errors: kUnsupported (newer format or unknown feature, by name), kInvalidArgument (not a folder,
/// files that are no store, or a store that others may write), kCorruption (FORMAT does not parse),
/// kIoError.
Result<FolderKind> InspectFolder(const std::filesystem::path& folder);

/// The store_id line of FORMAT. Requires: InspectFolder found a store.
/// Errors: kCorruption (none, or not 32 hex digits), kIoError.
Result<std::string> ReadStoreId(const std::filesystem::path& folder);

/// Writes FORMAT for a new store: temporary name, sync, rename, sync of the folder.
Status CreateFormatFile(const std::filesystem::path& folder, const std::string& store_id);

/// Whether `folder` holds files in which a RocksDB keeps rows: tables or logs. A manifest alone is
/// what a crash leaves before CURRENT names it.
bool HasDatabaseFiles(const std::filesystem::path& folder);

/// 32 random hex digits.
std::string NewStoreId();

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_FORMAT_FILE_H_
