// Looks at a store before it is opened and says whether opening would lose anything acknowledged.
// Changes no byte. ARCHITECTURE.md, "Opening".

#ifndef RUNLOG_ENGINE_PREFLIGHT_H_
#define RUNLOG_ENGINE_PREFLIGHT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <runlog/status.h>

#include "engine/wal_probe.h"
#include "format/anchor.h"

namespace runlog::engine {

/// One reason not to open.
struct Obstacle {
  std::string file;  // name inside the folder
  StatusCode code = StatusCode::kCorruption;
  std::string what;
  /// Opening with accept_loss gets past it.
  bool can_be_accepted = true;
};

struct Preflight {
  std::string store_id;
  std::optional<format::Anchor> anchor;  // absent where missing or unreadable
  bool has_database = false;             // RocksDB has files here, or should have
  std::vector<Obstacle> obstacles;       // none: it opens
  /// The newest commit that would be there; absent where RocksDB does not open what there is.
  std::optional<std::uint64_t> have_commit;
  std::uint64_t want_commit = 0;  // the newest that may have been durable, as far as is known
  /// Records above this sequence number are not to be replayed.
  std::optional<std::uint64_t> cut;

  bool can_be_accepted() const;
  /// OK, or the first obstacle, with the commits that would be missing.
  Status Verdict(const std::filesystem::path& folder) const;
};

/// Requires: InspectFolder found a store; nobody writes it, or the caller holds its lock.
/// `writer` is WriterLock's identity of the folder's WRITER file, 0 for none.
/// Errors: only what keeps it from looking (kIoError); what it finds is in the result.
Result<Preflight> RunPreflight(const std::filesystem::path& folder, std::uint64_t writer);

/// Judges the logs in `folder` by what `tables` says they must follow, into `result`: the part of
/// RunPreflight that a log which is known to be missing kept it from.
Status JudgeLogs(const std::filesystem::path& folder, const ProbeOutcome& tables,
                 Preflight& result);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_PREFLIGHT_H_
