#include "engine/rocks.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include "engine/broken_table.h"
#include "engine/format_file.h"
#include "engine/private_files.h"

namespace runlog::engine {

/// Counts the moments writes became slower or stopped.
class StallListener final : public rocksdb::EventListener {
 public:
  void OnStallConditionsChanged(const rocksdb::WriteStallInfo& change) override {
    if (change.condition.cur != rocksdb::WriteStallCondition::kNormal) {
      count_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> count_{0};
};

namespace {

using format::Family;

/// The parts of a family's options that differ.
struct FamilyTuning {
  std::uint64_t memtable_bytes;
  std::size_t block_bytes;
  bool point_reads;     // gets a Bloom filter
  bool thread_runs_on;  // an append adds keys behind the thread's last ones
};

FamilyTuning TuningOf(Family family, const StoreOptions& options) {
  const std::uint64_t large = options.memtable_bytes;
  const std::uint64_t small = std::max<std::uint64_t>(large / 4, std::uint64_t{1} << 20);
  switch (family) {
    case Family::kEvents:
      // 16-KiB blocks: events are read in ranges, and larger blocks compress better.
      return {large, std::size_t{16} << 10, false, true};
    case Family::kThreads:
    case Family::kRuns:
    case Family::kOwners:
    case Family::kIdempotency:
      return {small, std::size_t{4} << 10, true, false};
    case Family::kRunIndex:
    case Family::kTypeIndex:
    case Family::kTaskIndex:
    case Family::kMessageIndex:
      return {small, std::size_t{8} << 10, false, true};
    case Family::kCommits:
      return {small, std::size_t{8} << 10, false, false};
    case Family::kMeta:
    case Family::kGaps:
    case Family::kHidden:
    case Family::kEvidence:
      return {std::max<std::uint64_t>(large / 16, std::uint64_t{1} << 20), std::size_t{4} << 10,
              false, false};
  }
  return {small, std::size_t{4} << 10, false, false};
}

rocksdb::ColumnFamilyOptions FamilyOptions(Family family, const StoreOptions& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  const FamilyTuning tuning = TuningOf(family, options);
  rocksdb::ColumnFamilyOptions result;
  result.write_buffer_size = tuning.memtable_bytes;
  result.max_write_buffer_number = 3;
  if (tuning.thread_runs_on) {
    // The memtable remembers for each thread where it inserted last, and starts there: half the key
    // comparisons of a write otherwise go into finding the place again.
    result.memtable_insert_with_hint_prefix_extractor.reset(
        rocksdb::NewFixedPrefixTransform(sizeof(std::uint64_t)));
  }
  result.compression = rocksdb::kLZ4Compression;
  // Events fill the disk and are compacted seldom. The small rows are rewritten with every change
  // of their thread: ZSTD there took half the processor time of appends to cold threads.
  if (family == Family::kEvents) result.bottommost_compression = rocksdb::kZSTD;
  result.level_compaction_dynamic_level_bytes = true;
  result.force_consistency_checks = true;

  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = tuning.block_bytes;
  table.format_version = 5;  // a later RocksDB must not write what 7.8 cannot read
  table.checksum = rocksdb::kXXH3;
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  if (tuning.point_reads) table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return result;
}

rocksdb::DBOptions DatabaseOptions(OpenMode mode, const StoreOptions& options,
                                   const std::shared_ptr<rocksdb::Cache>& cache,
                                   const std::shared_ptr<rocksdb::Statistics>& statistics) {
  rocksdb::DBOptions result;
  // FORMAT decides what is new: RocksDB would otherwise make an empty database over old files.
  result.create_if_missing = mode == OpenMode::kCreate;
  result.create_missing_column_families = mode == OpenMode::kCreate;
  // The only mode that survives a legal power loss without refusing to open.
  result.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  result.paranoid_checks = true;
  result.track_and_verify_wals_in_manifest = true;
  result.write_dbid_to_manifest = true;
  result.fail_if_options_file_error = true;
  // Bounds recovery time, and how long a cold family can keep old logs alive.
  result.max_total_wal_size = std::uint64_t{256} << 20;
  result.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(
      std::max<std::uint64_t>(3 * options.memtable_bytes, std::uint64_t{16} << 20), cache,
      /*allow_stall=*/false);
  result.max_background_jobs = 3;
  result.max_subcompactions = 1;
  result.max_open_files = -1;
  result.bytes_per_sync = std::uint64_t{1} << 20;  // smooths writing; durability is WAL sync
  result.wal_bytes_per_sync = std::uint64_t{512} << 10;
  result.info_log_level = rocksdb::InfoLogLevel::INFO_LEVEL;
  result.keep_log_file_num = 5;
  result.max_log_file_size = std::size_t{16} << 20;
  result.stats_dump_period_sec = 0;
  result.stats_persist_period_sec = 0;
  result.allow_data_in_errors = false;
  result.statistics = statistics;
  return result;
}

/// A secondary keeps its own info log; this is where.
Result<std::filesystem::path> MakeScratchFolder() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) {
    return Status(StatusCode::kIoError, "no folder for temporary files: " + error.message());
  }
  std::string name = (base / "runlog-view-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    return Status(StatusCode::kIoError, "cannot make a scratch folder under " + base.string());
  }
  return std::filesystem::path(name);
}

}  // namespace

Status FromRocks(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return {};
  StatusCode code = StatusCode::kIoError;
  if (status.IsNoSpace()) {
    code = StatusCode::kNoSpace;
  } else if (status.IsCorruption()) {
    code = StatusCode::kCorruption;
  } else if (status.IsIncomplete() || status.IsBusy() || status.IsTimedOut()) {
    code = StatusCode::kOverloaded;
  } else if (status.IsNotFound()) {
    code = StatusCode::kNotFound;
  }
  return Status(code, fmt::format("{}: {}", doing, status.ToString()));
}

Result<std::shared_ptr<Rocks>> Rocks::Open(const std::filesystem::path& folder, OpenMode mode,
                                           const StoreOptions& options, WriterLock lock,
                                           const LogReplay& replay) {
  std::shared_ptr<Rocks> rocks(new Rocks());
  rocks->lock_ = std::move(lock);
  rocks->statistics_ = rocksdb::CreateDBStatistics();
  rocks->statistics_->set_stats_level(rocksdb::StatsLevel::kExceptHistogramOrTimers);
  const std::shared_ptr<rocksdb::Cache> cache =
      rocksdb::NewLRUCache(options.block_cache_bytes, /*num_shard_bits=*/-1,
                           /*strict_capacity_limit=*/false, /*high_pri_pool_ratio=*/0.5);
  rocksdb::DBOptions database = DatabaseOptions(mode, options, cache, rocks->statistics_);
  database.track_and_verify_wals_in_manifest = replay.check_tracked_logs;
  if (replay.cut) {
    rocks->cut_ = std::make_unique<WalCut>(*replay.cut);
    database.wal_filter = rocks->cut_.get();
  }
  rocks->private_env_ = MakePrivateEnv(*database.env);
  database.env = rocks->private_env_.get();
  rocks->stalls_ = std::make_shared<StallListener>();
  database.listeners.push_back(rocks->stalls_);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (std::size_t i = 0; i < format::kFamilyCount; ++i) {
    descriptors.emplace_back(std::string(format::kFamilyNames[i]),
                             FamilyOptions(static_cast<Family>(i), options, cache));
  }

  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  rocksdb::Status opened;
  if (mode == OpenMode::kReadOnly) {
    opened = rocksdb::DB::OpenForReadOnly(database, folder.string(), descriptors, &handles, &db);
  } else if (mode == OpenMode::kSecondary) {
    Result<std::filesystem::path> scratch = MakeScratchFolder();
    if (!scratch.ok()) return scratch.status();
    rocks->scratch_ = *scratch;
    opened = rocksdb::DB::OpenAsSecondary(database, folder.string(), rocks->scratch_.string(),
                                          descriptors, &handles, &db);
  } else {
    opened = rocksdb::DB::Open(database, folder.string(), descriptors, &handles, &db);
    if (opened.IsInvalidArgument() && IsUnfinished(folder)) {
      database.create_missing_column_families = true;
      opened = rocksdb::DB::Open(database, folder.string(), descriptors, &handles, &db);
    }
  }
  if (opened.IsCorruption()) {
    if (const std::string table = FindBrokenTable(folder, opened); !table.empty()) {
      return FromRocks(opened, "opening " + (folder / table).string());
    }
  }
  if (!opened.ok()) return FromRocks(opened, "opening " + folder.string());
  rocks->db_.reset(db);
  std::copy(handles.begin(), handles.end(), rocks->families_.begin());
  return rocks;
}

bool Rocks::IsUnfinished(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder / "CURRENT", error)) return !HasDatabaseFiles(folder);
  rocksdb::DB* opened = nullptr;
  rocksdb::Options options;
  options.track_and_verify_wals_in_manifest = true;  // else it asserts that none was tracked
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, folder.string(), &opened);
  const std::unique_ptr<rocksdb::DB> db(opened);
  std::vector<std::string> families;
  if (!status.ok() ||
      !rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), folder.string(), &families).ok()) {
    return false;
  }
  const std::unique_ptr<rocksdb::Iterator> meta(db->NewIterator(Reading()));
  meta->SeekToFirst();
  return families.size() < format::kFamilyCount && !meta->Valid() && meta->status().ok();
}

Rocks::~Rocks() {
  if (db_ != nullptr) {
    for (rocksdb::ColumnFamilyHandle* handle : families_) {
      // Fails only for a foreign handle; nothing could be done about it here.
      db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    }
    db_.reset();
  }
  if (!scratch_.empty()) {
    std::error_code ignored;  // a left-over scratch folder is the temporary folder's to clean
    std::filesystem::remove_all(scratch_, ignored);
  }
}

std::uint64_t Rocks::stalls() const {
  return stalls_->count();
}

index::IndexFamilies Rocks::index_families() const {
  return {family(Family::kRunIndex), family(Family::kTypeIndex), family(Family::kTaskIndex),
          family(Family::kMessageIndex)};
}

rocksdb::ReadOptions Rocks::Reading(const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions options;
  options.verify_checksums = true;
  options.snapshot = snapshot;
  return options;
}

Result<bool> Rocks::Get(Family which, std::string_view key, std::string& value,
                        const rocksdb::Snapshot* snapshot) const {
  const rocksdb::Status status =
      db_->Get(Reading(snapshot), family(which), rocksdb::Slice(key.data(), key.size()), &value);
  if (status.ok()) return true;
  if (status.IsNotFound()) return false;
  return FromRocks(status, fmt::format("reading {}", format::FamilyName(which)));
}

}  // namespace runlog::engine
