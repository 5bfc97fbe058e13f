// Close while calls are inside: each of them is answered, with what it asked for or with kClosed,
// and what was acknowledged is there at the next open.

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/store_test.h"
#include "tests/support/workers.h"

namespace runlog::testing {
namespace {

using std::chrono::seconds;

class CloseRaceTest : public StoreTest {};

TEST_F(CloseRaceTest, EveryCallIsAnsweredAndEveryAcknowledgedEventIsThere) {
  for (int round = 0; round < 12 && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Open();
    const std::string thread_id = "t" + std::to_string(round);
    std::atomic<std::uint64_t> acknowledged{0};
    std::atomic<std::uint64_t> submitted{0};
    std::atomic<std::uint64_t> completed{0};
    std::atomic<std::uint64_t> calls{0};
    Append(thread_id, Draft());
    Tail waiting = OpenTail({.thread_id = "nothing here"});
    Workers workers(6, [&](std::size_t worker) {
      if (worker == 5) {
        while (waiting.Next(seconds(600)).ok()) {
        }
        return;
      }
      while (true) {
        Status status;
        ++calls;
        if (worker < 2) {
          const Result<AppendReceipt> receipt = TryAppend(thread_id, Times(2, Draft()));
          status = receipt.status();
          if (receipt.ok()) acknowledged += 2;
        } else if (worker == 2) {
          ++submitted;
          status = store().AppendAsync(thread_id, AsEvents(Times(1, Draft())), {},
                                       [&](Result<AppendReceipt> receipt) {
                                         acknowledged += receipt.ok() ? 1 : 0;
                                         ++completed;
                                       });
          if (!status.ok()) --submitted;
        } else if (worker == 3) {
          status = reader().ThreadEvents(thread_id, {.limit = 10}).status();
        } else {
          status = store().DeleteRun(thread_id, "no such run").status();
        }
        if (status.ok()) continue;
        EXPECT_EQ(status.code(), StatusCode::kClosed) << status.ToString();
        return;
      }
    });
    while (calls < 200)
      std::this_thread::yield();
    EXPECT_OK(store().Close());
    EXPECT_EQ(completed.load(), submitted.load());
    workers.Join();
    EXPECT_OK(store().Close());
    Reopen();
    EXPECT_EQ(ThreadSeqs(thread_id), Range(1, acknowledged + 1));
    Close();
    ExpectSound(folder(), options_);
  }
}

TEST_F(CloseRaceTest, APageOutlivesItsStore) {
  Open();
  Append("t", Times(5, Draft()));
  Page page = Value(reader().ThreadEvents("t", {}));
  Close();
  for (const EventView& event : page.events())
    EXPECT_EQ(event.content().bytes, "text");
  // It keeps the database, and with it the lock.
  EXPECT_THAT(EventStore::Open(folder(), options_), FailsWith(StatusCode::kLocked));
  page = Page();
  Open();
}

}  // namespace
}  // namespace runlog::testing
