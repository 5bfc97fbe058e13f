#include "tests/engine/reading_test.h"

#include <utility>

namespace runlog {

Event Sample::AsEvent() const {
  Event event;
  event.run_id = run;
  event.event_type = type;
  event.category = category;
  event.content = Content::Text(text);
  event.metadata = metadata;
  if (user) event.user_id = *user;
  return event;
}

Sample Message(std::string run, std::string type) {
  return {.run = std::move(run), .type = std::move(type), .category = "message"};
}

Sample OfTask(std::string task_id, std::string run) {
  return {.run = std::move(run), .metadata = "{\"task_id\":\"" + task_id + "\"}"};
}

ReadingTest::ReadingTest() {
  options_.durability = Durability::kBuffered;
  options_.background_purge = false;
  options_.memtable_bytes = std::uint64_t{4} << 20;
  options_.block_cache_bytes = std::uint64_t{8} << 20;
}

void ReadingTest::Open() {
  Result<std::unique_ptr<EventStore>> store = EventStore::Open(folder(), options_);
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  store_ = *std::move(store);
}

void ReadingTest::Close() {
  const Status closed = store_->Close();
  EXPECT_TRUE(closed.ok()) << closed.ToString();
  store_.reset();
}

void ReadingTest::Reopen() {
  Close();
  Open();
}

void ReadingTest::Purge() {
  const Status compacted = store_->Compact();
  EXPECT_TRUE(compacted.ok()) << compacted.ToString();
}

std::uint64_t ReadingTest::Append(const std::vector<Sample>& samples, std::string_view thread_id) {
  std::vector<Event> events;
  for (const Sample& sample : samples)
    events.push_back(sample.AsEvent());
  return Value(store_->Append(thread_id, events)).first_seq;
}

std::uint64_t ReadingTest::DeleteRun(std::string_view run_id,
                                     std::optional<std::string_view> user) {
  return Value(store_->DeleteRun("t", run_id, {.user_id = user})).deleted;
}

}  // namespace runlog
