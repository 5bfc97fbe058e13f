// Goal: an asynchronous append is answered exactly once, by the call or by its completion and never
// by both. Method: every way for it to be refused, and the close of the store.

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/store_test.h"

namespace runlog::testing {
namespace {

class AsyncAppendTest : public StoreTest {
 protected:
  AsyncAppendTest() { Open(); }

  /// What the call says; completions go to `answers_`.
  Status Submit(std::string_view thread_id, const std::vector<Draft>& drafts,
                const AppendOptions& options = {}) {
    auto answer = std::make_shared<std::promise<Result<AppendReceipt>>>();
    answers_.push_back(answer->get_future());
    return store().AppendAsync(thread_id, AsEvents(drafts), options,
                               [this, answer](Result<AppendReceipt> receipt) {
                                 ++completions_;
                                 answer->set_value(std::move(receipt));
                               });
  }
  Result<AppendReceipt> Answer() { return answers_.back().get(); }

  std::atomic<std::size_t> completions_{0};
  std::vector<std::future<Result<AppendReceipt>>> answers_;
};

TEST_F(AsyncAppendTest, WhatIsRefusedAtOnceIsNotCompleted) {
  EXPECT_THAT(Submit("", {Draft()}), FailsWith(StatusCode::kInvalidArgument));
  EXPECT_THAT(Submit("t", {OfType("")}), FailsWith(StatusCode::kInvalidArgument));
  EXPECT_THAT(Submit("t", Times(10'001, Draft())), FailsWith(StatusCode::kTooLarge));
  Close();  // waits for what is under way
  EXPECT_EQ(completions_.load(), 0U);
  Open();
}

TEST_F(AsyncAppendTest, WhatTheCommitterRefusesComesAsCompletion) {
  ASSERT_OK(Submit("t", {Draft()}, {.idempotency_key = "k"}));
  const AppendReceipt first = Value(Answer());
  ASSERT_OK(Submit("t", {Draft()}, {.expected_seq = 7}));
  EXPECT_THAT(Answer(), FailsWith(StatusCode::kConflict));
  ASSERT_OK(Submit("t", {Draft()}, {.expect_incarnation = first.incarnation + 1}));
  EXPECT_THAT(Answer(), FailsWith(StatusCode::kGone));
  ASSERT_OK(Submit("t", {InRun("other")}, {.idempotency_key = "k"}));
  EXPECT_THAT(Answer(), FailsWith(StatusCode::kConflict));
  ASSERT_OK(Submit("t", {Draft()}, {.idempotency_key = "k"}));
  const AppendReceipt again = Value(Answer());
  EXPECT_TRUE(again.replayed);
  EXPECT_EQ(again.commit, first.commit);
  EXPECT_EQ(completions_.load(), 5U);
  EXPECT_EQ(ThreadSeqs("t"), (Seqs{1}));
}

TEST_F(AsyncAppendTest, NothingIsCompletedAsNothing) {
  ASSERT_OK(Submit("t", {}));
  const AppendReceipt receipt = Value(Answer());
  EXPECT_EQ(receipt.count, 0U);
  EXPECT_EQ(receipt.commit, 0U);
  EXPECT_FALSE(Value(reader().Thread("t")).has_value());
}

// What a completion sees is what every reader sees.
TEST_F(AsyncAppendTest, ACompletedAppendIsReadableFromItsCompletion) {
  std::promise<Seqs> seen;
  std::thread::id worker;
  const std::vector<Draft> drafts = Times(3, Draft());
  ASSERT_OK(store().AppendAsync("t", AsEvents(drafts), {}, [&](Result<AppendReceipt> receipt) {
    EXPECT_OK(receipt);
    worker = std::this_thread::get_id();
    seen.set_value(ThreadSeqs("t"));
  }));
  EXPECT_EQ(seen.get_future().get(), Range(1, 3));
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST_F(AsyncAppendTest, CloseCompletesEverything) {
  std::vector<Draft> drafts = Times(3, Draft());
  std::size_t accepted = 0;
  for (int i = 0; i < 200; ++i) {
    if (Submit("t" + std::to_string(i % 5), drafts).ok()) ++accepted;
  }
  Close();
  EXPECT_EQ(completions_.load(), accepted);
  EXPECT_EQ(accepted, 200U);
  std::uint64_t acknowledged = 0;
  for (auto& answer : answers_)
    acknowledged += answer.get().ok() ? 3U : 0U;
  EXPECT_EQ(ExpectSound(folder(), options_).events, acknowledged);
  Open();
}

}  // namespace
}  // namespace runlog::testing
