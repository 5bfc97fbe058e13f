// Who may touch a store: its folder is the owner's alone, and so is every file in it.

#ifndef RUNLOG_ENGINE_PRIVATE_FILES_H_
#define RUNLOG_ENGINE_PRIVATE_FILES_H_

#include <sys/types.h>

#include <filesystem>
#include <memory>

#include <rocksdb/env.h>

#include <runlog/status.h>

namespace runlog::engine {

/// Makes `folder` and what leads to it, or takes an empty one, and gives it mode 0700.
/// Errors: kIoError; also where an existing folder is another user's.
Status MakePrivateFolder(const std::filesystem::path& folder);

/// Whether `user` may trust the store in `folder`. Whoever can write the folder or FORMAT can put
/// any store in its place, so both must be `user`'s own and nobody else's to write. User 0 may open
/// what any user owns.
/// Errors: kInvalidArgument, with the path, what is wrong with it, and the command that puts it
/// right.
Status CheckNobodyElseWrites(const std::filesystem::path& folder, uid_t user);

/// `base`, except that every file it makes has mode 0600: RocksDB asks for 0644. The mode is set by
/// path when the file has just been made; reads and writes go to the files of `base` directly.
/// Where the mode cannot be set (a file system without modes, files that are in memory) the
/// folder's own mode is what protects them. Requires: `base` outlives it.
std::unique_ptr<rocksdb::Env> MakePrivateEnv(rocksdb::Env& base);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_PRIVATE_FILES_H_
