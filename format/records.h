// The small records: values of every family but events and the indexes. FORMAT.md, "Records".
// Decoding is total over bytes: anything that is no such record is kCorruption, never an assert.

#ifndef RUNLOG_FORMAT_RECORDS_H_
#define RUNLOG_FORMAT_RECORDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/status.h>

#include "format/checksum.h"
#include "format/numbers.h"

namespace runlog::format {

/// What is kept of an owner's live events in one run, so that no read counts.
/// first/last and times mean nothing while events is 0.
struct Figures {
  std::uint64_t events = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t volatile_events = 0;
  std::uint64_t first_seq = 0;
  std::uint64_t last_seq = 0;
  std::int64_t first_at_us = 0;
  std::int64_t last_at_us = 0;
  Digest128 digest;  // of events that are not volatile
  Digest128 volatile_digest;

  /// Adds figures of other events: sums, and the union of the bounds.
  void Add(const Figures& other);
  friend bool operator==(const Figures&, const Figures&) = default;
};

struct ThreadRecord {
  std::uint64_t as_of = 0;
  std::string thread_id;
  bool ended = false;
  std::uint64_t mark = 0;
  std::uint32_t next_run = 1;
  std::uint32_t next_owner = 1;
  std::uint64_t events = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::int64_t first_at_us = 0;
  std::int64_t last_at_us = 0;
  friend bool operator==(const ThreadRecord&, const ThreadRecord&) = default;
};

/// On disk: never renumber.
enum class StoredRunState : std::uint8_t { kRunning = 1, kEnded = 2, kDeleted = 3 };

struct OwnerSlice {
  OwnerNumber owner{};
  Figures figures;
  friend bool operator==(const OwnerSlice&, const OwnerSlice&) = default;
};

struct RunRecord {
  std::uint64_t as_of = 0;
  std::string run_id;
  StoredRunState state = StoredRunState::kRunning;
  std::string status;
  std::uint64_t status_seq = 0;
  std::uint64_t retention_revision = 0;
  std::vector<OwnerSlice> slices;
  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

struct OwnerRecord {
  std::uint64_t as_of = 0;
  OwnerNumber owner{};
  std::uint64_t events = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const OwnerRecord&, const OwnerRecord&) = default;
};

/// On disk: never renumber.
enum class StoredCommitKind : std::uint8_t {
  kAppend = 1,
  kPutIfAbsent = 2,
  kDeleteRun = 3,
  kDeleteThread = 4,
};

/// What one append added to an owner's part of a run.
struct SliceDelta {
  RunNumber run{};
  OwnerNumber owner{};
  Figures figures;
  friend bool operator==(const SliceDelta&, const SliceDelta&) = default;
};

/// A run's state after an append that changed it.
struct StateDelta {
  RunNumber run{};
  StoredRunState state = StoredRunState::kRunning;
  std::string status;
  std::uint64_t status_seq = 0;
  friend bool operator==(const StateDelta&, const StateDelta&) = default;
};

struct CommandRow {
  StoredCommitKind kind = StoredCommitKind::kAppend;
  std::int64_t at_us = 0;
  ThreadNumber thread{};
  // kAppend, kPutIfAbsent:
  std::uint64_t first_seq = 0;
  std::uint64_t count = 0;  // of deletes too: events removed
  std::vector<SliceDelta> slices;
  std::vector<StateDelta> states;
  // kDeleteRun, kDeleteThread:
  std::string thread_id;
  std::string run_id;
  std::optional<std::string> user_id;
  RunNumber run{};
  OwnerNumber owner{};
  bool incarnation_ended = false;
  friend bool operator==(const CommandRow&, const CommandRow&) = default;
};

/// One RocksDB write. Its key is the commit number of the last command; they are consecutive.
struct CommitRow {
  std::uint64_t nonce = 0;
  std::uint64_t replay_from = 0;
  std::vector<CommandRow> commands;
  friend bool operator==(const CommitRow&, const CommitRow&) = default;
};

/// On disk: never renumber. Same values as HoleReason.
enum class GapReason : std::uint8_t {
  kRunDeleted = 1,
  kOwnerErased = 2,
  kTrimmed = 3,
  kFolded = 4,
  kLost = 5,
  kAbsentInSource = 6,
};

struct GapRow {
  std::uint64_t first_seq = 0;
  GapReason reason = GapReason::kRunDeleted;
  RunNumber run{};
  std::uint64_t commit = 0;
  friend bool operator==(const GapRow&, const GapRow&) = default;
};

struct HiddenRow {
  std::uint64_t up_to_seq = 0;
  GapReason reason = GapReason::kRunDeleted;
  std::uint64_t commit = 0;
  friend bool operator==(const HiddenRow&, const HiddenRow&) = default;
};

struct IdempotencyRecord {
  ThreadNumber thread{};
  std::uint64_t epoch = 0;
  std::uint8_t level = 0;  // Durability
  Digest128 digest;
  std::uint64_t first_seq = 0;
  std::uint64_t count = 0;
  std::uint64_t commit = 0;
  std::int64_t at_us = 0;
  friend bool operator==(const IdempotencyRecord&, const IdempotencyRecord&) = default;
};

struct MessageEntry {  // value of message_index
  RunNumber run{};
  OwnerNumber owner{};
  std::uint8_t class_byte = 0;
  friend bool operator==(const MessageEntry&, const MessageEntry&) = default;
};

std::string Encode(const ThreadRecord& record);
std::string Encode(const RunRecord& record);
std::string Encode(const OwnerRecord& record);
std::string Encode(const CommitRow& row);
std::string Encode(const GapRow& row);
std::string Encode(const HiddenRow& row);
std::string Encode(const IdempotencyRecord& record);
std::string Encode(const MessageEntry& entry);

Result<ThreadRecord> DecodeThreadRecord(std::string_view bytes);
Result<RunRecord> DecodeRunRecord(std::string_view bytes);
Result<OwnerRecord> DecodeOwnerRecord(std::string_view bytes);
Result<CommitRow> DecodeCommitRow(std::string_view bytes);
Result<GapRow> DecodeGapRow(std::string_view bytes);
Result<HiddenRow> DecodeHiddenRow(std::string_view bytes);
Result<IdempotencyRecord> DecodeIdempotencyRecord(std::string_view bytes);
Result<MessageEntry> DecodeMessageEntry(std::string_view bytes);

/// A u64 in little-endian: counters in `meta`, T behind a thread's name.
std::string EncodeU64(std::uint64_t value);
Result<std::uint64_t> DecodeU64(std::string_view bytes);
/// A u32 in little-endian: R behind a run's name.
std::string EncodeU32(std::uint32_t value);
Result<std::uint32_t> DecodeU32(std::string_view bytes);

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_RECORDS_H_
