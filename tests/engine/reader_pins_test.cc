// Goal: the views of a page stay what they were for as long as the page lives, whatever happens to
// the store: more reading, flush, compaction, deletion, close. Method: pages that were read every
// way there is (memtable and files, forward and backward, scan and point reads), copied at once and
// compared after the store has moved on.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/reading_test.h"

namespace runlog {
namespace {

struct Copied {
  std::uint64_t seq = 0;
  std::string run, type, content, metadata, body;
  friend bool operator==(const Copied&, const Copied&) = default;
};

std::vector<Copied> CopyOf(const Page& page) {
  std::vector<Copied> copied;
  for (const EventView& event : page.events()) {
    copied.push_back({event.seq(), std::string(event.run_id()), std::string(event.event_type()),
                      std::string(event.content().bytes), std::string(event.metadata()),
                      std::string(event.body())});
  }
  return copied;
}

class PagePinsTest : public ReadingTest {
 protected:
  PagePinsTest() { Open(); }

  /// Two runs: `sparse` has one event in forty.
  void Fill(int events) {
    std::vector<Sample> samples;
    for (int i = 0; i < events; ++i) {
      Sample sample = i % 40 == 0 ? Message("sparse") : Sample{};
      sample.text =
          "event " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 997), 'x');
      samples.push_back(std::move(sample));
      if (samples.size() == 100) Append(std::exchange(samples, {}));
    }
    if (!samples.empty()) Append(samples);
  }

  void ReadEveryWay() {
    Keep(reader().ThreadEvents("t", {.limit = 1000}));
    Keep(reader().ThreadEvents("t", {.before_seq = 3000, .limit = 1000}));
    Keep(reader().ThreadEvents("t", {}, {.category = "message"}));
    Keep(reader().RunEvents("t", "r1", {.after_seq = 500, .limit = 1000}));
    Keep(reader().RunEvents("t", "sparse", {}));
    Keep(reader().RunEvents("t", "sparse", {.before_seq = 2000, .limit = 20}));
    Keep(reader().Messages("t", {}, {}));
    Keep(reader().EventAt("t", 77));
  }

  void Keep(Result<Page> page) {
    pages_.push_back(Value(std::move(page)));
    EXPECT_FALSE(pages_.back().empty());
    copies_.push_back(CopyOf(pages_.back()));
  }

  void ExpectUnchanged() {
    for (std::size_t i = 0; i < pages_.size(); ++i)
      EXPECT_EQ(CopyOf(pages_[i]), copies_[i]);
  }

  std::vector<Page> pages_;
  std::vector<std::vector<Copied>> copies_;
};

TEST_F(PagePinsTest, ViewsIntoTheMemtableOutliveFlushAndCompaction) {
  Fill(4000);
  ReadEveryWay();

  Purge();  // flushes and compacts
  Fill(4000);
  Purge();

  ExpectUnchanged();
}

TEST_F(PagePinsTest, ViewsIntoFilesOutliveTheBlockCacheAndTheFiles) {
  Fill(4000);
  Purge();
  ReadEveryWay();

  Value(store().DeleteThread("t"));
  for (int round = 0; round < 4; ++round)
    Fill(4000);  // more than the block cache holds
  Purge();
  Value(reader().ThreadEvents("t", {.limit = 16'000}));

  ExpectUnchanged();
}

TEST_F(PagePinsTest, APageOutlivesItsStore) {
  Fill(4000);
  Reopen();
  ReadEveryWay();

  Close();

  ExpectUnchanged();
}

TEST_F(PagePinsTest, AMovedPageKeepsItsViews) {
  Fill(200);
  Page page = Value(reader().ThreadEvents("t", {}));
  const std::vector<Copied> copy = CopyOf(page);
  Page moved = std::move(page);
  page = Value(reader().EventAt("t", 1));
  EXPECT_EQ(CopyOf(moved), copy);
}

}  // namespace
}  // namespace runlog
