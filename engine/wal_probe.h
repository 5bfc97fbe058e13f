// Asks RocksDB, opened for reading and kept from replaying, what its manifest and tables hold.

#ifndef RUNLOG_ENGINE_WAL_PROBE_H_
#define RUNLOG_ENGINE_WAL_PROBE_H_

#include <cstdint>
#include <filesystem>

#include <rocksdb/status.h>

namespace runlog::engine {

struct ProbeOutcome {
  std::uint64_t sequence = 0;       // last one the manifest knows
  std::uint64_t newest_commit = 0;  // in tables; 0 for none
  std::uint64_t oldest_log = 0;     // number of the oldest log that is still needed
};

/// Changes no byte of `folder`. Errors: RocksDB's own; also where a log that the manifest says was
/// synced is missing or shorter.
rocksdb::Status ProbeTables(const std::filesystem::path& folder, ProbeOutcome& outcome);

/// The same, whatever logs are missing. RocksDB gives that to writers alone, and lets go of the
/// logs: `copy` must be a copy, of links, that nobody needs afterwards.
rocksdb::Status ProbeCopy(const std::filesystem::path& copy, ProbeOutcome& outcome);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_WAL_PROBE_H_
