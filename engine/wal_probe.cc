#include "engine/wal_probe.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <rocksdb/db.h>
#include <rocksdb/wal_filter.h>

#include "format/key_space.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;

/// Replays nothing; keeps which logs the families still need.
class ReplayNothing final : public rocksdb::WalFilter {
 public:
  const char* Name() const override { return "runlog.ReplayNothing"; }
  void ColumnFamilyLogNumberMap(const std::map<std::uint32_t, std::uint64_t>& family_logs,
                                const std::map<std::string, std::uint32_t>& /*ids*/) override {
    for (const auto& [family, log] : family_logs)
      oldest_log_ = std::min(oldest_log_, log);
  }
  WalProcessingOption LogRecordFound(unsigned long long /*log*/, const std::string& /*name*/,
                                     const rocksdb::WriteBatch& /*batch*/,
                                     rocksdb::WriteBatch* /*new_batch*/,
                                     bool* /*batch_changed*/) override {
    return WalProcessingOption::kStopReplay;
  }
  std::uint64_t oldest_log() const {
    return oldest_log_ == std::numeric_limits<std::uint64_t>::max() ? 0 : oldest_log_;
  }

 private:
  std::uint64_t oldest_log_ = std::numeric_limits<std::uint64_t>::max();
};

/// The families a probe opens: a writer must open all there are.
rocksdb::Status FamiliesToOpen(const std::string& path, bool for_writing,
                               std::vector<rocksdb::ColumnFamilyDescriptor>& families) {
  std::vector<std::string> names;
  const rocksdb::Status listed =
      rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), path, &names);
  for (const std::string& name : names) {
    if (for_writing || name == rocksdb::kDefaultColumnFamilyName ||
        name == format::FamilyName(Family::kCommits)) {
      families.emplace_back(name, rocksdb::ColumnFamilyOptions());
    }
  }
  return listed;
}

rocksdb::Status NewestCommit(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& commits,
                             std::uint64_t& newest) {
  const std::unique_ptr<rocksdb::Iterator> rows(db.NewIterator(rocksdb::ReadOptions(), &commits));
  rows->SeekToLast();
  if (!rows->Valid()) return rows->status();
  const auto key = format::DecodeCommitKey(rows->key().ToStringView());
  if (!key) return rocksdb::Status::Corruption("commits: a key that is none");
  newest = *key;
  return rows->status();
}

rocksdb::Status Probe(const std::string& path, bool for_writing, ProbeOutcome& outcome) {
  ReplayNothing filter;
  rocksdb::DBOptions options;
  options.paranoid_checks = true;
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  // A reader that does not track while the manifest names tracked logs ends in RocksDB's assert.
  options.track_and_verify_wals_in_manifest = !for_writing;
  options.wal_filter = &filter;
  options.max_open_files = 64;  // only the newest commit is read
  options.skip_stats_update_on_db_open = true;
  options.info_log_level = rocksdb::InfoLogLevel::FATAL_LEVEL;

  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  rocksdb::Status status = FamiliesToOpen(path, for_writing, families);
  if (!status.ok()) return status;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  status = for_writing ? rocksdb::DB::Open(options, path, families, &handles, &opened)
                       : rocksdb::DB::OpenForReadOnly(options, path, families, &handles, &opened);
  if (!status.ok()) return status;
  const std::unique_ptr<rocksdb::DB> db(opened);
  outcome.sequence = db->GetLatestSequenceNumber();
  std::uint64_t kept = 0;
  db->GetIntProperty(rocksdb::DB::Properties::kMinLogNumberToKeep, &kept);
  // A writer has let go of the logs by now; what it needed of them, the filter was told.
  outcome.oldest_log = for_writing ? filter.oldest_log() : std::max(filter.oldest_log(), kept);
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    if (status.ok() && handle->GetName() == format::FamilyName(Family::kCommits)) {
      status = NewestCommit(*db, *handle, outcome.newest_commit);
    }
    db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  return status;
}

}  // namespace

rocksdb::Status ProbeTables(const std::filesystem::path& folder, ProbeOutcome& outcome) {
  return Probe(folder.string(), /*for_writing=*/false, outcome);
}

rocksdb::Status ProbeCopy(const std::filesystem::path& copy, ProbeOutcome& outcome) {
  return Probe(copy.string(), /*for_writing=*/true, outcome);
}

}  // namespace runlog::engine
