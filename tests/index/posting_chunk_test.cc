// Goal: a chunk comes back as it went in, and bytes that are none are corruption before anything is
// allocated for them.
// Method: the page's golden bytes; random chunks; every cut, flipped bit and byte too many. A chunk
// has one encoding, so what still decodes must encode to the very bytes it came from.

#include "index/posting_chunk.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/bytes.h"
#include "tests/support/golden.h"
#include "tests/support/seeded_random.h"
#include "tests/support/status_matchers.h"

namespace runlog::index {

void PrintTo(const Posting& posting, std::ostream* out) {
  *out << posting.seq << '/' << int{posting.event_class.byte()};
}

namespace {

using format::EventClass;
using runlog::testing::FailsWith;
using runlog::testing::Golden;
using runlog::testing::Hex;
using runlog::testing::SeededRandom;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Chunk {
  std::vector<Posting> postings;
  std::uint64_t last_seq = 0;
  std::string Encoded() const { return EncodeChunk(postings, last_seq); }
};

Chunk RandomChunk(SeededRandom& random) {
  Chunk chunk;
  std::uint64_t seq = random.AnyMagnitude() >> 12;
  const std::uint64_t count = random.OneIn(4) ? random.Between(1, 1024) : random.Between(1, 6);
  for (std::uint64_t i = 0; i < count; ++i) {
    seq += random.OneIn(3) ? 1 : random.Between(1, 5000);
    chunk.postings.push_back({seq, EventClass(static_cast<std::uint8_t>(random.Below(256)))});
  }
  chunk.last_seq = seq + (random.OneIn(2) ? 0 : random.Below(1000));
  return chunk;
}

class PostingChunkTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kSeed = 5;
  PostingChunkTest()
      : trace_(__FILE__, __LINE__, "seed " + std::to_string(kSeed)), random_(kSeed) {}

  ::testing::ScopedTrace trace_;
  SeededRandom random_;
  std::vector<Posting> decoded_;
};

TEST_F(PostingChunkTest, BytesAreThePages) {
  const std::vector<Posting> postings = {
      {5, EventClass(0x01)}, {6, EventClass(0x41)}, {9, EventClass(0x01)}};
  EXPECT_EQ(Hex(EncodeChunk(postings, 9)), Golden("posting_chunk"));
}

TEST_F(PostingChunkTest, ComesBackAsItWentIn) {
  for (int i = 0; i < 500; ++i) {
    const Chunk chunk = RandomChunk(random_);
    ASSERT_OK(DecodeChunk(chunk.Encoded(), chunk.last_seq, decoded_));
    ASSERT_EQ(decoded_, chunk.postings);
  }
}

TEST_F(PostingChunkTest, TheLargestSeqsAndStepsComeBack) {
  const std::uint64_t last = ~std::uint64_t{0};
  for (const std::vector<Posting>& postings :
       {std::vector<Posting>{{1, {}}}, {{last, {}}}, {{1, {}}, {last, {}}}}) {
    ASSERT_OK(DecodeChunk(EncodeChunk(postings, last), last, decoded_));
    EXPECT_EQ(decoded_, postings);
  }
}

TEST_F(PostingChunkTest, ReplacesWhatWasInTheBuffer) {
  decoded_.assign(50, {9, {}});
  ASSERT_OK(DecodeChunk(EncodeChunk(std::vector<Posting>{{4, {}}}, 4), 4, decoded_));
  EXPECT_EQ(decoded_, (std::vector<Posting>{{4, {}}}));
}

TEST_F(PostingChunkTest, EveryCutIsCorruption) {
  for (int i = 0; i < 30; ++i) {
    const Chunk chunk = RandomChunk(random_);
    const std::string bytes = chunk.Encoded();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_THAT(DecodeChunk(bytes.substr(0, size), chunk.last_seq, decoded_),
                  FailsWith(StatusCode::kCorruption));
      ASSERT_THAT(decoded_, IsEmpty());
    }
    ASSERT_THAT(DecodeChunk(bytes + '\x01', chunk.last_seq, decoded_),
                FailsWith(StatusCode::kCorruption));
  }
}

TEST_F(PostingChunkTest, AFlippedBitIsCorruptionOrAnotherChunk) {
  for (int i = 0; i < 30; ++i) {
    const Chunk chunk = RandomChunk(random_);
    const std::string bytes = chunk.Encoded();
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      std::string flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
      if (DecodeChunk(flipped, chunk.last_seq, decoded_).ok()) {
        ASSERT_EQ(Hex(EncodeChunk(decoded_, chunk.last_seq)), Hex(flipped));
      }
    }
  }
}

TEST_F(PostingChunkTest, RandomBytesAreCorruptionOrAChunk) {
  for (int i = 0; i < 50'000; ++i) {
    std::string bytes = random_.Bytes(random_.Below(24));
    if (!bytes.empty() && random_.OneIn(2)) {
      bytes.front() = static_cast<char>(random_.Between(1, 8));
    }
    const std::uint64_t last_seq = random_.AnyMagnitude();
    if (DecodeChunk(bytes, last_seq, decoded_).ok()) {
      ASSERT_EQ(Hex(EncodeChunk(decoded_, last_seq)), Hex(bytes));
    }
  }
}

TEST_F(PostingChunkTest, ACountOutsideItsLimitsIsRefusedBeforeAnythingIsAllocated) {
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1025}, ~std::uint64_t{0}}) {
    std::string bytes;
    format::AppendVarint(bytes, count);
    bytes.append(2 * 1025, '\x01');
    EXPECT_THAT(DecodeChunk(bytes, 5000, decoded_),
                FailsWith(StatusCode::kCorruption, HasSubstr("count")));
  }
  std::vector<Posting> untouched;
  EXPECT_THAT(DecodeChunk("\xff\x07" + std::string(1000, '\x01'), 5000, untouched),
              FailsWith(StatusCode::kCorruption));
  EXPECT_EQ(untouched.capacity(), 0U);
}

TEST_F(PostingChunkTest, SeqsOutsideTheKeyAreRefused) {
  const std::string of_five("\x01\x05\x00", 3);
  EXPECT_THAT(DecodeChunk(of_five, 5, decoded_), FailsWith(StatusCode::kCorruption));  // seq 0
  EXPECT_THAT(DecodeChunk(of_five, 4, decoded_), FailsWith(StatusCode::kCorruption));  // below it
  EXPECT_OK(DecodeChunk(of_five, 6, decoded_));
  const std::string two_above("\x02\x01\x02\x00\x00", 5);
  EXPECT_THAT(DecodeChunk(two_above, 9, decoded_), FailsWith(StatusCode::kCorruption));
  const std::string twice_the_same("\x02\x01\x00\x00\x00", 5);
  EXPECT_THAT(DecodeChunk(twice_the_same, 9, decoded_), FailsWith(StatusCode::kCorruption));
}

}  // namespace
}  // namespace runlog::index
