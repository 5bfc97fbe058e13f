// Goal: `runlog tail` hands out every event once, beside a writer, and ends when it should. Method:
// a tail in one process, writing commands in others; the test waits for lines, never for time.

#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line_test.h"

namespace runlog::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TailCommandTest : public CommandLineTest {
 protected:
  static std::string NextSeq(RunlogProcess& tail) {
    const auto line = tail.ReadLine();
    return line ? Member(*line, "seq") : "(no line)";
  }
};

TEST_F(TailCommandTest, WhatIsThereAndThenWhatComes) {
  Append(EventsIn("t", 2));
  RunlogProcess tail({"tail", db(), "t"});
  EXPECT_EQ(NextSeq(tail), "1");
  EXPECT_EQ(NextSeq(tail), "2");

  Append(EventIn("t"));
  EXPECT_EQ(NextSeq(tail), "3");
  Append(EventsIn("other", 3) + EventIn("t"));
  EXPECT_EQ(NextSeq(tail), "4");
}

TEST_F(TailCommandTest, AnInterruptIsAQuietEnd) {
  Append(EventIn("t"));
  RunlogProcess tail({"tail", db(), "t"});
  EXPECT_EQ(NextSeq(tail), "1");

  tail.Signal(SIGINT);
  const Ended ended = tail.Wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "");
}

TEST_F(TailCommandTest, EndsWhenNobodyReads) {
  Append(EventIn("t"));
  RunlogProcess tail({"tail", db(), "t"});
  EXPECT_EQ(NextSeq(tail), "1");

  tail.CloseOutput();
  EXPECT_EQ(tail.Wait().code, 0);
}

TEST_F(TailCommandTest, LimitCountsEvents) {
  Append(EventsIn("t", 5));
  const Ended ended = Run("tail", {"t", "--after-seq", "1", "--limit", "3"});

  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(Column(ended.lines(), "seq"), ElementsAre("2", "3", "4"));
}

TEST_F(TailCommandTest, UntilTerminalEndsWithTheRun) {
  Append(EventIn("t", "r1") + EventIn("t", "r2"));
  RunlogProcess tail({"tail", db(), "t", "r1", "--until-terminal"});
  EXPECT_EQ(NextSeq(tail), "1");

  std::string terminal = EventIn("t", "r1", "run.terminal");
  terminal.insert(1, R"("content":{"status":"success"},)");
  Append(terminal);

  const Ended ended = tail.Wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(Column(ended.lines(), "seq"), ElementsAre("3"));
}

TEST_F(TailCommandTest, ItemsTellOfHolesAndTheEnd) {
  Append(EventsIn("t", 2) + EventIn("t", "r2"));
  ASSERT_EQ(Run("delete-run", {"t", "r1"}).code, 0);
  RunlogProcess tail({"tail", db(), "t", "--items"});

  EXPECT_EQ(tail.ReadLine(),
            R"({"item":"hole","first_seq":1,"last_seq":2,"reason":"run_deleted"})");
  const auto event = tail.ReadLine();
  ASSERT_TRUE(event);
  EXPECT_EQ(Member(Member(*event, "event"), "seq"), "3");
  EXPECT_EQ(tail.ReadLine(), R"({"item":"caught_up"})");
}

TEST_F(TailCommandTest, HolesAreToldOnStderrOtherwise) {
  Append(EventsIn("t", 2) + EventIn("t", "r2"));
  ASSERT_EQ(Run("delete-run", {"t", "r1"}).code, 0);
  const Ended ended = Run("tail", {"t", "--limit", "1"});

  EXPECT_THAT(Column(ended.lines(), "seq"), ElementsAre("3"));
  EXPECT_THAT(ended.err, HasSubstr("seqs 1 to 2 are gone: run_deleted"));
}

TEST_F(TailCommandTest, ANewLifeOfTheThreadIsAReset) {
  Append(EventsIn("t", 2));
  RunlogProcess tail({"tail", db(), "t", "--items"});
  EXPECT_TRUE(tail.ReadLine());
  EXPECT_TRUE(tail.ReadLine());
  EXPECT_EQ(tail.ReadLine(), R"({"item":"caught_up"})");

  ASSERT_EQ(Run("delete-thread", {"t"}).code, 0);
  Append(EventIn("t"));

  for (std::string line; line.find("reset") == line.npos;) {
    const auto next = tail.ReadLine();
    ASSERT_TRUE(next) << "the tail ended without a reset";
    line = *next;
  }
  const auto event = tail.ReadLine();
  ASSERT_TRUE(event);
  EXPECT_EQ(Member(Member(*event, "event"), "seq"), "1");
}

TEST_F(TailCommandTest, BadRequestsAreUsage) {
  Append(EventIn("t"));
  EXPECT_EQ(Run("tail", {"t", "--until-terminal"}).code, 2) << "needs a run";
  EXPECT_EQ(Run("tail", {"t", "--from-now", "--after-seq", "1"}).code, 2);
  EXPECT_EQ(Run("tail", {"t", "--limit", "-1"}).code, 2);
}

/// A writer that holds the store while the test looks at it: an append whose input goes on.
class BesideAWriterTest : public CommandLineTest {
 protected:
  void StartWriter() {
    ASSERT_EQ(::mkfifo(Path("input").c_str(), 0600), 0);
    writer_.emplace(Arguments{"append", db(), Path("input"), "--batch", "1"});
    input_.open(Path("input"));
    // The receipt of the first line comes when the second is there; then the store is open.
    input_ << EventIn("t") << EventIn("t") << std::flush;
    ASSERT_TRUE(writer_->ReadLine());
  }

  std::ofstream input_;
  std::optional<RunlogProcess> writer_;
};

TEST_F(BesideAWriterTest, AViewSaysThatItStandsBeside) {
  StartWriter();
  const Ended ended = Run("threads");

  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(Member(ended.out, "last_seq"), "1");
  EXPECT_THAT(ended.err, HasSubstr("view: secondary, as of commit 1"));
}

TEST_F(BesideAWriterTest, ASecondWriterIsToldWhoHoldsTheStore) {
  StartWriter();
  const Ended ended = Run("append", {}, EventIn("t"));

  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("kLocked"));
  EXPECT_THAT(ended.err, HasSubstr(std::to_string(writer_->pid())));
}

TEST_F(BesideAWriterTest, AReceiptNobodyReadsStopsTheWriter) {
  StartWriter();
  writer_->CloseOutput();
  input_ << EventIn("t") << EventIn("t") << std::flush;

  const Ended ended = writer_->Wait();
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("stopped behind line 2"));
}

}  // namespace
}  // namespace runlog::tools
