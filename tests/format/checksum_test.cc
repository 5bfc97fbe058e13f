// Goal: digests are those of XXH3, add up modulo 2^128 and tell events apart.
// Method: published values of the algorithm, and arithmetic on both sides of a carry.

#include "format/checksum.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seeded_random.h"

namespace runlog::format {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

Digest128 Sum(Digest128 a, const Digest128& b) {
  return a += b;
}
Digest128 Difference(Digest128 a, const Digest128& b) {
  return a -= b;
}

TEST(ChecksumTest, HashesAreXxh3) {
  EXPECT_EQ(Hash64(""), 0x2d06800538d394c2U);
  EXPECT_EQ(Hash128(""), (Digest128{0x6001c324468d497f, 0x99aa06d3014798d8}));
  EXPECT_NE(Hash64("a"), Hash64("b"));
  EXPECT_NE(Hash64(std::string(1, '\0')), Hash64(""));
}

TEST(DigestSumTest, LowHalfCarriesIntoTheHighOne) {
  EXPECT_EQ(Sum({kMax, 0}, {1, 0}), (Digest128{0, 1}));
  EXPECT_EQ(Sum({kMax, 5}, {kMax, 6}), (Digest128{kMax - 1, 12}));
  EXPECT_EQ(Sum({7, 0}, {8, 0}), (Digest128{15, 0}));
}

TEST(DigestSumTest, OverflowIsDropped) {
  EXPECT_EQ(Sum({kMax, kMax}, {1, 0}), (Digest128{0, 0}));
  EXPECT_EQ(Sum({0, kMax}, {0, 2}), (Digest128{0, 1}));
}

TEST(DigestSumTest, SubtractionBorrowsFromTheHighHalf) {
  EXPECT_EQ(Difference({0, 1}, {1, 0}), (Digest128{kMax, 0}));
  EXPECT_EQ(Difference({0, 0}, {1, 0}), (Digest128{kMax, kMax}));
  EXPECT_EQ(Difference({5, 9}, {5, 9}), (Digest128{}));
}

TEST(DigestSumTest, SubtractionUndoesAdditionInAnyOrder) {
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  runlog::testing::SeededRandom random(kSeed);
  for (int round = 0; round < 1000; ++round) {
    const Digest128 a{random.Bits64(), random.Bits64()};
    const Digest128 b{random.AnyMagnitude(), random.Bits64()};
    const Digest128 c{random.Bits64(), random.AnyMagnitude()};
    EXPECT_EQ(Difference(Difference(Sum(Sum(a, b), c), a), c), b);
    EXPECT_EQ(Sum(a, b), Sum(b, a));
  }
}

TEST(DigestSumTest, AddingOneselfDoubles) {
  Digest128 digest{kMax, 3};
  digest += digest;
  EXPECT_EQ(digest, (Digest128{kMax - 1, 7}));
}

TEST(EventDigestTest, EveryFieldCounts) {
  const std::vector<Digest128> digests = {
      EventDigest("t", "r", "u", 1, 2),          EventDigest("T", "r", "u", 1, 2),
      EventDigest("t", "R", "u", 1, 2),          EventDigest("t", "r", "U", 1, 2),
      EventDigest("t", "r", std::nullopt, 1, 2), EventDigest("t", "r", "u", 2, 2),
      EventDigest("t", "r", "u", 1, 3),          EventDigest("t", "r", "u", 2, 1),
  };
  for (std::size_t i = 0; i < digests.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(digests[i], digests[j]) << i << " and " << j;
  }
}

TEST(EventDigestTest, BytesDoNotMoveFromOneIdToTheNext) {
  EXPECT_NE(EventDigest("ab", "c", "d", 1, 2), EventDigest("a", "bc", "d", 1, 2));
  EXPECT_NE(EventDigest("a", "bc", "d", 1, 2), EventDigest("a", "b", "cd", 1, 2));
}

}  // namespace
}  // namespace runlog::format
