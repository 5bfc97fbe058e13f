#include <algorithm>

#include <gtest/gtest.h>

#include "tests/crash/ledger.h"
#include "tests/support/store_test.h"

namespace runlog::testing {
namespace {

constexpr std::int64_t kPage = 2000;

bool IsDelete(const Change& change) {
  return change.kind == CommitKind::kDeleteRun || change.kind == CommitKind::kDeleteThread;
}

}  // namespace

void Ledger::Check(EventStore& store) {
  ReadChanges(store.reader());
  CheckAcknowledged();
  CheckUnanswered();
  if (::testing::Test::HasFailure()) return;  // what follows builds on these
  PlanThreads();
  seen_.clear();
  EXPECT_EQ(Value(store.reader().Threads(0, 1000)).size(), threads_.size());
  for (const auto& [thread_id, plan] : threads_)
    CheckThread(store.reader(), thread_id, plan);
  CheckFound();
}

void Ledger::ReadChanges(const Reader& reader) {
  changes_.clear();
  for (bool more = true; more;) {
    ChangePage page = Value(reader.Changes(changes_.size(), 1000));
    for (Change& change : page.changes) {
      EXPECT_EQ(change.commit, changes_.size() + 1);
      changes_.push_back(std::move(change));
    }
    more = page.has_more;
  }
}

void Ledger::CheckAcknowledged() const {
  for (const auto& [commit, report] : acknowledged_) {
    ASSERT_LE(commit, changes_.size()) << "an acknowledged commit is gone";
    const Change& change = changes_[commit - 1];
    SCOPED_TRACE("commit " + std::to_string(commit) + " seed " + std::to_string(report.seed));
    EXPECT_EQ(change.count, report.count);
    EXPECT_EQ(change.first_seq, report.first_seq);
    EXPECT_EQ(IsDelete(change), report.kind == ReportKind::kDeleted);
    EXPECT_EQ(change.kind == CommitKind::kPutIfAbsent, report.kind == ReportKind::kPut);
  }
}

void Ledger::CheckUnanswered() {
  std::size_t unanswered = 0;
  for (std::size_t i = changes_checked_; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    if (!acknowledged_.contains(change.commit)) ++unanswered;
    if (IsDelete(change)) {
      EXPECT_EQ(change.kind, CommitKind::kDeleteRun);
      EXPECT_TRUE(announced_deletes_.contains({change.thread_id, change.run_id}))
          << "nobody asked for commit " << change.commit;
    }
  }
  EXPECT_LE(unanswered, kCrashWorkers) << "more than the workers can have had under way";
  unanswered_found_ += unanswered;
  changes_checked_ = changes_.size();
}

void Ledger::PlanThreads() {
  threads_.clear();
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    ThreadPlan& plan = threads_[change.thread_id];
    if (IsDelete(change)) {
      plan.deletes.push_back(i);
      plan.deleted += change.count;
      continue;
    }
    EXPECT_EQ(change.first_seq, plan.commit_of_seq.size() + 1)
        << "commit " << change.commit << " of " << change.thread_id << " leaves a gap";
    plan.commit_of_seq.insert(plan.commit_of_seq.end(), change.count, i);
  }
}

void Ledger::CheckThread(const Reader& reader, const std::string& thread_id,
                         const ThreadPlan& plan) {
  SCOPED_TRACE(thread_id);
  const std::uint64_t mark = plan.commit_of_seq.size();
  const auto summary = Value(reader.Thread(thread_id));
  ASSERT_TRUE(summary.has_value());
  EXPECT_EQ(summary->last_seq, mark);
  EXPECT_EQ(summary->live.events, mark - plan.deleted);

  Seqs missing;
  std::uint64_t next = 1;
  for (bool more = true; more;) {
    const Page page = Value(reader.ThreadEvents(
        thread_id, {.after_seq = static_cast<std::int64_t>(next - 1), .limit = kPage}));
    for (const EventView& event : page.events()) {
      ASSERT_LE(event.seq(), mark);
      for (; next < event.seq(); ++next)
        missing.push_back(next);
      CheckEvent(thread_id, event, changes_[plan.commit_of_seq[event.seq() - 1]]);
      EXPECT_FALSE(WasDeleted(plan, std::string(event.run_id()), event.commit()))
          << "seq " << event.seq() << " of a deleted run";
      if (::testing::Test::HasFailure()) return;
      next = event.seq() + 1;
    }
    more = page.has_more();
  }
  for (; next <= mark; ++next)
    missing.push_back(next);
  EXPECT_EQ(missing.size(), plan.deleted);
  for (const std::uint64_t seq : missing)
    CheckMissing(plan, seq, changes_[plan.commit_of_seq[seq - 1]]);
  CheckHoles(reader, thread_id, missing);
}

/// Byte for byte what its action makes of it, acknowledged or not.
void Ledger::CheckEvent(const std::string& thread_id, const EventView& event,
                        const Change& change) {
  const Origin origin = OriginOf(event);
  SCOPED_TRACE("seq " + std::to_string(event.seq()) + " seed " + std::to_string(origin.seed));
  ASSERT_TRUE(announced_.contains(origin.seed));
  const Action& action = ActionFor(origin.seed);
  EXPECT_EQ(action.thread_id, thread_id);
  ASSERT_EQ(action.drafts.size(), change.count) << "half a batch";
  ASSERT_LT(origin.index, action.drafts.size());
  EXPECT_EQ(event.seq(), change.first_seq + origin.index);
  EXPECT_EQ(event.commit(), change.commit);
  EXPECT_EQ(Differences(event, thread_id, action.drafts[origin.index]), "");
  EXPECT_EQ(SeedOf(change.commit).value_or(origin.seed), origin.seed);
  EXPECT_EQ(commit_of_seed_.emplace(origin.seed, change.commit).first->second, change.commit)
      << "the same batch twice";
  seen_[{thread_id, event.seq()}] = origin;
}

bool Ledger::WasDeleted(const ThreadPlan& plan, const std::string& run,
                        std::uint64_t commit) const {
  return std::any_of(plan.deletes.begin(), plan.deletes.end(), [&](std::size_t i) {
    return changes_[i].run_id == run && changes_[i].commit > commit;
  });
}

void Ledger::CheckMissing(const ThreadPlan& plan, std::uint64_t seq, const Change& change) {
  // What nobody acknowledged may have been in any run.
  if (const std::optional<std::uint64_t> seed = SeedOf(change.commit)) {
    const std::string run = ActionFor(*seed).drafts[seq - change.first_seq].run;
    EXPECT_TRUE(WasDeleted(plan, run, change.commit))
        << "acknowledged event " << seq << " of seed " << *seed << " is gone";
  } else {
    EXPECT_TRUE(!plan.deletes.empty() && changes_[plan.deletes.back()].commit > change.commit)
        << "event " << seq << " of a commit is gone";
  }
}

void Ledger::CheckHoles(const Reader& reader, const std::string& thread_id,
                        const Seqs& missing) const {
  Seqs holes;
  for (const Hole& hole : Value(reader.Holes(thread_id, 0, kSeqMax))) {
    const Seqs seqs = Range(hole.first_seq, hole.last_seq);
    holes.insert(holes.end(), seqs.begin(), seqs.end());
  }
  EXPECT_EQ(holes, missing);
}

/// A put that met an event names one that is there, unless its run was deleted since.
void Ledger::CheckFound() {
  for (const Report& report : found_) {
    const Action& action = ActionFor(report.seed);
    const auto event = seen_.find({action.thread_id, report.first_seq});
    if (event != seen_.end()) {
      EXPECT_EQ(event->second, report.found) << "put of seed " << report.seed;
    } else {
      EXPECT_TRUE(announced_deletes_.contains({action.thread_id, action.drafts.front().run}))
          << "put of seed " << report.seed;
    }
  }
}

}  // namespace runlog::testing
