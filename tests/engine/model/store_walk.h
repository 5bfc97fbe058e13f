// Random operations on a store and on the model at once. After each, what the two answer is the
// same, or the test has failed.

#ifndef RUNLOG_TESTS_ENGINE_MODEL_STORE_WALK_H_
#define RUNLOG_TESTS_ENGINE_MODEL_STORE_WALK_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <runlog/event_store.h>

#include "tests/engine/model/draft_source.h"
#include "tests/engine/model/model.h"
#include "tests/engine/model/model_tail.h"
#include "tests/support/fake_clock.h"
#include "tests/support/seeded_random.h"

namespace runlog::testing {

class StoreWalk {
 public:
  /// Caches, purging and how many threads there are depend on the seed.
  StoreWalk(std::filesystem::path folder, std::uint64_t seed);
  ~StoreWalk();

  /// Stops at the first difference.
  void Run(std::uint64_t steps);

 private:
  void Open();
  void Step();
  void MoveClock();
  std::string ThreadId();
  /// Mostly the thread's own incarnation, now and then another.
  std::optional<std::uint64_t> SomeIncarnation(const std::string& thread_id);

  // Writing: walk_writes.cc.
  void Append();
  void AppendWithKey();
  void AppendConditionally();
  void AppendInvalid();
  void AppendNothing();
  void Check(const Result<AppendReceipt>& got, const Answer<AppendReceipt>& wanted,
             const std::string& thread_id);
  Result<AppendReceipt> AppendToStore(const std::string& thread_id,
                                      const std::vector<Draft>& drafts,
                                      const AppendOptions& options);
  void AppendToBoth(const std::string& thread_id, const std::vector<Draft>& drafts,
                    AppendOptions options);
  void Put();
  void DeleteRun();
  void DeleteThread();
  void Resolve();

  // Reading: walk_reads.cc.
  PageRequest SomeRequest(const std::string& thread_id);
  std::int64_t SomeSeq(const std::string& thread_id);
  void ReadThread();
  void ReadRun();
  void ReadMessages();
  void ReadOne();
  void ReadLatest();
  void ReadVisibleAi();
  void ReadCounts();
  void ReadSummaries();
  void ReadHoles();
  void ReadChanges();

  // Tails and the store's life: store_walk.cc.
  void OpenTail();
  void ReadTail();
  void DropTail();
  void Compact();
  void Reopen();
  void CheckClosedTails();

  struct OpenedTail {
    Tail tail;
    ModelTail model;
  };

  const std::filesystem::path folder_;
  SeededRandom random_;
  DraftSource drafts_;
  FakeClock clock_;
  StoreOptions options_;
  bool many_threads_ = false;
  std::unique_ptr<EventStore> store_;
  Model model_;
  std::vector<OpenedTail> tails_;
  std::vector<std::pair<std::string, std::string>> used_keys_;  // thread_id, key
  std::vector<std::vector<Draft>> used_drafts_;                 // beside used_keys_
  std::uint64_t highest_incarnation_ = 0;
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_ENGINE_MODEL_STORE_WALK_H_
