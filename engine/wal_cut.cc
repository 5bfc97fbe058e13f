#include "engine/wal_cut.h"

#include <rocksdb/write_batch.h>

#include "format/bytes.h"

namespace runlog::engine {

rocksdb::WalFilter::WalProcessingOption WalCut::LogRecordFound(unsigned long long /*log*/,
                                                               const std::string& /*name*/,
                                                               const rocksdb::WriteBatch& batch,
                                                               rocksdb::WriteBatch* /*new_batch*/,
                                                               bool* /*batch_changed*/) {
  // RocksDB's own mark of an opening has no entries, and the number of what comes next.
  if (batch.Count() == 0) return WalProcessingOption::kContinueProcessing;
  const std::uint64_t sequence = format::ByteReader(batch.Data()).Little64();
  return sequence > end_ ? WalProcessingOption::kStopReplay
                         : WalProcessingOption::kContinueProcessing;
}

}  // namespace runlog::engine
