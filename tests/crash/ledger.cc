#include "tests/crash/ledger.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/store_test.h"

namespace runlog::testing {

void Ledger::Add(const std::vector<Report>& reports) {
  found_.clear();
  keyed_.clear();
  for (const Report& report : reports) {
    if (report.kind != ReportKind::kIntent) {
      EXPECT_TRUE(announced_.contains(report.seed));
      AddAcknowledged(report);
      continue;
    }
    announced_.insert(report.seed);
    const Action& action = ActionFor(report.seed);
    if (!action.key.empty()) keyed_.push_back(report.seed);
    if (action.kind == ActionKind::kDeleteRun) {
      announced_deletes_.emplace(action.thread_id, action.run);
    }
  }
}

void Ledger::AddAcknowledged(const Report& report) {
  if (report.commit == 0) {
    if (report.kind == ReportKind::kPut) found_.push_back(report);
    return;
  }
  const auto [known, is_new] = acknowledged_.emplace(report.commit, report);
  // Only a keyed append is answered twice, the second time with the same receipt.
  EXPECT_EQ(report.replayed, !is_new) << "commit " << report.commit;
  EXPECT_EQ(known->second.seed, report.seed) << "commit " << report.commit;
  EXPECT_EQ(known->second.first_seq, report.first_seq) << "commit " << report.commit;
  EXPECT_EQ(known->second.count, report.count) << "commit " << report.commit;
  if (report.kind == ReportKind::kAppended) answers_[report.seed] = report.commit;
}

const Action& Ledger::ActionFor(std::uint64_t seed) {
  if (cached_.seed == seed && !cached_.thread_id.empty()) return cached_;
  const auto one_more = one_more_.find(seed);
  cached_ = one_more == one_more_.end() ? ActionOf(seed) : OneMore(seed, one_more->second);
  return cached_;
}

std::optional<std::uint64_t> Ledger::SeedOf(std::uint64_t commit) const {
  const auto found = acknowledged_.find(commit);
  if (found == acknowledged_.end()) return std::nullopt;
  return found->second.seed;
}

void Ledger::RetryKeyed(EventStore& store, std::size_t limit) {
  std::stable_partition(keyed_.begin(), keyed_.end(),
                        [&](std::uint64_t seed) { return !answers_.contains(seed); });
  keyed_.resize(std::min(keyed_.size(), limit));
  for (const std::uint64_t seed : keyed_) {
    const Action action = ActionOf(seed);
    const Result<AppendReceipt> receipt =
        store.Append(action.thread_id, AsEvents(action.drafts), {.idempotency_key = action.key});
    ASSERT_OK(receipt);
    const auto seen = commit_of_seed_.find(seed);
    const auto answer = answers_.find(seed);
    if (answer != answers_.end()) {
      EXPECT_EQ(receipt->commit, answer->second) << "seed " << seed;
      EXPECT_TRUE(receipt->replayed) << "seed " << seed;
      continue;
    }
    if (seen != commit_of_seed_.end()) {
      EXPECT_EQ(receipt->commit, seen->second) << "seed " << seed;
    }
    acknowledged_[receipt->commit] = {.kind = ReportKind::kAppended,
                                      .seed = seed,
                                      .first_seq = receipt->first_seq,
                                      .count = receipt->count,
                                      .commit = receipt->commit};
    answers_[seed] = receipt->commit;
  }
}

void Ledger::AppendToEach(EventStore& store, std::uint64_t seed) {
  for (const ThreadSummary& thread : Value(store.reader().Threads(0, 1000))) {
    const Action action = OneMore(++seed, thread.thread_id);
    const Result<AppendReceipt> receipt =
        store.Append(action.thread_id, AsEvents(action.drafts), {});
    ASSERT_OK(receipt);
    EXPECT_EQ(receipt->first_seq, thread.last_seq + 1) << thread.thread_id;
    one_more_[action.seed] = thread.thread_id;
    announced_.insert(action.seed);
    acknowledged_[receipt->commit] = {.kind = ReportKind::kAppended,
                                      .seed = action.seed,
                                      .first_seq = receipt->first_seq,
                                      .count = 1,
                                      .commit = receipt->commit};
  }
}

}  // namespace runlog::testing
