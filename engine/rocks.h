// The RocksDB instance of a store: opening, families, every option with its reason, and the one
// translation of RocksDB's statuses.

#ifndef RUNLOG_ENGINE_ROCKS_H_
#define RUNLOG_ENGINE_ROCKS_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include <rocksdb/db.h>
#include <rocksdb/statistics.h>

#include <runlog/options.h>
#include <runlog/status.h>

#include "engine/wal_cut.h"
#include "engine/writer_lock.h"
#include "format/key_space.h"
#include "index/index_writer.h"

namespace runlog::engine {

/// Translates `status`; `doing` says what was tried. RocksDB's own text stays in the message.
Status FromRocks(const rocksdb::Status& status, std::string_view doing);

/// How the logs are replayed when a database is opened.
struct LogReplay {
  /// Nothing above this sequence number; absent: everything RocksDB takes for whole.
  std::optional<std::uint64_t> cut;
  /// Refuse when a log that the manifest says was synced is missing or shorter. Requires: true
  /// where the mode is a reader's.
  bool check_tracked_logs = true;
};

enum class OpenMode : unsigned char { kCreate, kWrite, kReadOnly, kSecondary };

/// An open database. Held by shared_ptr from the store and from everything that reads, pages
/// included: the database, and with it the writer's lock, goes when the last of them goes.
/// Concurrency: as rocksdb::DB.
class Rocks {
 public:
  /// `lock` is the writer's, or empty for the reading modes.
  static Result<std::shared_ptr<Rocks>> Open(const std::filesystem::path& folder, OpenMode mode,
                                             const StoreOptions& options, WriterLock lock,
                                             const LogReplay& replay = {});
  /// Whether the database was still being made when its maker died: RocksDB makes one family after
  /// the other, and the first commit of all writes to `meta`. Open(kWrite) then goes on making it.
  static bool IsUnfinished(const std::filesystem::path& folder);
  ~Rocks();
  Rocks(const Rocks&) = delete;
  Rocks& operator=(const Rocks&) = delete;

  rocksdb::DB& db() const { return *db_; }
  rocksdb::ColumnFamilyHandle* family(format::Family family) const {
    return families_[static_cast<std::size_t>(family)];
  }
  index::IndexFamilies index_families() const;
  /// A secondary has none: RocksDB gives it no iterators over one.
  bool has_snapshots() const { return scratch_.empty(); }
  const rocksdb::Statistics& statistics() const { return *statistics_; }
  /// Times RocksDB began to delay or stop writes.
  std::uint64_t stalls() const;

  /// Reads `key` of `family` into `value`. Returns whether it exists.
  Result<bool> Get(format::Family family, std::string_view key, std::string& value,
                   const rocksdb::Snapshot* snapshot = nullptr) const;

  /// Options of every read: checksums on.
  static rocksdb::ReadOptions Reading(const rocksdb::Snapshot* snapshot = nullptr);

 private:
  Rocks() = default;

  WriterLock lock_;
  std::filesystem::path scratch_;  // of a secondary; removed at the end
  std::unique_ptr<WalCut> cut_;
  std::unique_ptr<rocksdb::Env> private_env_;
  std::shared_ptr<rocksdb::Statistics> statistics_;
  std::shared_ptr<class StallListener> stalls_;
  std::array<rocksdb::ColumnFamilyHandle*, format::kFamilyCount> families_{};
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_ROCKS_H_
