// A store on a scratch folder, and the words tests speak to it with. A word that must succeed fails
// the test where it does not, and answers with nothing.

#ifndef RUNLOG_TESTS_SUPPORT_STORE_TEST_H_
#define RUNLOG_TESTS_SUPPORT_STORE_TEST_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <runlog/event_store.h>
#include <runlog/store_view.h>

#include "tests/support/draft.h"
#include "tests/support/fake_clock.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/status_matchers.h"

namespace runlog::testing {

template <typename T>
T Value(Result<T> result) {
  EXPECT_OK(result);
  return result.ok() ? *std::move(result) : T();
}

/// Opens the store in `folder`; null, and a failed test, where that fails.
std::unique_ptr<EventStore> OpenStore(const std::filesystem::path& folder,
                                      const StoreOptions& options);

/// Verifies the store in `folder` and fails the test for each fault.
VerifySummary ExpectSound(const std::filesystem::path& folder, const StoreOptions& options);

/// Everything that is ready of a tail, as words: "1 2 hole 3-4 5 caught_up".
std::string Drain(Tail& tail, std::size_t limit = 500);

class StoreTest : public ::testing::Test {
 protected:
  StoreTest();
  ~StoreTest() override;

  void Open();
  void Close();
  void Reopen();
  /// Closes, verifies and opens again. Returns what verify found.
  VerifySummary ReopenVerified();

  AppendReceipt Append(std::string_view thread_id, const std::vector<Draft>& drafts,
                       const AppendOptions& options = {});
  AppendReceipt Append(std::string_view thread_id, const Draft& draft,
                       const AppendOptions& options = {});
  Result<AppendReceipt> TryAppend(std::string_view thread_id, const std::vector<Draft>& drafts,
                                  const AppendOptions& options = {});
  PutResult Put(std::string_view thread_id, const Draft& draft);
  std::uint64_t DeleteRun(std::string_view thread_id, std::string_view run_id,
                          std::optional<std::string_view> user = {});
  std::uint64_t DeleteThread(std::string_view thread_id, std::optional<std::string_view> user = {});

  /// Seqs of all live events.
  Seqs ThreadSeqs(std::string_view thread_id, const EventFilter& filter = {});
  Seqs RunSeqs(std::string_view thread_id, std::string_view run_id, const EventFilter& filter = {});
  Tail OpenTail(const TailRequest& request);

  EventStore& store() { return *store_; }
  const Reader& reader() const { return store_->reader(); }
  std::filesystem::path folder() const { return scratch_.path() / "store"; }

  FakeClock clock_;
  StoreOptions options_;

 private:
  ScratchDir scratch_;
  std::unique_ptr<EventStore> store_;
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_SUPPORT_STORE_TEST_H_
