// Folders and stores for one measurement, and what they take on disk.

#ifndef RUNLOG_BENCHMARKS_SUPPORT_SCRATCH_STORE_H_
#define RUNLOG_BENCHMARKS_SUPPORT_SCRATCH_STORE_H_

#include <cstdint>
#include <filesystem>
#include <memory>

#include <runlog/event_store.h>
#include <runlog/options.h>

#include "engine/rocks.h"

namespace runlog::bench {

/// Where scratch folders are made: `--dir`, or `scratch` beside the program's folder, which is in
/// the build tree. A memory file system is refused: it would make durability look free.
void SetScratchParent(const std::filesystem::path& parent);

/// A new empty folder, gone at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Opens or makes a store; fails loudly.
std::unique_ptr<EventStore> OpenStore(const std::filesystem::path& folder,
                                      const StoreOptions& options);

/// Opens the store's database as the engine does, without the engine. Makes it if `folder` is
/// empty.
std::shared_ptr<engine::Rocks> OpenRocks(const std::filesystem::path& folder,
                                         const StoreOptions& options);

/// Writes every memtable out and waits until no compaction is due.
void Settle(const engine::Rocks& rocks);

/// Bytes RocksDB wrote since it was opened: logs, flushes and compactions.
std::uint64_t BytesWritten(const engine::Rocks& rocks);
std::uint64_t BytesWritten(const Stats& stats);

/// Times the log was synced since the database was opened.
std::uint64_t LogSyncs(const engine::Rocks& rocks);

/// Bytes of table files.
std::uint64_t TableBytes(const std::filesystem::path& folder);

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_SUPPORT_SCRATCH_STORE_H_
