// A store on a scratch folder, and words to fill and read it with.

#ifndef RUNLOG_TESTS_ENGINE_READING_TEST_H_
#define RUNLOG_TESTS_ENGINE_READING_TEST_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <runlog/event_store.h>
#include <runlog/store_view.h>

#include "tests/support/draft.h"
#include "tests/support/scratch_dir.h"

namespace runlog {

/// One event, owning its bytes, with defaults that do not matter to most tests.
struct Sample {
  std::string run = "r1";
  std::string type = "run.step";
  std::string category = "trace";
  std::string text = "text";
  std::string metadata = "{}";
  std::optional<std::string> user;

  Event AsEvent() const;
};

Sample Message(std::string run = "r1", std::string type = "llm.human.input");
Sample OfTask(std::string task_id, std::string run = "r1");

using testing::Range;
using testing::Seqs;
using testing::SeqsOf;

/// Fails the test where there is no value.
template <typename T>
T Value(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.status().ToString();
  return result.ok() ? *std::move(result) : T();
}

class ReadingTest : public ::testing::Test {
 protected:
  ReadingTest();

  /// Deleted events stay hidden on disk until the test says Purge.
  void Open();
  void Close();
  void Reopen();
  void Purge();

  /// Appends one append. Returns the first seq.
  std::uint64_t Append(const std::vector<Sample>& samples, std::string_view thread_id = "t");
  std::uint64_t DeleteRun(std::string_view run_id, std::optional<std::string_view> user = {});

  const Reader& reader() const { return store_->reader(); }
  EventStore& store() { return *store_; }
  const std::filesystem::path& folder() const { return scratch_.path(); }
  StoreOptions options_;

 private:
  const testing::ScratchDir scratch_;
  std::unique_ptr<EventStore> store_;
};

}  // namespace runlog

#endif  // RUNLOG_TESTS_ENGINE_READING_TEST_H_
