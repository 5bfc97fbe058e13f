// The two small records that say how far a store is on the device: the slots of the ANCHOR file,
// and the mark at the end of every batch in the write-ahead log. FORMAT.md, "What is durable".

#ifndef RUNLOG_FORMAT_ANCHOR_H_
#define RUNLOG_FORMAT_ANCHOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <runlog/status.h>

namespace runlog::format {

/// How far a store is durable: everything up to here was synced before this was said.
struct DurablePoint {
  std::uint64_t commit = 0;    // newest commit, 0 for none
  std::uint64_t sequence = 0;  // RocksDB's sequence number after it
  friend bool operator==(const DurablePoint&, const DurablePoint&) = default;
};

/// The content of an ANCHOR slot.
struct Anchor {
  std::uint64_t generation = 0;  // the higher of two slots counts
  bool clean = false;            // written by a close; nothing came after it
  std::string store_id;          // 32 hex digits, as in FORMAT
  std::uint64_t epoch = 1;
  DurablePoint durable;
  std::uint64_t writer = 0;  // identity of the WRITER file of the process that wrote it
  friend bool operator==(const Anchor&, const Anchor&) = default;
};

/// Large enough that two slots never share a sector, or a page.
inline constexpr std::size_t kAnchorSlotSize = 4096;
inline constexpr std::size_t kStoreIdSize = 32;

/// Requires: store_id has kStoreIdSize bytes.
std::string EncodeAnchorSlot(const Anchor& anchor);

/// Errors: kCorruption, kUnsupported (of a later version).
Result<Anchor> DecodeAnchorSlot(std::string_view slot);

/// What the writer says about itself at the end of each batch.
struct WalMark {
  std::uint64_t store_tag = 0;         // StoreTag of the store_id
  std::uint64_t last_commit = 0;       // of the batch, or before it where it has none
  std::uint64_t durable_sequence = 0;  // known to be synced when the batch was built
  friend bool operator==(const WalMark&, const WalMark&) = default;
};

inline constexpr std::size_t kWalMarkSize = 24;

std::uint64_t StoreTag(std::string_view store_id);

std::string Encode(const WalMark& mark);

/// Absent where `bytes` are not of a mark's size.
std::optional<WalMark> DecodeWalMark(std::string_view bytes);

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_ANCHOR_H_
