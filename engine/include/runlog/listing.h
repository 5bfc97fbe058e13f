// runlog/listing.h - what the store says about threads, runs, holes and its own commits.

#ifndef RUNLOG_LISTING_H_
#define RUNLOG_LISTING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <runlog/event.h>

namespace runlog {

/// Live events, counted without reading them.
struct Counts {
  std::uint64_t events = 0;
  std::uint64_t messages = 0;  ///< Category `message`.
  std::uint64_t bytes = 0;     ///< Of stored event values, before compression.
  friend bool operator==(const Counts&, const Counts&) = default;
};

struct ThreadSummary {
  std::string thread_id;
  std::uint64_t incarnation = 0;
  std::uint64_t last_seq = 0;  ///< The high-water mark: never lowered by a delete.
  Counts live;
  std::uint64_t runs = 0;             ///< Runs with a live event.
  std::optional<Timestamp> first_at;  ///< Earliest and latest created_at of live events.
  std::optional<Timestamp> last_at;
};

enum class RunState : std::uint8_t {
  kRunning = 1,  ///< No terminal event, or a newer start after it.
  kEnded = 2,    ///< Has a terminal event.
  kDeleted = 3,  ///< Every event was deleted; a later event of the run_id starts a new run.
};

struct RunSummary {
  std::string run_id;
  RunState state = RunState::kRunning;
  /// The terminal status: content.status of `run.terminal`, or AFK's completed, failed, interrupted
  /// or cancelled. Empty while there is none.
  std::string status;
  std::uint64_t first_seq = 0;  ///< Of live events; 0 where there is none.
  std::uint64_t last_seq = 0;
  Counts live;
  std::optional<Timestamp> first_at;
  std::optional<Timestamp> last_at;
  std::uint64_t retention_revision = 0;  ///< Raised by every delete that touched the run.
};

enum class HoleReason : std::uint8_t {
  kRunDeleted = 1,
  kOwnerErased = 2,
  kTrimmed = 3,
  kFolded = 4,
  kLost = 5,
  kAbsentInSource = 6,
};

/// Seqs that were given out and whose events are gone. Both ends inclusive.
struct Hole {
  std::uint64_t first_seq = 0;
  std::uint64_t last_seq = 0;
  HoleReason reason = HoleReason::kRunDeleted;
  std::uint64_t commit = 0;
  friend bool operator==(const Hole&, const Hole&) = default;
};

enum class CommitKind : std::uint8_t {
  kAppend = 1,
  kPutIfAbsent = 2,
  kDeleteRun = 3,
  kDeleteThread = 4,
};

/// One commit of the store, for change feeds.
struct Change {
  std::uint64_t commit = 0;
  CommitKind kind = CommitKind::kAppend;
  Timestamp at;  ///< Never decreases along commits.
  std::string thread_id;
  std::uint64_t incarnation = 0;
  std::uint64_t first_seq = 0;         ///< Of an append.
  std::uint64_t count = 0;             ///< Events appended or removed.
  std::string run_id;                  ///< Of a delete_run.
  std::optional<std::string> user_id;  ///< Of an owner-scoped delete.
  bool incarnation_ended = false;
};

struct ChangePage {
  std::vector<Change> changes;
  std::uint64_t last_commit = 0;  ///< The cursor to go on from.
  bool has_more = false;
};

}  // namespace runlog

#endif  // RUNLOG_LISTING_H_
