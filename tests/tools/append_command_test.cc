// Goal: `runlog append` stores what its receipts say and nothing else. Method: the real binary on a
// fresh store; what it printed is compared with what `export` gives back.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line_test.h"

namespace runlog::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AppendCommandTest : public CommandLineTest {};

TEST_F(AppendCommandTest, AReceiptSaysWhatWasStored) {
  const Ended ended = Run("append", {}, EventsIn("t1", 3));

  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, R"({"thread_id":"t1","first_seq":1,"last_seq":3,"count":3,"commit":1,)"
                       R"("durability":"sync","incarnation":1,"epoch":1})"
                       "\n");
  EXPECT_THAT(Column(Export(), "seq"), ElementsAre("1", "2", "3"));
}

TEST_F(AppendCommandTest, ConsecutiveLinesOfAThreadFormAnAppend) {
  const auto receipts =
      Append(EventsIn("a", 2) + EventIn("b") + EventsIn("a", 3), {"--batch", "2"});

  EXPECT_THAT(Column(receipts, "thread_id"), ElementsAre("\"a\"", "\"b\"", "\"a\"", "\"a\""));
  EXPECT_THAT(Column(receipts, "count"), ElementsAre("2", "1", "2", "1"));
  EXPECT_THAT(Column(receipts, "first_seq"), ElementsAre("1", "1", "3", "5"));
}

TEST_F(AppendCommandTest, BatchesHoldAHundredLinesUnlessToldOtherwise) {
  EXPECT_THAT(Column(Append(EventsIn("t", 205)), "count"), ElementsAre("100", "100", "5"));
}

TEST_F(AppendCommandTest, TheLastLineNeedsNoLineBreakAndMayBeEmpty) {
  std::string lines = EventsIn("t", 2);
  lines.pop_back();
  EXPECT_THAT(Column(Append(lines), "count"), ElementsAre("2"));
  EXPECT_THAT(Column(Append(EventsIn("t", 1) + "\n"), "count"), ElementsAre("1"));
}

TEST_F(AppendCommandTest, NoLinesIsNoAppend) {
  EXPECT_THAT(Append(""), IsEmpty());
  EXPECT_THAT(Export(), IsEmpty());
}

TEST_F(AppendCommandTest, ABadLineDropsEveryLineSinceTheLastReceipt) {
  const Ended ended =
      Run("append", {"--batch", "2"}, EventsIn("a", 4) + EventIn("b") + "{\"thread_id\":}\n");

  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(Column(ended.lines(), "last_seq"), ElementsAre("2", "4"));
  EXPECT_THAT(ended.err, HasSubstr("stdin:6: "));
  EXPECT_THAT(ended.err, HasSubstr("byte 13"));
  EXPECT_THAT(ended.err, HasSubstr("not appended either: line 5"));
  EXPECT_THAT(Column(Export(), "thread_id"), ElementsAre("\"a\"", "\"a\"", "\"a\"", "\"a\""));
}

TEST_F(AppendCommandTest, AnAppendWaitsForTheLineBehindIt) {
  const Ended ended = Run("append", {"--batch", "2"}, EventsIn("a", 2) + "nonsense\n");

  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.out, IsEmpty());
  EXPECT_THAT(Export(), IsEmpty());
}

TEST_F(AppendCommandTest, ALineTheStoreWouldRefuseIsABadLine) {
  const std::string long_type(33, 'x');
  const Ended ended = Run("append", {}, EventIn("a") + EventIn("b", "r", long_type) + EventIn("c"));

  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("stdin:2: event_type"));
  EXPECT_THAT(ended.out, IsEmpty());
  EXPECT_THAT(Export(), IsEmpty());
}

TEST_F(AppendCommandTest, AnEmptyLineInsideIsABadLine) {
  const Ended ended = Run("append", {}, EventIn("a") + "\n" + EventIn("a"));

  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("stdin:2: "));
  EXPECT_THAT(Export(), IsEmpty());
}

TEST_F(AppendCommandTest, SeqIsTheStoresToGive) {
  std::string line = EventIn("t");
  line.insert(1, R"("seq":1,)");
  const Ended ended = Run("append", {}, line);

  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("import"));
}

TEST_F(AppendCommandTest, AFileIsNamedInItsErrors) {
  WriteFile("events.jsonl", EventIn("t") + "[]\n");
  const Ended ended = Run("append", {Path("events.jsonl")});

  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr(Path("events.jsonl") + ":2: "));
}

TEST_F(AppendCommandTest, AMissingFileIsNotFoundAndMakesNoStore) {
  const Ended ended = Run("append", {Path("nothing.jsonl")});

  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("kNotFound"));
  EXPECT_FALSE(std::filesystem::exists(db()));
}

TEST_F(AppendCommandTest, TheSameKeyAndLinesAreAppendedOnce) {
  const auto first = Append(EventsIn("t", 2), {"--idempotency-key", "k"});
  Append(EventIn("t"));
  const auto again = Append(EventsIn("t", 2), {"--idempotency-key", "k"});

  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(Member(again[0], "replayed"), "true");
  EXPECT_EQ(Member(again[0], "commit"), Member(first[0], "commit"));
  EXPECT_EQ(Member(again[0], "last_seq"), "2");
  EXPECT_THAT(Export(), SizeIs(3));
}

TEST_F(AppendCommandTest, TheSameKeyWithOtherLinesIsAConflict) {
  Append(EventsIn("t", 2), {"--idempotency-key", "k"});
  const Ended ended = Run("append", {"--idempotency-key", "k"}, EventsIn("t", 3));

  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("kConflict"));
  EXPECT_THAT(Export(), SizeIs(2));
}

TEST_F(AppendCommandTest, AReplayTellsThatTheEventsWereDeleted) {
  Append(EventsIn("t", 2), {"--idempotency-key", "k"});
  ASSERT_EQ(Run("delete-run", {"t", "r1"}).code, 0);
  const auto again = Append(EventsIn("t", 2), {"--idempotency-key", "k"});

  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(Member(again[0], "deleted"), "true");
  EXPECT_THAT(Export(), IsEmpty());
}

TEST_F(AppendCommandTest, WithAKeyTheInputIsOneAppendOrNothing) {
  const Arguments key{"--idempotency-key", "k"};
  EXPECT_EQ(Run("append", key, EventIn("a") + EventIn("b")).code, 2);
  EXPECT_EQ(Run("append", {"--idempotency-key", "k", "--batch", "2"}, EventsIn("a", 3)).code, 2);
  EXPECT_EQ(Run("append", key, "").code, 2);
  EXPECT_EQ(Run("append", {"--idempotency-key", ""}, EventIn("a")).code, 2);
  EXPECT_THAT(Export(), IsEmpty());
}

TEST_F(AppendCommandTest, ExpectedSeqHoldsOrNothingIsWritten) {
  const Arguments empty{"--expected-seq", "0"};
  EXPECT_EQ(Run("append", empty, EventIn("t")).code, 0);
  EXPECT_EQ(Run("append", empty, EventIn("t")).code, 3);
  EXPECT_EQ(Run("append", {"--expected-seq", "1"}, EventIn("t")).code, 0);
  EXPECT_EQ(Run("append", {"--expected-seq", "2"}, EventIn("t") + EventIn("u")).code, 2);
  EXPECT_THAT(Export(), SizeIs(2));
}

TEST_F(AppendCommandTest, LargeLinesAreSplitIntoAppendsThatFit) {
  std::string lines;
  for (int i = 0; i < 3; ++i) {
    std::string line = EventIn("t");
    line.insert(1, R"("content":")" + std::string(std::size_t{9} << 20, 'x') + R"(",)");
    lines += line;
  }
  EXPECT_THAT(Column(Append(lines), "count"), ElementsAre("1", "1", "1"));
}

TEST_F(AppendCommandTest, AContentMayHaveSixteenMebibytesAndNoByteMore) {
  const auto with_content = [](std::size_t bytes) {
    std::string line = EventIn("t");
    line.insert(1, R"("content":")" + std::string(bytes, 'x') + R"(",)");
    return line;
  };
  constexpr std::size_t kMost = std::size_t{16} << 20;
  const Ended ended =
      Run("append", {"--batch", "1"}, with_content(kMost) + with_content(kMost + 1));

  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("kTooLarge: stdin:2: content"));
  EXPECT_THAT(ended.out, IsEmpty()) << "the line behind it was bad";
  EXPECT_THAT(Append(with_content(kMost)), SizeIs(1));
  EXPECT_EQ(Member(Export().at(0), "content").size(), kMost + 2);
}

}  // namespace
}  // namespace runlog::tools
