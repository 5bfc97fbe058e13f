// Goal: a record comes back as it went in, and bytes that are none are corruption, never a crash or
// a wrong value.
// Method: records of random values; every cut, every flipped bit and every byte too many. Each
// record has one encoding, so whatever still decodes must encode to the very bytes it came from.

#include "format/records.h"

#include <limits>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/bytes.h"
#include "tests/support/golden.h"
#include "tests/support/seeded_random.h"
#include "tests/support/status_matchers.h"

namespace runlog::format {
namespace {

using runlog::testing::FailsWith;
using runlog::testing::Hex;
using runlog::testing::SeededRandom;
using ::testing::HasSubstr;

RunNumber RandomRun(SeededRandom& random) {
  return RunNumber{random.Bits32() >> random.Below(32)};
}
OwnerNumber RandomOwner(SeededRandom& random) {
  return OwnerNumber{random.Bits32() >> random.Below(32)};
}
std::string RandomText(SeededRandom& random) {
  return random.Bytes(random.OneIn(8) ? random.Below(300) : random.Below(5));
}
StoredRunState RandomState(SeededRandom& random) {
  return static_cast<StoredRunState>(random.Between(1, 3));
}
Digest128 RandomDigest(SeededRandom& random) {
  return {random.Bits64(), random.Bits64()};
}

Figures RandomFigures(SeededRandom& random) {
  return {random.AnyMagnitude(),       random.AnyMagnitude(),       random.AnyMagnitude(),
          random.AnyMagnitude(),       random.AnyMagnitude(),       random.AnyMagnitude(),
          random.SignedAnyMagnitude(), random.SignedAnyMagnitude(), RandomDigest(random),
          RandomDigest(random)};
}

void Fill(SeededRandom& random, ThreadRecord& record) {
  record = {random.AnyMagnitude(),
            RandomText(random),
            random.OneIn(2),
            random.AnyMagnitude(),
            random.Bits32() >> random.Below(32),
            random.Bits32() >> random.Below(32),
            random.AnyMagnitude(),
            random.AnyMagnitude(),
            random.AnyMagnitude(),
            random.SignedAnyMagnitude(),
            random.SignedAnyMagnitude()};
}

void Fill(SeededRandom& random, RunRecord& record) {
  record = {random.AnyMagnitude(),
            RandomText(random),
            RandomState(random),
            RandomText(random),
            random.AnyMagnitude(),
            random.AnyMagnitude(),
            {}};
  for (std::uint64_t n = random.Below(4); n > 0; --n) {
    record.slices.push_back({RandomOwner(random), RandomFigures(random)});
  }
}

void Fill(SeededRandom& random, OwnerRecord& record) {
  record = {random.AnyMagnitude(), RandomOwner(random), random.AnyMagnitude(),
            random.AnyMagnitude(), random.AnyMagnitude()};
}

void Fill(SeededRandom& random, CommandRow& row) {
  row.kind = static_cast<StoredCommitKind>(random.Between(1, 4));
  row.at_us = random.SignedAnyMagnitude();
  row.thread = ThreadNumber{random.AnyMagnitude()};
  row.count = random.AnyMagnitude();
  if (row.kind == StoredCommitKind::kDeleteRun || row.kind == StoredCommitKind::kDeleteThread) {
    row.thread_id = RandomText(random);
    row.run_id = RandomText(random);
    if (random.OneIn(2)) row.user_id = RandomText(random);
    row.run = RandomRun(random);
    row.owner = RandomOwner(random);
    row.incarnation_ended = random.OneIn(2);
    return;
  }
  row.first_seq = random.AnyMagnitude();
  for (std::uint64_t n = random.Below(3); n > 0; --n) {
    row.slices.push_back({RandomRun(random), RandomOwner(random), RandomFigures(random)});
  }
  for (std::uint64_t n = random.Below(3); n > 0; --n) {
    row.states.push_back(
        {RandomRun(random), RandomState(random), RandomText(random), random.AnyMagnitude()});
  }
}

void Fill(SeededRandom& random, CommitRow& row) {
  row = {random.Bits64(), random.AnyMagnitude(), {}};
  for (std::uint64_t n = random.Below(4); n > 0; --n)
    Fill(random, row.commands.emplace_back());
}

void Fill(SeededRandom& random, GapRow& row) {
  row = {random.AnyMagnitude(), static_cast<GapReason>(random.Between(1, 6)), RandomRun(random),
         random.AnyMagnitude()};
}

void Fill(SeededRandom& random, HiddenRow& row) {
  row = {random.AnyMagnitude(), static_cast<GapReason>(random.Between(1, 6)),
         random.AnyMagnitude()};
}

void Fill(SeededRandom& random, IdempotencyRecord& record) {
  record = {ThreadNumber{random.AnyMagnitude()},
            random.AnyMagnitude(),
            static_cast<std::uint8_t>(random.Below(256)),
            RandomDigest(random),
            random.AnyMagnitude(),
            random.AnyMagnitude(),
            random.AnyMagnitude(),
            random.SignedAnyMagnitude()};
}

void Fill(SeededRandom& random, MessageEntry& entry) {
  entry = {RandomRun(random), RandomOwner(random), static_cast<std::uint8_t>(random.Below(256))};
}

/// The decoder of each record, and the name its errors use.
template <typename T, Result<T> (*decode)(std::string_view)>
struct Codec {
  using Record = T;
  static Result<T> Decode(std::string_view bytes) { return decode(bytes); }
};

template <typename C>
class RecordTest : public ::testing::Test {
 protected:
  using Record = typename C::Record;
  static constexpr std::uint64_t kSeed = 7;

  RecordTest() : trace_(__FILE__, __LINE__, "seed " + std::to_string(kSeed)), random_(kSeed) {}
  Record Random() {
    Record record;
    Fill(random_, record);
    return record;
  }

  ::testing::ScopedTrace trace_;
  SeededRandom random_;
};

using Codecs =
    ::testing::Types<Codec<ThreadRecord, DecodeThreadRecord>, Codec<RunRecord, DecodeRunRecord>,
                     Codec<OwnerRecord, DecodeOwnerRecord>, Codec<CommitRow, DecodeCommitRow>,
                     Codec<GapRow, DecodeGapRow>, Codec<HiddenRow, DecodeHiddenRow>,
                     Codec<IdempotencyRecord, DecodeIdempotencyRecord>,
                     Codec<MessageEntry, DecodeMessageEntry>>;

struct CodecNames {
  template <typename C>
  static std::string GetName(int) {
    using T = typename C::Record;
    if constexpr (std::is_same_v<T, ThreadRecord>) return "Thread";
    if constexpr (std::is_same_v<T, RunRecord>) return "Run";
    if constexpr (std::is_same_v<T, OwnerRecord>) return "Owner";
    if constexpr (std::is_same_v<T, CommitRow>) return "Commit";
    if constexpr (std::is_same_v<T, GapRow>) return "Gap";
    if constexpr (std::is_same_v<T, HiddenRow>) return "Hidden";
    if constexpr (std::is_same_v<T, IdempotencyRecord>) return "Idempotency";
    if constexpr (std::is_same_v<T, MessageEntry>) return "Message";
  }
};
TYPED_TEST_SUITE(RecordTest, Codecs, CodecNames);

TYPED_TEST(RecordTest, ComesBackAsItWentIn) {
  for (int i = 0; i < 1000; ++i) {
    const auto record = this->Random();
    const auto decoded = TypeParam::Decode(Encode(record));
    ASSERT_OK(decoded);
    ASSERT_EQ(*decoded, record) << Hex(Encode(record));
  }
}

TYPED_TEST(RecordTest, DefaultValuesComeBack) {
  const typename TypeParam::Record record;
  const auto decoded = TypeParam::Decode(Encode(record));
  ASSERT_OK(decoded);
  EXPECT_EQ(*decoded, record);
}

TYPED_TEST(RecordTest, EveryCutIsCorruption) {
  for (int i = 0; i < 20; ++i) {
    const std::string bytes = Encode(this->Random());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_THAT(TypeParam::Decode(bytes.substr(0, size)), FailsWith(StatusCode::kCorruption))
          << Hex(bytes) << " cut to " << size;
    }
  }
}

TYPED_TEST(RecordTest, AByteTooManyIsCorruption) {
  for (int i = 0; i < 100; ++i) {
    std::string bytes = Encode(this->Random());
    bytes.push_back(static_cast<char>(i));
    ASSERT_THAT(TypeParam::Decode(bytes), FailsWith(StatusCode::kCorruption)) << Hex(bytes);
  }
}

TYPED_TEST(RecordTest, AFlippedBitIsCorruptionOrAnotherRecord) {
  for (int i = 0; i < 20; ++i) {
    const std::string bytes = Encode(this->Random());
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      std::string flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
      const auto decoded = TypeParam::Decode(flipped);
      if (decoded.ok()) {
        ASSERT_EQ(Hex(Encode(*decoded)), Hex(flipped));
      } else {
        ASSERT_THAT(decoded, FailsWith(StatusCode::kCorruption));
      }
    }
  }
}

TYPED_TEST(RecordTest, RandomBytesAreCorruptionOrARecord) {
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = this->random_.Bytes(this->random_.Below(120));
    if (!bytes.empty() && this->random_.OneIn(2)) bytes.front() = '\x01';
    const auto decoded = TypeParam::Decode(bytes);
    if (decoded.ok()) {
      ASSERT_EQ(Hex(Encode(*decoded)), Hex(bytes));
    }
  }
}

TEST(RecordVersionTest, AnotherVersionIsNamed) {
  std::string bytes = Encode(GapRow{1, GapReason::kLost, {}, 1});
  bytes.front() = 2;
  EXPECT_THAT(DecodeGapRow(bytes), FailsWith(StatusCode::kCorruption, HasSubstr("version 2")));
}

TEST(RecordListTest, ACountTheBytesCannotHoldIsRefusedBeforeAnythingIsAllocated) {
  for (const std::uint64_t count : {std::uint64_t{1} << 62, std::uint64_t{1000}}) {
    std::string commit(1, '\x01');
    AppendLittle64(commit, 5);
    AppendVarint(commit, 1);
    AppendVarint(commit, count);
    EXPECT_THAT(DecodeCommitRow(commit + std::string(100, '\x01')),
                FailsWith(StatusCode::kCorruption));
  }
}

TEST(RecordNumberTest, ANumberTooLargeForItsFieldIsRefused) {
  std::string bytes(1, '\x01');
  AppendVarint(bytes, 1);
  AppendByte(bytes, 1);
  AppendVarint(bytes, std::uint64_t{1} << 32);  // R has 32 bits
  AppendVarint(bytes, 1);
  EXPECT_THAT(DecodeGapRow(bytes), FailsWith(StatusCode::kCorruption));
}

TEST(RecordNumberTest, FixedNumbersHaveTheirLength) {
  EXPECT_EQ(Hex(EncodeU64(0x0102030405060708)), "08 07 06 05 04 03 02 01");
  EXPECT_EQ(Hex(EncodeU32(0x01020304)), "04 03 02 01");
  EXPECT_EQ(*DecodeU64(EncodeU64(~std::uint64_t{0})), ~std::uint64_t{0});
  EXPECT_EQ(*DecodeU32(EncodeU32(7)), 7U);
  EXPECT_THAT(DecodeU64("1234567"), FailsWith(StatusCode::kCorruption));
  EXPECT_THAT(DecodeU64("123456789"), FailsWith(StatusCode::kCorruption));
  EXPECT_THAT(DecodeU32("123"), FailsWith(StatusCode::kCorruption));
  EXPECT_THAT(DecodeU32(""), FailsWith(StatusCode::kCorruption));
}

TEST(VarintTest, OnlyTheShortestFormIsRead) {
  const auto read = [](std::string_view bytes) {
    ByteReader in(bytes);
    const std::uint64_t value = in.Varint();
    return in.finished() ? std::optional(value) : std::nullopt;
  };
  EXPECT_EQ(read(std::string_view("\x00", 1)), 0U);
  EXPECT_EQ(read("\x7f"), 127U);
  EXPECT_EQ(read("\x80\x01"), 128U);
  EXPECT_EQ(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), ~std::uint64_t{0});
  EXPECT_EQ(read(std::string_view("\x80\x00", 2)), std::nullopt);
  EXPECT_EQ(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), std::nullopt);
  EXPECT_EQ(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), std::nullopt);
  EXPECT_EQ(read("\x80"), std::nullopt);
  EXPECT_EQ(read(""), std::nullopt);
}

TEST(VarintTest, SignsComeBack) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    std::string bytes;
    AppendZigzag(bytes, value);
    ByteReader in(bytes);
    EXPECT_EQ(in.Zigzag(), value);
    EXPECT_TRUE(in.finished());
  }
}

// --- Figures -------------------------------------------------------------------------------------

TEST(FiguresTest, AddSumsAndWidensTheBounds) {
  Figures figures{2, 1, 100, 1, 5, 9, -50, 70, {1, 0}, {2, 0}};
  figures.Add({3, 2, 10, 0, 3, 7, -60, 60, {~std::uint64_t{0}, 0}, {1, 1}});
  EXPECT_EQ(figures, (Figures{5, 3, 110, 1, 3, 9, -60, 70, {0, 1}, {3, 1}}));
}

TEST(FiguresTest, TheBoundsOfNoEventsDoNotCount) {
  const Figures some{2, 1, 100, 1, 5, 9, 50, 70, {1, 0}, {2, 0}};
  Figures from_none;
  from_none.Add(some);
  EXPECT_EQ(from_none, some);
  Figures with_none = some;
  with_none.Add({});
  EXPECT_EQ(with_none, some);
}

}  // namespace
}  // namespace runlog::format
