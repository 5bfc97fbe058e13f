// Goal: which events of a window a page holds, and what it tells about going on: the cursor table
// of the DeerFlow contract, every page size and any number as a cursor. Method: threads of a few
// events in a real store, read through every call that takes a PageRequest.

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/reading_test.h"

namespace runlog {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

class PageWindowTest : public ReadingTest {
 protected:
  PageWindowTest() {
    Open();
    Append(std::vector<Sample>(10, Message()));
  }

  /// The same request by every route to the same ten messages.
  void ExpectEverywhere(const PageRequest& request, const Seqs& expected) {
    EXPECT_EQ(SeqsOf(Value(reader().Messages("t", {}, request))), expected);
    EXPECT_EQ(SeqsOf(Value(reader().Messages("t", "r1", request))), expected);
    if (!request.after_seq && !request.before_seq) return;  // events begin at the other end
    EXPECT_EQ(SeqsOf(Value(reader().ThreadEvents("t", request))), expected);
    EXPECT_EQ(SeqsOf(Value(reader().RunEvents("t", "r1", request))), expected);
    const EventFilter of_type{.types = {{"llm.human.input"}}};
    EXPECT_EQ(SeqsOf(Value(reader().RunEvents("t", "r1", request, of_type))), expected);
  }
};

TEST_F(PageWindowTest, BothCursorsTakeTheFirstOfTheWindow) {
  ExpectEverywhere({.after_seq = 3, .before_seq = 8, .limit = 2}, {4, 5});
  ExpectEverywhere({.after_seq = 3, .before_seq = 8, .limit = 100}, Range(4, 7));
  ExpectEverywhere({.after_seq = 7, .before_seq = 8, .limit = 100}, {});
  ExpectEverywhere({.after_seq = 8, .before_seq = 3, .limit = 100}, {});
}

TEST_F(PageWindowTest, AfterTakesTheFirstAndBeforeTheLast) {
  ExpectEverywhere({.after_seq = 0, .limit = 1}, {1});
  ExpectEverywhere({.after_seq = 4, .limit = 3}, {5, 6, 7});
  ExpectEverywhere({.before_seq = 8, .limit = 3}, {5, 6, 7});
  ExpectEverywhere({.before_seq = 1, .limit = 3}, {});
  ExpectEverywhere({.after_seq = 10, .limit = 3}, {});
}

TEST_F(PageWindowTest, WithoutACursorMessagesAreTheLatestAndEventsTheFirst) {
  EXPECT_EQ(SeqsOf(Value(reader().Messages("t", {}, {.limit = 3}))), Range(8, 10));
  EXPECT_EQ(SeqsOf(Value(reader().Messages("t", "r1", {.limit = 3}))), Range(8, 10));
  EXPECT_EQ(SeqsOf(Value(reader().ThreadEvents("t", {.limit = 3}))), Range(1, 3));
  EXPECT_EQ(SeqsOf(Value(reader().RunEvents("t", "r1", {.limit = 3}))), Range(1, 3));
}

TEST_F(PageWindowTest, AnyNumberIsACursor) {
  ExpectEverywhere({.after_seq = kSmallest, .limit = 100}, Range(1, 10));
  ExpectEverywhere({.after_seq = -1, .before_seq = kLargest, .limit = 100}, Range(1, 10));
  ExpectEverywhere({.before_seq = kLargest, .limit = 2}, {9, 10});
  ExpectEverywhere({.before_seq = kSmallest, .limit = 2}, {});
  ExpectEverywhere({.after_seq = kLargest, .limit = 2}, {});
  ExpectEverywhere({.after_seq = kLargest, .before_seq = kLargest, .limit = 2}, {});
}

TEST_F(PageWindowTest, LimitZeroIsEmptyTheLargestIsAllAndANegativeOneIsRefused) {
  ExpectEverywhere({.after_seq = 0, .limit = 0}, {});
  ExpectEverywhere({.before_seq = 11, .limit = 0}, {});
  ExpectEverywhere({.after_seq = 0, .limit = kLargest}, Range(1, 10));
  ExpectEverywhere({.limit = kLargest}, Range(1, 10));
  for (const std::int64_t limit : {std::int64_t{-1}, kSmallest}) {
    const PageRequest request{.limit = limit};
    EXPECT_EQ(reader().ThreadEvents("t", request).status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(reader().RunEvents("t", "r1", request).status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(reader().Messages("nobody", {}, request).status().code(),
              StatusCode::kInvalidArgument);
  }
}

TEST_F(PageWindowTest, HasMoreLooksOneFurtherInTheDirectionOfThePage) {
  const auto has_more = [&](const PageRequest& request) {
    const bool messages = Value(reader().Messages("t", {}, request)).has_more();
    EXPECT_EQ(Value(reader().ThreadEvents("t", request)).has_more(), messages);
    EXPECT_EQ(Value(reader().RunEvents("t", "r1", request)).has_more(), messages);
    return messages;
  };
  EXPECT_TRUE(has_more({.after_seq = 0, .limit = 9}));
  EXPECT_FALSE(has_more({.after_seq = 0, .limit = 10}));
  EXPECT_FALSE(has_more({.after_seq = 0, .before_seq = 10, .limit = 9}));
  EXPECT_TRUE(has_more({.before_seq = 11, .limit = 9}));
  EXPECT_FALSE(has_more({.before_seq = 11, .limit = 10}));
  EXPECT_FALSE(has_more({.after_seq = 0, .limit = 0}));
}

TEST_F(PageWindowTest, AFilteredPagesCursorNeverStandsStill) {
  std::vector<Sample> deltas(10'000, Sample{.type = "text_delta"});
  Append({Sample{.type = "done"}});  // seq 11
  Append(deltas);
  const EventFilter filter{.types = {{"llm.human.input", "done"}}};

  const Page page = Value(reader().RunEvents("t", "r1", {.after_seq = 0}, filter));
  EXPECT_EQ(SeqsOf(page), Range(1, 11));
  EXPECT_EQ(page.highest_seq_scanned(), 10'011U);
  const Page thread_page = Value(reader().ThreadEvents("t", {.after_seq = 0}, filter));
  EXPECT_EQ(SeqsOf(thread_page), Range(1, 11));
  EXPECT_EQ(thread_page.highest_seq_scanned(), 10'011U);
  const Page rest = Value(reader().RunEvents("t", "r1", {.after_seq = 11}, filter));
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(rest.highest_seq_scanned(), 10'011U);
}

TEST_F(PageWindowTest, HighestSeqScannedIsTheLastReturnedWhereThePageIsFull) {
  EXPECT_EQ(Value(reader().ThreadEvents("t", {.after_seq = 2, .limit = 3})).highest_seq_scanned(),
            5U);
  EXPECT_EQ(
      Value(reader().ThreadEvents("t", {.after_seq = 2, .before_seq = 8})).highest_seq_scanned(),
      7U);
  EXPECT_EQ(Value(reader().Messages("t", {}, {.limit = 3})).highest_seq_scanned(), 10U);
  EXPECT_EQ(Value(reader().ThreadEvents("t", {.after_seq = 4, .limit = 0})).highest_seq_scanned(),
            4U);
}

TEST_F(PageWindowTest, APageNamesItsThreadsLifeAndMark) {
  const Page page = Value(reader().ThreadEvents("t", {.limit = 1}));
  EXPECT_EQ(page.high_water(), 10U);
  EXPECT_EQ(page.epoch(), 1U);
  EXPECT_FALSE(page.cursor_ahead());
  EXPECT_GT(page.incarnation(), 0U);
  EXPECT_FALSE(Value(reader().ThreadEvents("t", {.after_seq = 10})).cursor_ahead());
  const Page ahead = Value(reader().ThreadEvents("t", {.after_seq = 11}));
  EXPECT_TRUE(ahead.cursor_ahead());
  EXPECT_EQ(ahead.highest_seq_scanned(), 11U);
}

TEST_F(PageWindowTest, ACursorOfAnEarlierLifeIsToldSo) {
  const std::uint64_t first_life = Value(reader().ThreadEvents("t", {.limit = 1})).incarnation();
  Append(std::vector<Sample>(490, Message()));
  ASSERT_TRUE(Value(store().DeleteThread("t")).incarnation_ended);

  const Page between = Value(reader().ThreadEvents("t", {.after_seq = 500}));
  EXPECT_EQ(between.incarnation(), 0U);
  EXPECT_TRUE(between.cursor_ahead());

  EXPECT_EQ(Append(std::vector<Sample>(3, Message())), 1U);
  const PageRequest resumed{.after_seq = 500, .expect_incarnation = first_life};
  EXPECT_EQ(reader().ThreadEvents("t", resumed).status().code(), StatusCode::kGone);
  EXPECT_EQ(reader().RunEvents("t", "r1", resumed).status().code(), StatusCode::kGone);
  EXPECT_EQ(reader().Messages("nobody", {}, resumed).status().code(), StatusCode::kGone);
  const Page page = Value(reader().ThreadEvents("t", {.after_seq = 500}));
  EXPECT_TRUE(page.cursor_ahead());
  EXPECT_NE(page.incarnation(), first_life);
  const Page anew =
      Value(reader().ThreadEvents("t", {.after_seq = 0, .expect_incarnation = page.incarnation()}));
  EXPECT_EQ(SeqsOf(anew), Range(1, 3));
}

TEST_F(PageWindowTest, WhatDoesNotExistReadsAsEmpty) {
  const std::string too_long(70'000, 'x');
  for (const std::string& id :
       {std::string("other"), std::string(), std::string("a\nb"), std::string("\xff"), too_long}) {
    const Page thread = Value(reader().ThreadEvents(id, {}));
    EXPECT_TRUE(thread.empty());
    EXPECT_EQ(thread.incarnation(), 0U);
    EXPECT_TRUE(Value(reader().RunEvents("t", id, {})).empty());
    EXPECT_EQ(Value(reader().RunEvents("t", id, {})).high_water(), 10U);
    EXPECT_TRUE(Value(reader().Messages(id, id, {})).empty());
    EXPECT_TRUE(Value(reader().ThreadEvents("t", {}, {.user_id = id})).empty());
    EXPECT_TRUE(Value(reader().RunEvents("t", "r1", {}, {.types = {{id}}})).empty());
    EXPECT_TRUE(Value(reader().RunEvents("t", "r1", {}, {.task_id = id})).empty());
    EXPECT_TRUE(Value(reader().RunEvents("t", "r1", {}, {.category = id})).empty());
    EXPECT_TRUE(Value(reader().EventAt(id, 1)).empty());
    EXPECT_TRUE(Value(reader().LatestOfType("t", id, "llm.human.input")).empty());
    EXPECT_TRUE(Value(reader().LatestOfType("t", "r1", id)).empty());
    EXPECT_EQ(Value(reader().Count(id)), Counts());
    EXPECT_EQ(Value(reader().Count("t", id)), Counts());
    EXPECT_FALSE(Value(reader().Thread(id)).has_value());
    EXPECT_TRUE(Value(reader().Runs(id)).empty());
    EXPECT_TRUE(Value(reader().Holes(id, 0, 100)).empty());
    EXPECT_TRUE(Value(reader().LastVisibleAiSeqs(id, std::vector<std::string>{id})).empty());
  }
}

TEST_F(PageWindowTest, APointReadFindsItsEventOrNone) {
  const Page page = Value(reader().EventAt("t", 4));
  ASSERT_EQ(SeqsOf(page), (Seqs{4}));
  EXPECT_EQ(page.events().front().event_type(), "llm.human.input");
  EXPECT_TRUE(Value(reader().EventAt("t", 0)).empty());
  EXPECT_TRUE(Value(reader().EventAt("t", 11)).empty());
  EXPECT_TRUE(Value(reader().EventAt("t", std::numeric_limits<std::uint64_t>::max())).empty());
}

TEST_F(PageWindowTest, AClosedStoreSaysSo) {
  const Reader reader_after_close = reader();
  Close();
  EXPECT_EQ(reader_after_close.ThreadEvents("t", {}).status().code(), StatusCode::kClosed);
  EXPECT_EQ(reader_after_close.Count("t").status().code(), StatusCode::kClosed);
  EXPECT_EQ(reader_after_close.Changes(0, 10).status().code(), StatusCode::kClosed);
}

}  // namespace
}  // namespace runlog
