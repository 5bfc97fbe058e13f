// Goal: commands that read answer in the lines of tools/README.md, and never make or change a
// store. Method: the real binary on a store with known events.

#include <filesystem>
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

class ReadingCommandsTest : public CommandLineTest {
 protected:
  // Thread t: run r1 with seqs 1 to 5 and a terminal event, run r2 with seq 6. Thread u: one event.
  void AppendKnownEvents() const {
    Append(
        R"({"thread_id":"t","run_id":"r1","event_type":"run.start","category":"trace","content":{"chain":null},"created_at":"2026-03-02T08:00:00Z"}
{"thread_id":"t","run_id":"r1","event_type":"llm.human.input","category":"message","content":{"type":"human","content":"hello"},"created_at":"2026-03-02T08:00:01Z","user_id":"alice"}
{"thread_id":"t","run_id":"r1","event_type":"subagent.step","category":"subagent","content":{},"metadata":{"task_id":"task-1"},"created_at":"2026-03-02T08:00:02Z"}
{"thread_id":"t","run_id":"r1","event_type":"llm.ai.response","category":"message","content":{"type":"ai","content":"hi"},"created_at":"2026-03-02T08:00:03.250Z","user_id":"alice"}
{"thread_id":"t","run_id":"r1","event_type":"run.terminal","category":"trace","content":{"status":"success"},"metadata":{"protocol_version":1,"recovered":false},"created_at":"2026-03-02T08:00:04Z"}
{"thread_id":"t","run_id":"r2","event_type":"llm.human.input","category":"message","content":"again","created_at":"2026-03-02T09:00:00Z","user_id":"bob"}
{"thread_id":"u","run_id":"r1","event_type":"run.start","category":"trace","created_at":"2026-03-03T08:00:00Z"}
)");
  }
  std::vector<std::string> Seqs(const std::string& command, const Arguments& arguments) const {
    return Column(Run(command, arguments).lines(), "seq");
  }
};

TEST_F(ReadingCommandsTest, ThreadsInTheOrderOfTheirCreation) {
  AppendKnownEvents();
  EXPECT_THAT(
      Run("threads").lines(),
      ElementsAre(
          R"({"thread_id":"t","last_seq":6,"events":6,"messages":3,"runs":2,"first_at":"2026-03-02T08:00:00+00:00","last_at":"2026-03-02T09:00:00+00:00"})",
          R"({"thread_id":"u","last_seq":1,"events":1,"messages":0,"runs":1,"first_at":"2026-03-03T08:00:00+00:00","last_at":"2026-03-03T08:00:00+00:00"})"));
  EXPECT_THAT(Run("threads", {"--limit", "1"}).lines(), SizeIs(1));
  EXPECT_THAT(Run("threads", {"--limit", "0"}).lines(), IsEmpty());
}

TEST_F(ReadingCommandsTest, AThreadWithoutEventsKeepsItsMarkAndHasNoTimes) {
  AppendKnownEvents();
  ASSERT_EQ(Run("delete-run", {"u", "r1"}).code, 0);
  EXPECT_EQ(
      Run("threads").lines().back(),
      R"({"thread_id":"u","last_seq":1,"events":0,"messages":0,"runs":0,"first_at":null,"last_at":null})");
}

TEST_F(ReadingCommandsTest, RunsWithStateAndStatus) {
  AppendKnownEvents();
  EXPECT_THAT(
      Run("runs", {"t"}).lines(),
      ElementsAre(
          R"({"run_id":"r1","state":"ended","status":"success","first_seq":1,"last_seq":5,"events":5,"messages":2})",
          R"({"run_id":"r2","state":"running","status":null,"first_seq":6,"last_seq":6,"events":1,"messages":1})"));
}

TEST_F(ReadingCommandsTest, DeletedRunsAreListedWhenAskedFor) {
  AppendKnownEvents();
  ASSERT_EQ(Run("delete-run", {"t", "r2"}).code, 0);
  EXPECT_THAT(Run("runs", {"t"}).lines(), SizeIs(1));
  EXPECT_THAT(Column(Run("runs", {"t", "--deleted"}).lines(), "state"),
              ElementsAre("\"ended\"", "\"deleted\""));
}

TEST_F(ReadingCommandsTest, EventsOfAThreadOrARun) {
  AppendKnownEvents();
  EXPECT_THAT(Seqs("events", {"t"}), ElementsAre("1", "2", "3", "4", "5", "6"));
  EXPECT_THAT(Seqs("events", {"t", "r2"}), ElementsAre("6"));
  EXPECT_EQ(
      Run("events", {"t", "r2"}).out,
      R"({"thread_id":"t","run_id":"r2","seq":6,"event_type":"llm.human.input","category":"message","content":"again","metadata":{},"created_at":"2026-03-02T09:00:00+00:00","user_id":"bob"})"
      "\n");
}

TEST_F(ReadingCommandsTest, FiltersApplyBeforeTheLimit) {
  AppendKnownEvents();
  EXPECT_THAT(Seqs("events", {"t", "r1", "--type", "run.start", "--type", "run.terminal"}),
              ElementsAre("1", "5"));
  EXPECT_THAT(Seqs("events", {"t", "r1", "--task", "task-1", "--limit", "1"}), ElementsAre("3"));
  EXPECT_THAT(Seqs("events", {"t", "r1", "--category", "message"}), ElementsAre("2", "4"));
  EXPECT_THAT(Seqs("events", {"t", "--user", "bob"}), ElementsAre("6"));
}

TEST_F(ReadingCommandsTest, CursorsAreExclusiveAndPagesAscend) {
  AppendKnownEvents();
  EXPECT_THAT(Seqs("events", {"t", "--after-seq", "2", "--limit", "2"}), ElementsAre("3", "4"));
  EXPECT_THAT(Seqs("events", {"t", "--before-seq", "5", "--limit", "2"}), ElementsAre("3", "4"));
  EXPECT_THAT(Seqs("events", {"t", "--after-seq", "1", "--before-seq", "6", "--limit", "2"}),
              ElementsAre("2", "3"));
  EXPECT_THAT(Seqs("events", {"t", "--after-seq", "-9223372036854775808", "--limit", "1"}),
              ElementsAre("1"));
  EXPECT_THAT(Seqs("events", {"t", "--limit", "9223372036854775807"}), SizeIs(6));
}

TEST_F(ReadingCommandsTest, AnUnfinishedPageSaysHowToGoOn) {
  AppendKnownEvents();
  EXPECT_THAT(Run("events", {"t", "--limit", "2"}).err, HasSubstr("--after-seq 2"));
  EXPECT_THAT(Run("events", {"t", "--before-seq", "6", "--limit", "2"}).err,
              HasSubstr("--before-seq 4"));
  EXPECT_THAT(Run("events", {"t"}).err, IsEmpty());
}

TEST_F(ReadingCommandsTest, PagesOfTheCommandAreNotTheEndOfTheAnswer) {
  Append(EventsIn("t", 1203));
  EXPECT_THAT(Run("events", {"t"}).lines(), SizeIs(500));
  EXPECT_THAT(Run("events", {"t", "--limit", "1100"}).lines(), SizeIs(1100));
  EXPECT_THAT(Run("events", {"t", "--limit", "5000"}).lines(), SizeIs(1203));
  EXPECT_THAT(Export(), SizeIs(1203));
}

TEST_F(ReadingCommandsTest, MessagesAreTheLatest) {
  AppendKnownEvents();
  EXPECT_THAT(Seqs("messages", {"t"}), ElementsAre("2", "4", "6"));
  EXPECT_THAT(Seqs("messages", {"t", "--limit", "2"}), ElementsAre("4", "6"));
  EXPECT_THAT(Seqs("messages", {"t", "--after-seq", "0", "--limit", "2"}), ElementsAre("2", "4"));
  EXPECT_THAT(Seqs("messages", {"t", "--run", "r1", "--before-seq", "4"}), ElementsAre("2"));
  EXPECT_THAT(Seqs("messages", {"t", "--user", "bob"}), ElementsAre("6"));
}

TEST_F(ReadingCommandsTest, WhatIsNotThereIsAnEmptyAnswer) {
  AppendKnownEvents();
  for (const Arguments& arguments : {Arguments{"events", "x"}, Arguments{"events", "t", "x"},
                                     Arguments{"messages", "x"}, Arguments{"runs", "x"}}) {
    const Ended ended = Run(arguments[0], {arguments.begin() + 1, arguments.end()});
    EXPECT_EQ(ended.code, 0) << arguments[0];
    EXPECT_THAT(ended.out, IsEmpty()) << arguments[0];
  }
}

TEST_F(ReadingCommandsTest, ChangesAreTheCommits) {
  AppendKnownEvents();
  ASSERT_EQ(Run("put-if-absent", {}, EventIn("u", "r9", "run.terminal")).code, 0);
  ASSERT_EQ(Run("delete-run", {"t", "r1", "--user", "alice"}).code, 0);
  ASSERT_EQ(Run("delete-thread", {"u"}).code, 0);

  const auto lines = Run("changes").lines();
  EXPECT_THAT(Column(lines, "kind"), ElementsAre("\"append\"", "\"append\"", "\"put_if_absent\"",
                                                 "\"delete_run\"", "\"delete_thread\""));
  EXPECT_THAT(Column(lines, "count"), ElementsAre("6", "1", "1", "2", "2"));
  EXPECT_EQ(Member(lines[3], "run_id"), "\"r1\"");
  EXPECT_EQ(Member(lines[3], "user_id"), "\"alice\"");
  EXPECT_EQ(Member(lines[4], "incarnation_ended"), "true");
  EXPECT_THAT(Run("changes", {"--after-commit", Member(lines[2], "commit")}).lines(), SizeIs(2));
  EXPECT_THAT(Run("changes", {"--limit", "2"}).lines(), SizeIs(2));
}

TEST_F(ReadingCommandsTest, ExportTakesWhatItIsAskedFor) {
  AppendKnownEvents();
  const auto exported = [this](Arguments arguments) {
    arguments.insert(arguments.begin(), {"--to", "jsonl"});
    return Column(Run("export", arguments).lines(), "seq");
  };
  EXPECT_THAT(exported({"--thread", "u"}), ElementsAre("1"));
  EXPECT_THAT(exported({"--run", "r1"}), ElementsAre("1", "2", "3", "4", "5", "1"));
  EXPECT_THAT(exported({"--user", "alice"}), ElementsAre("2", "4"));
  EXPECT_THAT(exported({"--after-commit", "1"}), ElementsAre("1"));
}

TEST_F(ReadingCommandsTest, AnExportedFileIsWholeOrNotThere) {
  AppendKnownEvents();
  WriteFile("out.jsonl", "before");

  EXPECT_EQ(Run("export", {"--to", "jsonl", "-o", Path("out.jsonl")}).code, 0);
  EXPECT_EQ(Run("export", {"--to", "jsonl", "-o", Path("no/out.jsonl")}).code, 3);

  EXPECT_EQ(RunRunlog({"append", Path("copy"), Path("out.jsonl")}).code, 2)
      << "its lines have seqs";
  EXPECT_EQ(RunRunlog({"import", Path("copy"), "--from", "jsonl", Path("out.jsonl")}).code, 0);
  EXPECT_THAT(FilesIn("."), ElementsAre("out.jsonl")) << "no temporary file may stay";
}

TEST_F(ReadingCommandsTest, VerifyFindsNothingInASoundStore) {
  AppendKnownEvents();
  const Ended ended = Run("verify");

  EXPECT_EQ(ended.code, 0);
  ASSERT_THAT(ended.lines(), SizeIs(1));
  EXPECT_THAT(ended.out,
              ::testing::StartsWith(R"({"events":7,"threads":2,"runs":3,"index_entries":)"));
  EXPECT_EQ(Member(ended.out, "pending_purge"), "0");
  EXPECT_EQ(Member(ended.out, "faults"), "0");
}

TEST_F(ReadingCommandsTest, StatsCountWhatIsThere) {
  AppendKnownEvents();
  const Ended ended = Run("stats");

  EXPECT_EQ(ended.code, 0);
  const auto members = Members(ended.lines().at(0));
  EXPECT_EQ(members.at("threads"), "2");
  EXPECT_EQ(members.at("runs"), "3");
  EXPECT_EQ(members.at("events"), "7");
  EXPECT_EQ(members.at("messages"), "3");
  EXPECT_EQ(members.at("view"), "\"read_only\"");
}

TEST_F(ReadingCommandsTest, DumpShowsEveryFamily) {
  AppendKnownEvents();
  const Ended ended = Run("dump");

  EXPECT_EQ(ended.code, 0);
  for (const char* family : {"events", "run_index", "type_index", "task_index", "message_index",
                             "commits", "threads", "runs", "owners"}) {
    EXPECT_THAT(ended.out, HasSubstr(family));
  }
}

TEST_F(ReadingCommandsTest, TablesAreForPeople) {
  AppendKnownEvents();
  const auto lines = Run("events", {"t", "r1", "--format", "table"}).lines();

  ASSERT_THAT(lines, SizeIs(6));
  EXPECT_THAT(lines[0], ::testing::StartsWith("seq  created_at"));
  EXPECT_THAT(lines[2], HasSubstr("alice"));
  EXPECT_THAT(Run("threads", {"--format", "table"}).lines(), SizeIs(3));
  EXPECT_THAT(Run("runs", {"t", "--format", "table"}).lines(), SizeIs(3));
  EXPECT_THAT(Run("changes", {"--format", "table"}).lines(), SizeIs(3));
  EXPECT_THAT(Run("stats", {"--format", "table"}).out, HasSubstr("messages"));
}

TEST_F(ReadingCommandsTest, NothingIsMadeByReading) {
  for (const char* command : {"threads", "changes", "verify", "stats", "dump"}) {
    const Ended ended = Run(command);
    EXPECT_EQ(ended.code, 3) << command;
    EXPECT_THAT(ended.err, HasSubstr("kNotFound")) << command;
    EXPECT_THAT(ended.out, IsEmpty()) << command;
  }
  EXPECT_FALSE(std::filesystem::exists(db()));
}

TEST_F(ReadingCommandsTest, AFolderWithOtherFilesIsRefused) {
  std::filesystem::create_directory(db());
  WriteFile("db/notes.txt", "mine");

  EXPECT_NE(Run("threads").code, 0);
  EXPECT_EQ(Run("append", {}, EventIn("t")).code, 2);
  EXPECT_THAT(FilesIn("db"), ElementsAre("notes.txt"));
}

TEST_F(ReadingCommandsTest, AnAlteredEventIsAFault) {
  Append(EventsIn("t", 20));
  ASSERT_EQ(Run("compact").code, 0);
  for (const auto& entry : std::filesystem::directory_iterator(db())) {
    if (entry.path().extension() == ".sst") std::filesystem::resize_file(entry.path(), 100);
  }
  const Ended ended = Run("verify");
  EXPECT_TRUE(ended.code == 1 || ended.code == 3) << ended.code << ended.out << ended.err;
  EXPECT_NE(Run("events", {"t"}).code, 0);
}

}  // namespace
}  // namespace runlog::tools
