#include "format/anchor.h"

#include <cassert>

#include "format/bytes.h"
#include "format/checksum.h"

namespace runlog::format {
namespace {

constexpr std::string_view kMagic = "runlogAN";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kFlagClean = 1;
constexpr std::size_t kCheckedSize = 88;  // what the checksum behind it covers

}  // namespace

std::string EncodeAnchorSlot(const Anchor& anchor) {
  assert(anchor.store_id.size() == kStoreIdSize);
  std::string slot(kMagic);
  AppendLittle32(slot, kVersion);
  AppendLittle32(slot, anchor.clean ? kFlagClean : 0);
  slot += anchor.store_id;
  AppendLittle64(slot, anchor.generation);
  AppendLittle64(slot, anchor.epoch);
  AppendLittle64(slot, anchor.durable.commit);
  AppendLittle64(slot, anchor.durable.sequence);
  AppendLittle64(slot, anchor.writer);
  assert(slot.size() == kCheckedSize);
  AppendLittle64(slot, Hash64(slot));
  slot.resize(kAnchorSlotSize);
  return slot;
}

Result<Anchor> DecodeAnchorSlot(std::string_view slot) {
  ByteReader reader(slot);
  const std::string_view magic = reader.Bytes(kMagic.size());
  const std::uint32_t version = reader.Little32();
  const std::uint32_t flags = reader.Little32();
  Anchor anchor;
  anchor.clean = (flags & kFlagClean) != 0;
  anchor.store_id = reader.Bytes(kStoreIdSize);
  anchor.generation = reader.Little64();
  anchor.epoch = reader.Little64();
  anchor.durable.commit = reader.Little64();
  anchor.durable.sequence = reader.Little64();
  anchor.writer = reader.Little64();
  const std::uint64_t checksum = reader.Little64();
  if (!reader.ok()) return Status(StatusCode::kCorruption, "an anchor slot is cut short");
  if (magic != kMagic) return Status(StatusCode::kCorruption, "an anchor slot has no magic");
  if (checksum != Hash64(slot.substr(0, kCheckedSize))) {
    return Status(StatusCode::kCorruption, "an anchor slot has a wrong checksum");
  }
  if (version != kVersion || (flags & ~kFlagClean) != 0) {
    return Status(StatusCode::kUnsupported, "an anchor slot is of a later version");
  }
  return anchor;
}

std::uint64_t StoreTag(std::string_view store_id) {
  return Hash64(store_id);
}

std::string Encode(const WalMark& mark) {
  std::string bytes;
  bytes.reserve(kWalMarkSize);
  AppendLittle64(bytes, mark.store_tag);
  AppendLittle64(bytes, mark.last_commit);
  AppendLittle64(bytes, mark.durable_sequence);
  return bytes;
}

std::optional<WalMark> DecodeWalMark(std::string_view bytes) {
  ByteReader reader(bytes);
  const WalMark mark{reader.Little64(), reader.Little64(), reader.Little64()};
  if (!reader.finished()) return std::nullopt;
  return mark;
}

}  // namespace runlog::format
