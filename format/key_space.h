// The families of a store: the schema on one screen. FORMAT.md, "Families and keys", has the bytes;
// keys.h encodes them.

#ifndef RUNLOG_FORMAT_KEY_SPACE_H_
#define RUNLOG_FORMAT_KEY_SPACE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace runlog::format {

/// A RocksDB column family. The values index kFamilyNames and are not on disk; the names are.
enum class Family : std::uint8_t {
  kMeta = 0,  // RocksDB's default family
  kThreads,
  kRuns,
  kOwners,
  kEvents,
  kRunIndex,
  kTypeIndex,
  kTaskIndex,
  kMessageIndex,
  kCommits,
  kGaps,
  kHidden,
  kIdempotency,
  kEvidence,
};
inline constexpr std::size_t kFamilyCount = 14;

/// On disk: never rename. RocksDB insists on the first one's name.
inline constexpr std::array<std::string_view, kFamilyCount> kFamilyNames = {
    "default",    "threads",       "runs",    "owners", "events", "run_index",   "type_index",
    "task_index", "message_index", "commits", "gaps",   "hidden", "idempotency", "evidence",
};

constexpr std::string_view FamilyName(Family family) {
  return kFamilyNames[static_cast<std::size_t>(family)];
}

inline constexpr std::uint32_t kFormatVersion = 1;

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_KEY_SPACE_H_
