// Goal: keys sort as what they name, come back as they went in, and no key of one thread, list or
// id lies inside the range of another. Method: random tuples, chosen close to each other, with ids
// of every byte; then keys cut, grown and mislabelled.

#include "format/keys.h"

#include <compare>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/seeded_random.h"

namespace runlog::format {
namespace {

using runlog::testing::Hex;
using runlog::testing::SeededRandom;

constexpr int kPairs = 10'000;
constexpr std::uint64_t kSeed = 4;

template <std::size_t N>
std::string AsString(const std::array<char, N>& bytes) {
  return {bytes.data(), bytes.size()};
}

/// A number that often meets another at a byte's edge.
std::uint64_t Number64(SeededRandom& random) {
  return random.OneIn(2) ? random.Below(600) : random.AnyMagnitude();
}
std::uint32_t Number32(SeededRandom& random) {
  return static_cast<std::uint32_t>(random.OneIn(2) ? random.Below(600)
                                                    : random.Bits32() >> random.Below(32));
}

/// Of few letters and lengths, so that one is often the front of another; or of any byte.
std::string Id(SeededRandom& random) {
  if (random.OneIn(4)) return random.Bytes(random.Between(1, 256));
  std::string id(random.Between(1, 4), 'a');
  for (char& c : id)
    c = "ab\0\xff\x01 "[random.Below(6)];
  return id;
}

/// Names sort by length and then by bytes: the length stands in front.
std::strong_ordering NameOrder(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::strong_ordering ByteOrder(std::string_view a, std::string_view b) {
  return a.compare(b) <=> 0;
}

class KeyOrderTest : public ::testing::Test {
 protected:
  KeyOrderTest() : trace_(__FILE__, __LINE__, "seed " + std::to_string(kSeed)), random_(kSeed) {}
  ThreadNumber Thread() { return ThreadNumber{Number64(random_)}; }
  RunNumber Run() { return RunNumber{Number32(random_)}; }
  OwnerNumber Owner() { return OwnerNumber{Number32(random_)}; }

  ::testing::ScopedTrace trace_;
  SeededRandom random_;
};

TEST_F(KeyOrderTest, EventKeysSortByThreadAndSeq) {
  for (int i = 0; i < kPairs; ++i) {
    const EventKey a{Thread(), Number64(random_)};
    const EventKey b{random_.OneIn(2) ? a.thread : Thread(), Number64(random_)};
    ASSERT_EQ(ByteOrder(AsString(Encode(a)), AsString(Encode(b))),
              std::tuple(Raw(a.thread), a.seq) <=> std::tuple(Raw(b.thread), b.seq));
    ASSERT_EQ(DecodeEventKey(AsString(Encode(a))), a);
    ASSERT_EQ(DecodeGapKey(AsString(GapKey(a.thread, a.seq))), a);
  }
}

TEST_F(KeyOrderTest, MessageKeysSortByThreadVisibilityAndSeq) {
  const auto visibility = [this] { return static_cast<MessageVisibility>(random_.Below(2)); };
  for (int i = 0; i < kPairs; ++i) {
    const MessageKey a{Thread(), visibility(), Number64(random_)};
    const MessageKey b{random_.OneIn(2) ? a.thread : Thread(), visibility(), Number64(random_)};
    ASSERT_EQ(ByteOrder(AsString(Encode(a)), AsString(Encode(b))),
              std::tuple(Raw(a.thread), a.visibility, a.seq) <=>
                  std::tuple(Raw(b.thread), b.visibility, b.seq));
    ASSERT_EQ(DecodeMessageKey(AsString(Encode(a))), a);
  }
}

TEST_F(KeyOrderTest, PostingKeysSortByThreadRunNameAndSeq) {
  for (int i = 0; i < kPairs; ++i) {
    const ThreadNumber thread = Thread();
    const RunNumber run = Run();
    const std::string name = Id(random_);
    const std::uint64_t seq = Number64(random_);
    const ThreadNumber other_thread = random_.OneIn(2) ? thread : Thread();
    const RunNumber other_run = random_.OneIn(2) ? run : Run();
    const std::string other_name = random_.OneIn(2) ? name : Id(random_);
    const std::uint64_t other_seq = Number64(random_);

    const std::string a = PostingKey(PostingPrefix(thread, run, name), seq);
    const std::string b = PostingKey(PostingPrefix(other_thread, other_run, other_name), other_seq);
    const auto numbers =
        std::tuple(Raw(thread), Raw(run)) <=> std::tuple(Raw(other_thread), Raw(other_run));
    const auto names = NameOrder(name, other_name);
    ASSERT_EQ(ByteOrder(a, b), numbers != 0 ? numbers
                               : names != 0 ? names
                                            : seq <=> other_seq)
        << Hex(a) << " against " << Hex(b);

    const auto parts = DecodeNamedPostingKey(a);
    ASSERT_TRUE(parts);
    ASSERT_EQ(std::tuple(parts->thread, parts->run, parts->name, parts->last_seq),
              std::tuple(thread, run, std::string_view(name), seq));
    const auto run_parts = DecodeRunPostingKey(PostingKey(PostingPrefix(thread, run), seq));
    ASSERT_TRUE(run_parts);
    ASSERT_EQ(std::tuple(run_parts->thread, run_parts->run, run_parts->name, run_parts->last_seq),
              std::tuple(thread, run, std::string_view(), seq));
  }
}

TEST_F(KeyOrderTest, RunAndOwnerKeysSortByThreadAndNumber) {
  for (int i = 0; i < kPairs; ++i) {
    const RunKey a{Thread(), Run()};
    const RunKey b{random_.OneIn(2) ? a.thread : Thread(), Run()};
    const auto order =
        std::tuple(Raw(a.thread), Raw(a.run)) <=> std::tuple(Raw(b.thread), Raw(b.run));
    ASSERT_EQ(ByteOrder(RunRecordKey(a.thread, a.run), RunRecordKey(b.thread, b.run)), order);
    ASSERT_EQ(DecodeRunRecordKey(RunRecordKey(a.thread, a.run)), a);
    const OwnerNumber owner{Raw(a.run)};
    ASSERT_EQ(ByteOrder(OwnerNumberKey(a.thread, owner),
                        OwnerNumberKey(b.thread, OwnerNumber{Raw(b.run)})),
              order);
    const auto decoded = DecodeOwnerNumberKey(OwnerNumberKey(a.thread, owner));
    ASSERT_TRUE(decoded);
    ASSERT_EQ(std::tuple(decoded->thread, decoded->owner), std::tuple(a.thread, owner));
    ASSERT_EQ(DecodeThreadRecordKey(ThreadRecordKey(a.thread)), a.thread);
    ASSERT_EQ(ByteOrder(ThreadRecordKey(a.thread), ThreadRecordKey(b.thread)),
              Raw(a.thread) <=> Raw(b.thread));
  }
}

TEST_F(KeyOrderTest, NameKeysComeBackWithEveryByte) {
  for (int i = 0; i < kPairs; ++i) {
    const ThreadNumber thread = Thread();
    const std::string name = Id(random_);
    ASSERT_EQ(DecodeThreadNameKey(ThreadNameKey(name)), name);
    const std::string run_key = RunNameKey(thread, name);
    const std::string owner_key = OwnerNameKey(thread, name);
    for (const auto& decoded : {DecodeRunNameKey(run_key), DecodeOwnerNameKey(owner_key)}) {
      ASSERT_TRUE(decoded);
      ASSERT_EQ(std::tuple(decoded->thread, decoded->name),
                std::tuple(thread, std::string_view(name)));
    }
  }
}

TEST_F(KeyOrderTest, CommitKeysSortByNumber) {
  for (int i = 0; i < kPairs; ++i) {
    const std::uint64_t a = Number64(random_);
    const std::uint64_t b = Number64(random_);
    ASSERT_EQ(ByteOrder(AsString(CommitKey(a)), AsString(CommitKey(b))), a <=> b);
    ASSERT_EQ(DecodeCommitKey(AsString(CommitKey(a))), a);
  }
}

// --- ranges --------------------------------------------------------------------------------------

bool IsInRange(std::string_view key, std::string_view prefix) {
  const std::string end = PrefixEnd(prefix);
  return key >= prefix && (end.empty() || key < end);
}

class KeyRangeTest : public KeyOrderTest {};

TEST_F(KeyRangeTest, AThreadsRangeHoldsItsKeysAndNoOthers) {
  for (int i = 0; i < kPairs; ++i) {
    const ThreadNumber thread = Thread();
    const ThreadNumber other = random_.OneIn(2) ? ThreadNumber{Raw(thread) + 1} : Thread();
    const std::string range = AsString(ThreadPrefix(thread));
    const std::uint64_t seq = Number64(random_);
    const std::string name = Id(random_);
    const bool same = other == thread;
    for (const std::string& key :
         {AsString(Encode(EventKey{other, seq})), AsString(GapKey(other, seq)),
          AsString(Encode(MessageKey{other, MessageVisibility::kHidden, seq})),
          PostingKey(PostingPrefix(other, Run()), seq),
          PostingKey(PostingPrefix(other, Run(), name), seq),
          AsString(Encode(HiddenKey{other, HiddenScope::kThread, {}, {}}))}) {
      ASSERT_EQ(IsInRange(key, range), same) << Hex(key) << " in " << Hex(range);
    }
    ASSERT_EQ(IsInRange(RunRecordKey(other, Run()), RunRecordPrefix(thread)), same);
    ASSERT_EQ(IsInRange(RunNameKey(other, name), RunNamePrefix(thread)), same);
    ASSERT_EQ(IsInRange(OwnerNameKey(other, name), OwnerNamePrefix(thread)), same);
    ASSERT_EQ(IsInRange(OwnerNumberKey(other, Owner()), OwnerNumberPrefix(thread)), same);
  }
}

TEST_F(KeyRangeTest, NoIdFallsIntoTheRangeOfAnother) {
  for (int i = 0; i < kPairs; ++i) {
    const std::string a = Id(random_);
    const std::string b = random_.OneIn(3) ? a + Id(random_) : Id(random_);
    const ThreadNumber thread = Thread();
    const RunNumber run = Run();
    ASSERT_EQ(IsInRange(IdempotencyKey(b, Id(random_)), IdempotencyKey(a, "")), a == b);
    ASSERT_EQ(IsInRange(PostingKey(PostingPrefix(thread, run, b), Number64(random_)),
                        PostingPrefix(thread, run, a)),
              a == b);
    ASSERT_EQ(ThreadNameKey(a) == ThreadNameKey(b), a == b);
    ASSERT_EQ(RunNameKey(thread, a) == RunNameKey(thread, b), a == b);
  }
}

TEST(PrefixEndTest, IsTheNextStringThatDoesNotStartSo) {
  EXPECT_EQ(PrefixEnd("a"), "b");
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd(std::string_view("a\0", 2)), "a\x01");
  EXPECT_EQ(PrefixEnd("a\x7f"), "a\x80");
}

TEST(PrefixEndTest, FullBytesAtTheEndGo) {
  EXPECT_EQ(PrefixEnd("a\xff"), "b");
  EXPECT_EQ(PrefixEnd("a\xff\xff"), "b");
  EXPECT_EQ(PrefixEnd("\xfe\xff\xff"), "\xff");
}

TEST(PrefixEndTest, ThereIsNoneBehindFullBytesAlone) {
  EXPECT_EQ(PrefixEnd("\xff"), "");
  EXPECT_EQ(PrefixEnd("\xff\xff\xff"), "");
  EXPECT_EQ(PrefixEnd(""), "");
}

// --- bytes that are no key -----------------------------------------------------------------------

TEST(KeyDecodeTest, KeysOfAnotherLengthAreRefused) {
  const ThreadNumber thread{258};
  const auto refused = [](std::string key, auto decode) {
    for (std::size_t size = 0; size < key.size(); ++size) {
      EXPECT_FALSE(decode(std::string_view(key).substr(0, size))) << Hex(key) << " cut to " << size;
    }
    EXPECT_TRUE(decode(std::string_view(key)));
    key.push_back('\0');
    EXPECT_FALSE(decode(std::string_view(key))) << Hex(key);
  };
  refused(AsString(Encode(EventKey{thread, 7})), DecodeEventKey);
  refused(AsString(GapKey(thread, 7)), DecodeGapKey);
  refused(AsString(CommitKey(7)), DecodeCommitKey);
  refused(AsString(Encode(MessageKey{thread, {}, 7})), DecodeMessageKey);
  refused(AsString(Encode(HiddenKey{thread, HiddenScope::kThread, {}, {}})), DecodeHiddenKey);
  refused(ThreadNameKey("abc"), DecodeThreadNameKey);
  refused(ThreadRecordKey(thread), DecodeThreadRecordKey);
  refused(RunNameKey(thread, "abc"), DecodeRunNameKey);
  refused(RunRecordKey(thread, RunNumber{3}), DecodeRunRecordKey);
  refused(OwnerNameKey(thread, "abc"), DecodeOwnerNameKey);
  refused(OwnerNumberKey(thread, OwnerNumber{3}), DecodeOwnerNumberKey);
  refused(PostingKey(PostingPrefix(thread, RunNumber{3}), 7), DecodeRunPostingKey);
  refused(PostingKey(PostingPrefix(thread, RunNumber{3}, "abc"), 7), DecodeNamedPostingKey);
}

TEST(KeyDecodeTest, KeysWithAnotherTagAreRefused) {
  const ThreadNumber thread{258};
  EXPECT_FALSE(DecodeThreadNameKey("t" + ThreadNameKey("abc").substr(1)));
  EXPECT_FALSE(DecodeThreadRecordKey("n" + ThreadRecordKey(thread).substr(1)));
  EXPECT_FALSE(DecodeRunNameKey("n" + RunNameKey(thread, "abc").substr(1)));
  EXPECT_FALSE(DecodeRunRecordKey(OwnerNumberKey(thread, OwnerNumber{3})));
  EXPECT_FALSE(DecodeOwnerNameKey(RunNameKey(thread, "abc")));
  EXPECT_FALSE(DecodeOwnerNumberKey(RunRecordKey(thread, RunNumber{3})));
}

TEST(KeyDecodeTest, AVisibilityThatIsNoneIsRefused) {
  std::string key = AsString(Encode(MessageKey{ThreadNumber{1}, MessageVisibility::kHidden, 7}));
  ASSERT_EQ(key[8], 1);
  key[8] = 2;
  EXPECT_FALSE(DecodeMessageKey(key));
}

TEST(HiddenKeyTest, CarriesWhatItsScopeUses) {
  const RunNumber run{3};
  const OwnerNumber owner{4};
  for (const HiddenKey& key :
       {HiddenKey{ThreadNumber{258}, HiddenScope::kThread, {}, {}},
        HiddenKey{ThreadNumber{258}, HiddenScope::kRun, run, {}},
        HiddenKey{ThreadNumber{258}, HiddenScope::kOwner, {}, owner},
        HiddenKey{ThreadNumber{258}, HiddenScope::kOwnerInRun, run, owner}}) {
    EXPECT_EQ(DecodeHiddenKey(AsString(Encode(key))), key);
  }
}

TEST(HiddenKeyTest, NumbersItsScopeHasNotAreRefused) {
  const RunNumber run{3};
  const OwnerNumber owner{4};
  for (const HiddenKey& key : {HiddenKey{ThreadNumber{258}, HiddenScope::kThread, run, {}},
                               HiddenKey{ThreadNumber{258}, HiddenScope::kThread, {}, owner},
                               HiddenKey{ThreadNumber{258}, HiddenScope::kRun, run, owner},
                               HiddenKey{ThreadNumber{258}, HiddenScope::kOwner, run, owner},
                               HiddenKey{ThreadNumber{258}, HiddenScope{0}, {}, {}},
                               HiddenKey{ThreadNumber{258}, HiddenScope{5}, run, owner}}) {
    EXPECT_FALSE(DecodeHiddenKey(AsString(Encode(key)))) << Hex(AsString(Encode(key)));
  }
}

TEST(LongNameTest, ANameNoStoreHoldsHasAKeyNoStoreHolds) {
  const std::string longest(0xffff, 'x');
  EXPECT_EQ(DecodeThreadNameKey(ThreadNameKey(longest)), longest);
  const std::string longer(0x10000, 'x');
  EXPECT_FALSE(DecodeThreadNameKey(ThreadNameKey(longer)));
  EXPECT_FALSE(
      DecodeNamedPostingKey(PostingKey(PostingPrefix(ThreadNumber{1}, RunNumber{1}, longer), 7)));
}

}  // namespace
}  // namespace runlog::format
