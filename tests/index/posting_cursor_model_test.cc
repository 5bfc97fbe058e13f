// Goal: whatever chunks a list has, a posting cursor answers as a plain set of its seqs would.
// Method: random lists of chunks of every size, some with keys above their last seq, half of them
// on disk, among other lists; random windows, directions, steps and jumps. The seed is printed.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "format/keys.h"
#include "tests/index/index_test.h"
#include "tests/support/seeded_random.h"
#include "tests/support/status_matchers.h"

namespace runlog::index {
namespace {

using runlog::testing::SeededRandom;

/// What a cursor should do, from a set.
class CursorModel {
 public:
  CursorModel(const std::set<std::uint64_t>& seqs, SeqWindow window, Direction direction)
      : forward_(direction == Direction::kForward) {
    for (const std::uint64_t seq : seqs) {
      if (seq > window.after && seq < window.before) seqs_.push_back(seq);
    }
    if (!forward_) std::reverse(seqs_.begin(), seqs_.end());
  }

  std::optional<std::uint64_t> Next() {
    if (at_ < Size()) ++at_;
    return Current();
  }
  std::optional<std::uint64_t> SeekTo(std::uint64_t seq) {
    if (at_ < 0) at_ = 0;
    while (at_ < Size() && (forward_ ? *Current() < seq : *Current() > seq))
      ++at_;
    return Current();
  }

 private:
  std::ptrdiff_t Size() const { return static_cast<std::ptrdiff_t>(seqs_.size()); }
  std::optional<std::uint64_t> Current() const {
    if (at_ < 0 || at_ >= Size()) return std::nullopt;
    return seqs_[static_cast<std::size_t>(at_)];
  }

  const bool forward_;
  std::vector<std::uint64_t> seqs_;
  std::ptrdiff_t at_ = -1;
};

class PostingCursorModelTest : public IndexTest, public ::testing::WithParamInterface<int> {
 protected:
  PostingCursorModelTest()
      : trace_(__FILE__, __LINE__, "seed " + std::to_string(GetParam())),
        random_(static_cast<std::uint64_t>(GetParam())) {}

  std::uint64_t ChunkSize() {
    if (random_.OneIn(10)) return random_.Between(1, kPostingsPerChunkMax);
    return random_.OneIn(2) ? 1 : random_.Between(1, 30);
  }

  /// Writes a list of chunks and returns its seqs.
  std::set<std::uint64_t> PutList(const std::string& prefix) {
    std::set<std::uint64_t> all;
    const std::uint64_t chunks = random_.Below(60);
    const std::uint64_t gap_max = random_.OneIn(2) ? 2 : 50;
    std::uint64_t seq = random_.OneIn(2) ? 0 : random_.Below(1'000'000);
    for (std::uint64_t i = 0; i < chunks; ++i) {
      std::vector<std::uint64_t> seqs;
      for (std::uint64_t n = ChunkSize(); n > 0; --n) {
        seqs.push_back(seq += random_.Between(1, gap_max));
      }
      all.insert(seqs.begin(), seqs.end());
      if (random_.OneIn(3)) seq += random_.Below(100);  // what stood there was purged
      PutChunk(families_.run_index, prefix, seqs, seq);
      if (random_.OneIn(25)) Flush(families_.run_index);
    }
    return all;
  }

  /// A seq near the list's, or at an end of all seqs.
  std::uint64_t AnySeq(const std::set<std::uint64_t>& seqs) {
    if (seqs.empty() || random_.OneIn(20)) return random_.OneIn(2) ? 0 : ~std::uint64_t{0};
    const std::uint64_t first = *seqs.begin() > 10 ? *seqs.begin() - 10 : 0;
    return random_.Between(first, *seqs.rbegin() + 10);
  }

  void Compare(PostingCursor& cursor, CursorModel& model, const std::set<std::uint64_t>& seqs) {
    const std::uint64_t jump_one_in = random_.Between(1, 6);
    std::uint64_t target = AnySeq(seqs);
    std::string path;
    for (int step = 0; step < 300; ++step) {
      const bool jump = random_.OneIn(jump_one_in);
      if (jump) target = random_.OneIn(2) ? AnySeq(seqs) : target + random_.Below(30);
      path += jump ? " to " + std::to_string(target) : " next";
      const Result<bool> got = jump ? cursor.SeekTo(target) : cursor.Next();
      const std::optional<std::uint64_t> expected = jump ? model.SeekTo(target) : model.Next();
      ASSERT_OK(got) << path;
      ASSERT_EQ(*got, expected.has_value()) << path;
      if (!*got) return;
      ASSERT_EQ(cursor.posting().seq, *expected) << path;
      ASSERT_EQ(cursor.posting().event_class, ClassOf(*expected)) << path;
    }
  }

  ::testing::ScopedTrace trace_;
  SeededRandom random_;
};

TEST_P(PostingCursorModelTest, StepsAndJumpsAsASetWould) {
  const format::ThreadNumber thread{random_.Between(1, 3)};
  std::vector<std::string> prefixes;
  for (std::uint32_t run = 1; run <= 3; ++run) {
    prefixes.push_back(format::PostingPrefix(thread, format::RunNumber{run}));
  }
  std::vector<std::set<std::uint64_t>> lists;
  for (const std::string& prefix : prefixes)
    lists.push_back(PutList(prefix));

  for (int round = 0; round < 100; ++round) {
    const std::size_t list = random_.Below(lists.size());
    const std::set<std::uint64_t>& seqs = lists[list];
    SeqWindow window;
    if (random_.OneIn(2)) window.after = AnySeq(seqs);
    if (random_.OneIn(2)) window.before = AnySeq(seqs);
    const Direction direction = random_.OneIn(2) ? Direction::kForward : Direction::kBackward;
    SCOPED_TRACE("round " + std::to_string(round) +
                 (direction == Direction::kForward ? " up" : " down") + " in " +
                 std::to_string(window.after) + ".." + std::to_string(window.before));
    PostingCursor cursor(Source(), families_.run_index, prefixes[list], window, direction);
    CursorModel model(seqs, window, direction);
    Compare(cursor, model, seqs);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seed, PostingCursorModelTest, ::testing::Range(1, 41));

}  // namespace
}  // namespace runlog::index
