#include "benchmarks/support/scratch_store.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>

#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/support/check.h"
#include "engine/writer_lock.h"
#include "format/key_space.h"

namespace runlog::bench {
namespace {

namespace fs = std::filesystem;

fs::path& ScratchParent() {
  static fs::path parent =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "scratch";
  return parent;
}

bool IsInMemory(const fs::path& folder) {
  struct statfs about {};
  Check(::statfs(folder.c_str(), &about) == 0, "statfs of the scratch folder");
  return about.f_type == TMPFS_MAGIC || about.f_type == RAMFS_MAGIC;
}

}  // namespace

void SetScratchParent(const fs::path& parent) {
  ScratchParent() = fs::absolute(parent);
}

ScratchFolder::ScratchFolder() {
  fs::create_directories(ScratchParent());
  Check(!IsInMemory(ScratchParent()), "the scratch folder is in memory; choose another with --dir");
  std::string name = (ScratchParent() / "bench-XXXXXX").string();
  Check(::mkdtemp(name.data()) != nullptr, "cannot make a scratch folder");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // what stays behind is in the build tree
  fs::remove_all(path_, ignored);
}

std::unique_ptr<EventStore> OpenStore(const fs::path& folder, const StoreOptions& options) {
  return Take(EventStore::Open(folder, options));
}

std::shared_ptr<engine::Rocks> OpenRocks(const fs::path& folder, const StoreOptions& options) {
  const engine::OpenMode mode =
      fs::exists(folder / "CURRENT") ? engine::OpenMode::kWrite : engine::OpenMode::kCreate;
  return Take(engine::Rocks::Open(folder, mode, options, engine::WriterLock()));
}

void Settle(const engine::Rocks& rocks) {
  rocksdb::DB& db = rocks.db();
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  for (std::size_t i = 0; i < format::kFamilyCount; ++i)
    families.push_back(rocks.family(static_cast<format::Family>(i)));
  Check(db.Flush(rocksdb::FlushOptions(), families));
  const auto is_busy = [&] {
    std::uint64_t running = 0;
    Check(db.GetIntProperty(rocksdb::DB::Properties::kNumRunningCompactions, &running),
          "no property for running compactions");
    for (rocksdb::ColumnFamilyHandle* family : families) {
      std::uint64_t pending = 0;
      Check(db.GetIntProperty(family, rocksdb::DB::Properties::kCompactionPending, &pending),
            "no property for pending compactions");
      running += pending;
    }
    return running > 0;
  };
  while (is_busy())
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

std::uint64_t BytesWritten(const engine::Rocks& rocks) {
  const rocksdb::Statistics& statistics = rocks.statistics();
  return statistics.getTickerCount(rocksdb::WAL_FILE_BYTES) +
         statistics.getTickerCount(rocksdb::FLUSH_WRITE_BYTES) +
         statistics.getTickerCount(rocksdb::COMPACT_WRITE_BYTES);
}

std::uint64_t BytesWritten(const Stats& stats) {
  return stats.wal_bytes + stats.flush_bytes + stats.compaction_write_bytes;
}

std::uint64_t LogSyncs(const engine::Rocks& rocks) {
  return rocks.statistics().getTickerCount(rocksdb::WAL_FILE_SYNCED);
}

std::uint64_t TableBytes(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".sst") bytes += file.file_size();
  }
  return bytes;
}

}  // namespace runlog::bench
