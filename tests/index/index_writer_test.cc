// Goal: an append's batch holds exactly the index entries of its events.
// Method: appends are written and every family is then read from end to end, key by key, and
// compared with lists made from the events in plain maps.

#include "index/index_writer.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/write_batch.h>

#include <runlog/limits.h>

#include "format/keys.h"
#include "format/records.h"
#include "tests/index/index_test.h"
#include "tests/support/seeded_random.h"
#include "tests/support/status_matchers.h"

namespace runlog::index {
namespace {

using format::CallerClass;
using format::CategoryCode;
using format::EventClass;
using format::MessageVisibility;
using format::OwnerNumber;
using format::RunNumber;
using format::ThreadNumber;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr EventClass kTrace(CategoryCode::kTrace, CallerClass::kPlain, false, false);
constexpr EventClass kMessage(CategoryCode::kMessage, CallerClass::kPlain, true, false);
constexpr EventClass kHiddenMessage(CategoryCode::kMessage, CallerClass::kMiddleware, false, false);

/// T, R and name of a list, and its seqs with their class bytes.
using ListName = std::tuple<std::uint64_t, std::uint32_t, std::string>;
using Lists = std::map<ListName, std::vector<std::pair<std::uint64_t, int>>>;

class IndexWriterTest : public IndexTest {
 protected:
  void Append(ThreadNumber thread, const std::vector<IndexedEvent>& events) {
    writer_.Begin(thread);
    for (const IndexedEvent& event : events)
      writer_.Add(event);
    rocksdb::WriteBatch batch;
    writer_.Finish(batch);
    ASSERT_TRUE(db().Write({}, &batch).ok());
  }

  /// Every row of a family, as key and value.
  std::vector<std::pair<std::string, std::string>> Rows(rocksdb::ColumnFamilyHandle* family) const {
    std::vector<std::pair<std::string, std::string>> rows;
    const std::unique_ptr<rocksdb::Iterator> it(db().NewIterator({}, family));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      rows.emplace_back(it->key().ToString(), it->value().ToString());
    }
    EXPECT_TRUE(it->status().ok());
    return rows;
  }

  /// What a family's chunks say, and how large each is.
  Lists ListsIn(rocksdb::ColumnFamilyHandle* family) {
    Lists lists;
    chunk_sizes_.clear();
    for (const auto& [key, value] : Rows(family)) {
      const auto parts = family == families_.run_index ? format::DecodeRunPostingKey(key)
                                                       : format::DecodeNamedPostingKey(key);
      std::vector<Posting> postings;
      if (!parts || !DecodeChunk(value, parts->last_seq, postings).ok()) {
        ADD_FAILURE() << "a row that is no chunk";
        continue;
      }
      EXPECT_EQ(postings.back().seq, parts->last_seq);
      chunk_sizes_.push_back(postings.size());
      auto& list = lists[{Raw(parts->thread), Raw(parts->run), std::string(parts->name)}];
      for (const Posting& posting : postings) {
        list.emplace_back(posting.seq, posting.event_class.byte());
      }
    }
    return lists;
  }

  IndexWriter writer_{families_};
  std::vector<std::size_t> chunk_sizes_;
};

TEST_F(IndexWriterTest, AnEventIsInTheListsOfItsRunTypeAndTask) {
  Append(kThread, {{7, kRun, OwnerNumber{2}, kTrace, "llm.start", "task-1"}});
  EXPECT_EQ(ListsIn(families_.run_index), (Lists{{{258, 3, ""}, {{7, kTrace.byte()}}}}));
  EXPECT_EQ(ListsIn(families_.type_index), (Lists{{{258, 3, "llm.start"}, {{7, kTrace.byte()}}}}));
  EXPECT_EQ(ListsIn(families_.task_index), (Lists{{{258, 3, "task-1"}, {{7, kTrace.byte()}}}}));
  EXPECT_THAT(Rows(families_.message_index), IsEmpty());
}

TEST_F(IndexWriterTest, AMessageHasARowThatSaysWhetherHistoryShowsIt) {
  Append(kThread, {{7, kRun, OwnerNumber{2}, kMessage, "ai_message", ""},
                   {8, kRun, OwnerNumber::kNone, kHiddenMessage, "ai_message", ""}});
  const auto rows = Rows(families_.message_index);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(format::DecodeMessageKey(rows[0].first),
            (format::MessageKey{kThread, MessageVisibility::kVisible, 7}));
  EXPECT_EQ(*format::DecodeMessageEntry(rows[0].second),
            (format::MessageEntry{kRun, OwnerNumber{2}, kMessage.byte()}));
  EXPECT_EQ(format::DecodeMessageKey(rows[1].first),
            (format::MessageKey{kThread, MessageVisibility::kHidden, 8}));
  EXPECT_EQ(*format::DecodeMessageEntry(rows[1].second),
            (format::MessageEntry{kRun, OwnerNumber::kNone, kHiddenMessage.byte()}));
}

TEST_F(IndexWriterTest, AnEventWithoutATaskOrWithTooLongAnIdIsInNoTaskList) {
  const std::string longest(kIndexedTaskIdBytesMax, 'x');
  const std::string too_long(kIndexedTaskIdBytesMax + 1, 'x');
  Append(kThread, {{1, kRun, {}, kTrace, "t", ""},
                   {2, kRun, {}, kTrace, "t", longest},
                   {3, kRun, {}, kTrace, "t", too_long}});
  EXPECT_EQ(ListsIn(families_.task_index), (Lists{{{258, 3, longest}, {{2, kTrace.byte()}}}}));
  EXPECT_EQ(ListsIn(families_.run_index).begin()->second.size(), 3U);
}

TEST_F(IndexWriterTest, ListsAreSplitAtTheirLimit) {
  std::vector<IndexedEvent> events;
  for (std::uint64_t seq = 1; seq <= 2'500; ++seq) {
    events.push_back({seq, kRun, {}, kTrace, seq % 2 == 0 ? "even" : "odd", ""});
  }
  Append(kThread, events);
  EXPECT_EQ(ListsIn(families_.run_index).begin()->second.size(), 2'500U);
  EXPECT_THAT(chunk_sizes_, ElementsAre(1024, 1024, 452));
  ListsIn(families_.type_index);
  EXPECT_THAT(chunk_sizes_, ElementsAre(1024, 226, 1024, 226));
}

TEST_F(IndexWriterTest, ListsOfExactlyTheLimitStayWhole) {
  std::vector<IndexedEvent> events;
  for (std::uint64_t seq = 1; seq <= 2'048; ++seq) {
    events.push_back({seq, kRun, {}, kTrace, "t", ""});
  }
  Append(kThread, events);
  ListsIn(families_.run_index);
  EXPECT_THAT(chunk_sizes_, ElementsAre(1024, 1024));
}

TEST_F(IndexWriterTest, AnAppendCarriesNothingIntoTheNext) {
  Append(kThread, {{1, kRun, {}, kMessage, "a", "task"}});
  Append(ThreadNumber{9}, {{1, RunNumber{1}, {}, kTrace, "b", ""}});
  Append(ThreadNumber{9}, {});
  EXPECT_EQ(ListsIn(families_.type_index),
            (Lists{{{258, 3, "a"}, {{1, kMessage.byte()}}}, {{9, 1, "b"}, {{1, kTrace.byte()}}}}));
  EXPECT_EQ(ListsIn(families_.task_index).size(), 1U);
  EXPECT_EQ(Rows(families_.message_index).size(), 1U);
}

TEST_F(IndexWriterTest, AnAppendThatWasBegunAndDroppedLeavesNothing) {
  writer_.Begin(kThread);
  writer_.Add({1, kRun, {}, kMessage, "a", "task"});
  Append(kThread, {{1, kRun, {}, kTrace, "b", ""}});
  EXPECT_EQ(ListsIn(families_.type_index), (Lists{{{258, 3, "b"}, {{1, kTrace.byte()}}}}));
  EXPECT_THAT(Rows(families_.message_index), IsEmpty());
}

TEST_F(IndexWriterTest, TenThousandTasksInOneAppend) {
  std::vector<std::string> tasks;
  for (int i = 0; i < 10'000; ++i)
    tasks.push_back("task-" + std::to_string(i));
  std::vector<IndexedEvent> events;
  for (std::uint64_t i = 0; i < tasks.size(); ++i) {
    events.push_back({i + 1, kRun, {}, kTrace, "t", tasks[i]});
  }
  Append(kThread, events);
  const Lists lists = ListsIn(families_.task_index);
  EXPECT_EQ(lists.size(), tasks.size());
  EXPECT_EQ(lists.at({258, 3, "task-77"}).front().first, 78U);
}

TEST_F(IndexWriterTest, RandomAppendsLeaveTheListsOfTheirEvents) {
  constexpr std::uint64_t kSeed = 6;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  runlog::testing::SeededRandom random(kSeed);
  const std::vector<std::string> names = {"a", "ab", "b", std::string(1, '\xff'), "run.end"};
  Lists runs, types, tasks;
  std::map<std::uint64_t, std::uint64_t> mark;
  std::size_t messages = 0;
  for (int append = 0; append < 200; ++append) {
    const std::uint64_t thread = random.Between(1, 4);
    std::vector<IndexedEvent> events;
    for (std::uint64_t n = random.Between(1, 30); n > 0; --n) {
      IndexedEvent event;
      event.seq = ++mark[thread];
      event.run = RunNumber{static_cast<std::uint32_t>(random.Between(1, 3))};
      event.owner = OwnerNumber{static_cast<std::uint32_t>(random.Below(3))};
      event.event_class = EventClass(static_cast<std::uint8_t>(random.Below(256)));
      event.event_type = names[random.Below(names.size())];
      if (random.OneIn(2)) event.task_id = names[random.Below(names.size())];
      events.push_back(event);
      const std::pair<std::uint64_t, int> posting{event.seq, event.event_class.byte()};
      runs[{thread, Raw(event.run), ""}].push_back(posting);
      types[{thread, Raw(event.run), std::string(event.event_type)}].push_back(posting);
      if (!event.task_id.empty()) {
        tasks[{thread, Raw(event.run), std::string(event.task_id)}].push_back(posting);
      }
      if (event.event_class.message()) ++messages;
    }
    Append(ThreadNumber{thread}, events);
  }
  EXPECT_EQ(ListsIn(families_.run_index), runs);
  EXPECT_EQ(ListsIn(families_.type_index), types);
  EXPECT_EQ(ListsIn(families_.task_index), tasks);
  EXPECT_EQ(Rows(families_.message_index).size(), messages);
}

}  // namespace
}  // namespace runlog::index
