// Goal: the anchor's slots and the log's marks come back as they were written, and nothing else is
// taken for one. Method: FORMAT.md's golden bytes, and every byte of a slot changed once.

#include "format/anchor.h"

#include <string>

#include <gtest/gtest.h>

#include "format/bytes.h"
#include "format/checksum.h"
#include "tests/support/golden.h"
#include "tests/support/status_matchers.h"

namespace runlog::format {
namespace {

using runlog::testing::FailsWith;
using runlog::testing::Golden;
using runlog::testing::Hex;

constexpr std::size_t kCheckedBytes = 96;  // fields and their checksum

Anchor PagesAnchor() {
  return {.generation = 7,
          .clean = true,
          .store_id = std::string(16, '0') + std::string(16, '1'),
          .epoch = 2,
          .durable = {.commit = 300, .sequence = 4000},
          .writer = 5};
}

TEST(AnchorTest, ASlotIsThePages) {
  const std::string slot = EncodeAnchorSlot(PagesAnchor());
  ASSERT_EQ(slot.size(), kAnchorSlotSize);
  EXPECT_EQ(Hex(slot.substr(0, 88)), Golden("anchor"));
}

TEST(AnchorTest, ASlotComesBack) {
  Anchor anchor = PagesAnchor();
  EXPECT_EQ(*DecodeAnchorSlot(EncodeAnchorSlot(anchor)), anchor);
  anchor.clean = false;
  EXPECT_EQ(*DecodeAnchorSlot(EncodeAnchorSlot(anchor)), anchor);
}

TEST(AnchorTest, AnyChangedByteIsSeen) {
  const std::string slot = EncodeAnchorSlot(PagesAnchor());
  for (std::size_t at = 0; at < kCheckedBytes; ++at) {
    std::string changed = slot;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_THAT(DecodeAnchorSlot(changed), FailsWith(StatusCode::kCorruption)) << "byte " << at;
  }
}

TEST(AnchorTest, AnythingShorterIsRefused) {
  const std::string slot = EncodeAnchorSlot(PagesAnchor());
  for (std::size_t size = 0; size < kCheckedBytes; ++size) {
    EXPECT_THAT(DecodeAnchorSlot(slot.substr(0, size)), FailsWith(StatusCode::kCorruption));
  }
}

TEST(AnchorTest, ALaterVersionIsUnsupported) {
  std::string slot = EncodeAnchorSlot(PagesAnchor());
  slot[8] = 2;
  std::string checksum;
  AppendLittle64(checksum, Hash64(slot.substr(0, 88)));
  slot.replace(88, checksum.size(), checksum);
  EXPECT_THAT(DecodeAnchorSlot(slot), FailsWith(StatusCode::kUnsupported));
}

TEST(WalMarkTest, AMarkIsThePages) {
  EXPECT_EQ(Hex(Encode(WalMark{0x11, 300, 4000})), Golden("wal_mark"));
}

TEST(WalMarkTest, AMarkComesBackAndOtherSizesDoNot) {
  const WalMark mark{0x11, 300, 4000};
  const std::string bytes = Encode(mark);
  EXPECT_EQ(DecodeWalMark(bytes), mark);
  EXPECT_EQ(DecodeWalMark(bytes + '\0'), std::nullopt);
  EXPECT_EQ(DecodeWalMark(bytes.substr(1)), std::nullopt);
}

TEST(WalMarkTest, StoresHaveTagsOfTheirOwn) {
  EXPECT_NE(StoreTag(std::string(32, '0')), StoreTag(std::string(32, '1')));
}

}  // namespace
}  // namespace runlog::format
