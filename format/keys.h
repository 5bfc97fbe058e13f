// Keys of every family: encode, decode, and the bounds scans need. FORMAT.md, "Families and keys".
//
// Encoding is total. Decoding a key from disk answers nullopt when the bytes are no such key; the
// caller knows the family and turns that into kCorruption.

#ifndef RUNLOG_FORMAT_KEYS_H_
#define RUNLOG_FORMAT_KEYS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/numbers.h"

namespace runlog::format {

/// Names in the `meta` family.
inline constexpr std::string_view kMetaEpoch = "epoch";  // u64 LE
inline constexpr std::string_view kMetaNextThread =
    "next_thread";  // u64 LE: none at or above it is in use
inline constexpr std::string_view kMetaReplayFloor =
    "replay_floor";  // u64 LE: records include all before it

// --- events: T S ---------------------------------------------------------------------------------
struct EventKey {
  ThreadNumber thread{};
  std::uint64_t seq = 0;
  friend bool operator==(const EventKey&, const EventKey&) = default;
};
using EventKeyBytes = std::array<char, 16>;
EventKeyBytes Encode(const EventKey& key);
std::optional<EventKey> DecodeEventKey(std::string_view bytes);

// --- threads -------------------------------------------------------------------------------------
std::string ThreadNameKey(std::string_view thread_id);  // 'n' str16
std::string ThreadRecordKey(ThreadNumber thread);       // 't' T
std::optional<ThreadNumber> DecodeThreadRecordKey(std::string_view bytes);
std::optional<std::string_view> DecodeThreadNameKey(std::string_view bytes);

// --- runs ----------------------------------------------------------------------------------------
std::string RunNameKey(ThreadNumber thread, std::string_view run_id);  // 'i' T str16
std::string RunRecordKey(ThreadNumber thread, RunNumber run);          // 'r' T R
struct RunKey {
  ThreadNumber thread{};
  RunNumber run{};
  friend bool operator==(const RunKey&, const RunKey&) = default;
};
std::optional<RunKey> DecodeRunRecordKey(std::string_view bytes);
struct NameKey {  // of 'i' in runs and 'n' in owners
  ThreadNumber thread{};
  std::string_view name;
};
std::optional<NameKey> DecodeRunNameKey(std::string_view bytes);
std::string RunRecordPrefix(ThreadNumber thread);  // 'r' T
std::string RunNamePrefix(ThreadNumber thread);    // 'i' T

// --- owners --------------------------------------------------------------------------------------
std::string OwnerNameKey(ThreadNumber thread, std::string_view user_id);  // 'n' T str16
std::string OwnerNumberKey(ThreadNumber thread, OwnerNumber owner);       // 'u' T U
std::optional<NameKey> DecodeOwnerNameKey(std::string_view bytes);
struct OwnerKey {
  ThreadNumber thread{};
  OwnerNumber owner{};
};
std::optional<OwnerKey> DecodeOwnerNumberKey(std::string_view bytes);
std::string OwnerNamePrefix(ThreadNumber thread);    // 'n' T
std::string OwnerNumberPrefix(ThreadNumber thread);  // 'u' T

// --- run_index, type_index, task_index: T R [str16] S_last --------------------------------------
/// The list a posting belongs to, without S_last: T R for run_index, T R str16(name) for the
/// others.
std::string PostingPrefix(ThreadNumber thread, RunNumber run);
std::string PostingPrefix(ThreadNumber thread, RunNumber run, std::string_view name);
/// `prefix` and S_last.
std::string PostingKey(std::string_view prefix, std::uint64_t last_seq);
struct PostingKeyParts {
  ThreadNumber thread{};
  RunNumber run{};
  std::string_view name;  // empty in run_index
  std::uint64_t last_seq = 0;
};
std::optional<PostingKeyParts> DecodeRunPostingKey(std::string_view bytes);
std::optional<PostingKeyParts> DecodeNamedPostingKey(std::string_view bytes);

// --- message_index: T K S ------------------------------------------------------------------------
enum class MessageVisibility : std::uint8_t { kVisible = 0, kHidden = 1 };  // K
struct MessageKey {
  ThreadNumber thread{};
  MessageVisibility visibility{};
  std::uint64_t seq = 0;
  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};
using MessageKeyBytes = std::array<char, 17>;
MessageKeyBytes Encode(const MessageKey& key);
std::optional<MessageKey> DecodeMessageKey(std::string_view bytes);

// --- commits: N ----------------------------------------------------------------------------------
using CommitKeyBytes = std::array<char, 8>;
CommitKeyBytes CommitKey(std::uint64_t commit);
std::optional<std::uint64_t> DecodeCommitKey(std::string_view bytes);

// --- gaps: T S_last ------------------------------------------------------------------------------
using GapKeyBytes = std::array<char, 16>;
GapKeyBytes GapKey(ThreadNumber thread, std::uint64_t last_seq);
std::optional<EventKey> DecodeGapKey(std::string_view bytes);  // seq is S_last

// --- hidden: T scope R U -------------------------------------------------------------------------
enum class HiddenScope : std::uint8_t { kThread = 1, kRun = 2, kOwner = 3, kOwnerInRun = 4 };
struct HiddenKey {
  ThreadNumber thread{};
  HiddenScope scope{};
  RunNumber run{};
  OwnerNumber owner{};
  friend bool operator==(const HiddenKey&, const HiddenKey&) = default;
};
using HiddenKeyBytes = std::array<char, 17>;
HiddenKeyBytes Encode(const HiddenKey& key);
std::optional<HiddenKey> DecodeHiddenKey(std::string_view bytes);

// --- idempotency: str16(thread_id) key -----------------------------------------------------------
std::string IdempotencyKey(std::string_view thread_id, std::string_view key);

/// T, the prefix of everything a thread has in events, the indexes, gaps and hidden.
std::array<char, 8> ThreadPrefix(ThreadNumber thread);

/// The smallest string above every string that starts with `prefix`: the exclusive end of its scan.
/// Empty where there is none (all bytes 0xff), which RocksDB reads as no bound.
std::string PrefixEnd(std::string_view prefix);

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_KEYS_H_
