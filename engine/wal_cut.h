// Ends RocksDB's replay of the logs where their unbroken records end. RocksDB sees bad bytes, but
// not that records are missing between two logs: without this it would go on behind the hole.

#ifndef RUNLOG_ENGINE_WAL_CUT_H_
#define RUNLOG_ENGINE_WAL_CUT_H_

#include <cstdint>
#include <string>

#include <rocksdb/wal_filter.h>

namespace runlog::engine {

class WalCut final : public rocksdb::WalFilter {
 public:
  /// Nothing above the sequence number `end` is replayed.
  explicit WalCut(std::uint64_t end) : end_(end) {}

  const char* Name() const override { return "runlog.WalCut"; }
  WalProcessingOption LogRecordFound(unsigned long long log, const std::string& name,
                                     const rocksdb::WriteBatch& batch,
                                     rocksdb::WriteBatch* new_batch, bool* batch_changed) override;

 private:
  const std::uint64_t end_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_WAL_CUT_H_
