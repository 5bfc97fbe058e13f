// Reads a RocksDB write-ahead log without RocksDB: which records are whole, and where one is not.
// RocksDB itself stops at the first bad record and says nothing of what lies behind it.

#ifndef RUNLOG_ENGINE_WAL_SCAN_H_
#define RUNLOG_ENGINE_WAL_SCAN_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include <runlog/status.h>

#include "format/anchor.h"

namespace runlog::engine {

/// A whole record: one WriteBatch.
struct WalRecord {
  std::uint64_t sequence = 0;  // RocksDB's sequence number of its first entry
  std::uint32_t count = 0;     // sequence numbers it takes; 0 for RocksDB's own mark of an opening
  std::optional<format::WalMark> mark;  // FORMAT.md, "What is durable"
};

/// What a scan finds, in file order.
struct WalVisitor {
  std::function<void(const WalRecord&)> on_record;
  /// Bytes from `offset` on that are no record. What follows, if anything, is behind the next block
  /// or the next byte at which a record is valid.
  std::function<void(std::uint64_t offset)> on_damage;
};

/// Scans the log at `path`. Whatever the bytes are, it ends.
/// Errors: kIoError.
Status ScanWal(const std::filesystem::path& path, const WalVisitor& visitor);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_WAL_SCAN_H_
