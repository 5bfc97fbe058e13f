// Goal: put-if-absent, import, delete-run, delete-thread and compact do what tools/README.md says.
// Method: the real binary on a fresh store, looked at with export and verify.

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

class WritingCommandsTest : public CommandLineTest {
 protected:
  static std::string OwnedBy(const std::string& owner, std::string_view run = "r1") {
    std::string line = EventIn("t", run);
    line.insert(1, R"("user_id":")" + owner + R"(",)");
    return line;
  }
  static std::string WithSeq(int seq, std::string_view thread = "t") {
    std::string line = EventIn(thread);
    line.insert(1, R"("seq":)" + std::to_string(seq) + ",");
    return line;
  }
};

TEST_F(WritingCommandsTest, PutIfAbsentTellsWhoWasFirst) {
  const std::string first = EventIn("t", "r1", "run.terminal");
  std::string second = first;
  second.insert(1, R"("content":"later",)");
  const Ended ended = Run("put-if-absent", {}, first + second + EventIn("t", "r2", "run.terminal"));

  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto lines = ended.lines();
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(Column(lines, "created"), ElementsAre("true", "false", "true"));
  EXPECT_EQ(Member(lines[1], "event"), Member(lines[0], "event"));
  EXPECT_EQ(Member(Member(lines[2], "event"), "seq"), "2");
}

TEST_F(WritingCommandsTest, PutIfAbsentStopsAtABadLine) {
  const Ended ended = Run("put-if-absent", {}, EventIn("t") + "{}\n" + EventIn("u"));

  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.lines(), SizeIs(1));
  EXPECT_THAT(ended.err, HasSubstr("stdin:2: thread_id"));
}

TEST_F(WritingCommandsTest, AnExportImportedElsewhereKeepsItsSeqs) {
  Append(EventsIn("a", 3) + EventsIn("b", 2) + EventsIn("a", 2));
  WriteFile("export.jsonl", Run("export", {"--to", "jsonl"}).out);
  const std::string copy = Path("copy");

  const Ended imported = RunRunlog({"import", copy, "--from", "jsonl", Path("export.jsonl")});

  EXPECT_EQ(imported.code, 0) << imported.err;
  EXPECT_EQ(RunRunlog({"export", copy, "--to", "jsonl"}).lines(), Export());
}

TEST_F(WritingCommandsTest, ImportRefusesASeqItCannotKeep) {
  Append(EventsIn("t", 2));
  const Arguments from_stdin{"--from", "jsonl", "-"};

  EXPECT_EQ(Run("import", from_stdin, WithSeq(3) + WithSeq(4)).code, 0);
  const Ended taken = Run("import", from_stdin, WithSeq(4));
  EXPECT_EQ(taken.code, 3);
  EXPECT_THAT(taken.err, HasSubstr("kConflict"));
  EXPECT_THAT(taken.err, HasSubstr("line 1"));
  EXPECT_EQ(Run("import", from_stdin, WithSeq(5) + WithSeq(7)).code, 3);
  EXPECT_EQ(Run("import", from_stdin, WithSeq(0)).code, 2);
  EXPECT_THAT(Export(), SizeIs(4));
}

TEST_F(WritingCommandsTest, ImportNeedsAFormatItKnows) {
  EXPECT_EQ(Run("import", {"-"}, EventIn("t")).code, 2);
  EXPECT_EQ(Run("import", {"--from", "csv", "-"}, EventIn("t")).code, 2);
}

TEST_F(WritingCommandsTest, TheSeqGoesOnAfterTheNewestRunIsDeleted) {
  Append(EventsIn("t", 2) + EventIn("t", "r2") + EventIn("t", "r2"));

  EXPECT_EQ(Run("delete-run", {"t", "r2"}).out, "{\"deleted\":2}\n");
  EXPECT_EQ(Run("delete-run", {"t", "r2"}).out, "{\"deleted\":0}\n");
  EXPECT_EQ(Member(Append(EventIn("t", "r3"))[0], "first_seq"), "5");
}

TEST_F(WritingCommandsTest, ADeletedThreadBeginsAnew) {
  Append(EventsIn("t", 3));

  EXPECT_EQ(Run("delete-thread", {"t"}).out, "{\"deleted\":3}\n");
  const auto receipts = Append(EventIn("t"));
  EXPECT_EQ(Member(receipts[0], "first_seq"), "1");
  EXPECT_NE(Member(receipts[0], "incarnation"), "1");
}

TEST_F(WritingCommandsTest, ADeleteOfOneOwnerLeavesTheOthers) {
  Append(OwnedBy("alice") + OwnedBy("bob") + EventIn("t") + OwnedBy("alice", "r2"));

  EXPECT_EQ(Run("delete-run", {"t", "r1", "--user", "alice"}).out, "{\"deleted\":1}\n");
  EXPECT_THAT(Column(Export(), "seq"), ElementsAre("2", "3", "4"));
  EXPECT_EQ(Run("delete-thread", {"t", "--user", "alice"}).out, "{\"deleted\":1}\n");
  EXPECT_THAT(Column(Export(), "seq"), ElementsAre("2", "3"));
}

TEST_F(WritingCommandsTest, DeletingTheUnknownDeletesNothing) {
  Append(EventIn("t"));

  const Ended ended = Run("delete-run", {"nobody", "nothing"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "{\"deleted\":0}\n");
  EXPECT_EQ(Run("delete-thread", {"nobody"}).out, "{\"deleted\":0}\n");
}

TEST_F(WritingCommandsTest, CompactLeavesWhatIsLiveAndNothingPending) {
  Append(EventsIn("t", 50) + EventIn("t", "r2"));
  ASSERT_EQ(Run("delete-run", {"t", "r1"}).code, 0);

  const Ended compacted = Run("compact");

  EXPECT_EQ(compacted.code, 0) << compacted.err;
  EXPECT_THAT(compacted.out, IsEmpty());
  EXPECT_THAT(Column(Export(), "seq"), ElementsAre("51"));
  const Ended verified = Run("verify");
  EXPECT_EQ(verified.code, 0);
  EXPECT_EQ(Member(verified.lines().back(), "pending_purge"), "0");
}

}  // namespace
}  // namespace runlog::tools
