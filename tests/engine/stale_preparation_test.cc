// A command is prepared on its caller's worker and committed later. What other commands change in
// between makes what was prepared void, and the committer must notice. The tests stand between the
// two steps, with the engine's parts in hand.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/append_builder.h"
#include "engine/command_pinner.h"
#include "engine/committer.h"
#include "engine/format_file.h"
#include "engine/notifier.h"
#include "engine/replay.h"
#include "engine/store_core.h"
#include "engine/write_path.h"
#include "tests/support/draft.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/status_matchers.h"

namespace runlog::engine {
namespace {

using testing::Draft;
using testing::InRun;
using testing::OfType;
using testing::ScratchDir;

class StalePreparationTest : public ::testing::Test {
 protected:
  StalePreparationTest() {
    options_.durability = Durability::kBuffered;
    auto lock = WriterLock::Acquire(scratch_.path(), *options_.clock);
    EXPECT_OK(lock);
    auto rocks = Rocks::Open(scratch_.path(), OpenMode::kCreate, options_, *std::move(lock));
    EXPECT_OK(rocks);
    core_ = std::make_unique<StoreCore>(*std::move(rocks), options_);
    notifier_ = std::make_unique<Notifier>();
    committer_ = std::make_unique<Committer>(*core_, *notifier_, CommitterStart{});
    writes_ = std::make_unique<WritePath>(*core_, *committer_, *notifier_);
    pinner_ = std::make_unique<CommandPinner>(*core_);
  }
  ~StalePreparationTest() override {
    EXPECT_OK(committer_->Stop());
    notifier_->Stop();
  }

  void Append(const std::vector<Draft>& drafts) {
    EXPECT_OK(writes_->Append("t", testing::AsEvents(drafts), {}));
  }
  void DeleteThread() { EXPECT_OK(writes_->Delete("t", std::nullopt, {})); }

  std::shared_ptr<DeleteCommand> Prepared(std::optional<std::string> run_id,
                                          std::optional<std::string> user_id) {
    auto command = std::make_shared<DeleteCommand>();
    command->run_id = std::move(run_id);
    command->user_id = std::move(user_id);
    EXPECT_OK(pinner_->Begin("t", *command));
    EXPECT_OK(pinner_->Refresh(*command));
    return command;
  }

  /// As a caller does: prepares again when the committer says so.
  template <typename C>
  Verdict Finish(const std::shared_ptr<C>& command) {
    const Deadline deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (int attempt = 0; attempt < 5; ++attempt) {
      EXPECT_OK(committer_->Run(command, deadline));
      if (command->verdict != Verdict::kMissed) break;
      command->Reset();
      EXPECT_OK(pinner_->Refresh(*command));
    }
    return command->verdict;
  }

  std::shared_ptr<AppendCommand> PinnedPut(const Draft& draft) {
    auto command = std::make_shared<AppendCommand>();
    command->events.push_back(
        *format::EncodeEvent("t", draft.AsEvent(), options_.clock->Now(), options_.limits));
    command->durability = Durability::kBuffered;
    command->singleton = true;
    EXPECT_OK(pinner_->Begin("t", *command));
    return command;
  }

  format::OwnerRecord OwnerOf(const std::string& user_id) {
    const auto pin = core_->threads.Acquire("t");
    EXPECT_OK(pin);
    EXPECT_OK(core_->threads.EnsureOwner(**pin, user_id));
    const std::lock_guard lock((*pin)->mutex);
    return (*pin)->state.owners.find(user_id)->second.record;
  }

  const ScratchDir scratch_;
  StoreOptions options_;
  std::unique_ptr<StoreCore> core_;
  std::unique_ptr<Notifier> notifier_;
  std::unique_ptr<Committer> committer_;
  std::unique_ptr<WritePath> writes_;
  std::unique_ptr<CommandPinner> pinner_;
};

// Owner numbers begin anew with each life of a thread.
TEST_F(StalePreparationTest, OwnersOfOneLifeAreNotTakenForThoseOfTheNext) {
  Append({InRun("r").Of("alice"), InRun("r").Of("bob")});
  const auto command = Prepared("r", std::nullopt);
  DeleteThread();
  Append({InRun("r").Of("bob"), InRun("r").Of("alice"), InRun("r").Of("alice"),
          InRun("kept").Of("alice")});

  EXPECT_EQ(Finish(command), Verdict::kCommitted);
  EXPECT_EQ(command->receipt.deleted, 3U);
  EXPECT_EQ(OwnerOf("alice").events, 1U);
  EXPECT_EQ(OwnerOf("bob").events, 0U);
}

TEST_F(StalePreparationTest, ARunsStateIsNotTakenFromAnotherLife) {
  Append({OfType("run_failed").Of("bob"), OfType("step").Of("alice")});
  const auto command = Prepared(std::nullopt, "alice");
  DeleteThread();
  Append({OfType("run_completed").Of("bob"), OfType("step").Of("alice")});

  EXPECT_EQ(Finish(command), Verdict::kCommitted);
  const auto run = core_->loader.LoadRun(core_->threads.Acquire("t").value()->state.thread, "r1");
  ASSERT_OK(run);
  EXPECT_EQ(run->record.status, "completed");
}

TEST_F(StalePreparationTest, ARunsStateIsNotTakenFromEventsThatWereErasedSince) {
  Append({OfType("run.start").Of("carol"), OfType("run_completed").Of("bob"),
          OfType("run_failed").Of("alice"), OfType("step").Of("carol")});
  const auto command = Prepared(std::nullopt, "alice");
  EXPECT_OK(writes_->Delete("t", std::nullopt, {.user_id = "bob"}));

  EXPECT_EQ(Finish(command), Verdict::kCommitted);
  const auto run = core_->loader.LoadRun(core_->threads.Acquire("t").value()->state.thread, "r1");
  ASSERT_OK(run);
  EXPECT_EQ(run->record.state, format::StoredRunState::kRunning);
  EXPECT_EQ(run->record.status, "");
}

TEST_F(StalePreparationTest, APutThatWasPinnedInALongLifeGoesOnInTheNext) {
  Append(testing::Times(5, Draft()));
  const auto command = PinnedPut(OfType("once"));
  DeleteThread();
  EXPECT_OK(pinner_->Refresh(*command));

  EXPECT_EQ(Finish(command), Verdict::kCommitted);
  EXPECT_EQ(command->receipt.first_seq, 1U);
}

TEST_F(StalePreparationTest, APutSeesTheEventThatIsAssignedButNotYetWritten) {
  Append({Draft()});
  const auto put = PinnedPut(OfType("once"));
  const auto append = PinnedPut(OfType("once"));
  append->singleton = false;
  EXPECT_OK(pinner_->Refresh(*append));
  AppendBuilder builder(*core_, /*next_thread=*/1000);
  WriteGroup group;
  builder.Add(*append, /*commit=*/2, /*at_us=*/0, group);
  ASSERT_EQ(append->verdict, Verdict::kPending);

  // Finds nothing on disk.
  EXPECT_OK(pinner_->Refresh(*put));
  builder.Add(*put, /*commit=*/3, /*at_us=*/0, group);
  EXPECT_EQ(put->verdict, Verdict::kCommitted);
  EXPECT_EQ(put->found_seq, 2U);
  core_->threads.Acquire("t").value()->state.runs.find("r1")->second.pending = false;
}

}  // namespace
}  // namespace runlog::engine
