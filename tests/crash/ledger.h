// What a store must hold after a kill, told from the reports of its writers, and the comparison.
//
// An acknowledged commit is in the change feed under its number, with its seqs. One that is not
// acknowledged may be there, but whole, announced, and at most one for each worker of a kill.

#ifndef RUNLOG_TESTS_CRASH_LEDGER_H_
#define RUNLOG_TESTS_CRASH_LEDGER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <runlog/event_store.h>

#include "tests/crash/report.h"

namespace runlog::testing {

/// Of one store folder, through all its kills.
class Ledger {
 public:
  /// The reports of one writer that was killed.
  void Add(const std::vector<Report>& reports);

  /// Compares everything the store holds with everything that was reported.
  void Check(EventStore& store);

  /// Sends keyed appends of the last kill again, those without an answer first: each is there
  /// once, whether or not it was.
  void RetryKeyed(EventStore& store, std::size_t limit);

  /// Appends one event to each thread; it gets the seq behind the mark.
  void AppendToEach(EventStore& store, std::uint64_t seed);

  std::uint64_t acknowledged() const { return acknowledged_.size(); }
  std::uint64_t unanswered_found() const { return unanswered_found_; }

 private:
  /// What the change feed says of a thread: for each seq from 1 on the place of its commit in
  /// changes_, and its deletes.
  struct ThreadPlan {
    std::vector<std::size_t> commit_of_seq;
    std::vector<std::size_t> deletes;
    std::uint64_t deleted = 0;
  };

  void AddAcknowledged(const Report& report);
  void ReadChanges(const Reader& reader);
  void CheckAcknowledged() const;
  void CheckUnanswered();
  void PlanThreads();
  void CheckThread(const Reader& reader, const std::string& thread_id, const ThreadPlan& plan);
  void CheckEvent(const std::string& thread_id, const EventView& event, const Change& change);
  void CheckMissing(const ThreadPlan& plan, std::uint64_t seq, const Change& change);
  void CheckHoles(const Reader& reader, const std::string& thread_id, const Seqs& missing) const;
  void CheckFound();
  bool WasDeleted(const ThreadPlan& plan, const std::string& run, std::uint64_t commit) const;
  const Action& ActionFor(std::uint64_t seed);
  /// The acknowledged action behind a commit, or none.
  std::optional<std::uint64_t> SeedOf(std::uint64_t commit) const;

  std::set<std::uint64_t> announced_;                                // seeds
  std::set<std::pair<std::string, std::string>> announced_deletes_;  // thread, run
  std::map<std::uint64_t, Report> acknowledged_;                     // by commit
  std::vector<Report> found_;                       // puts that met an event, since the last Check
  std::vector<std::uint64_t> keyed_;                // announced since the last RetryKeyed
  std::map<std::uint64_t, std::uint64_t> answers_;  // seed of a keyed append: its commit

  std::vector<Change> changes_;
  std::size_t changes_checked_ = 0;
  std::map<std::string, ThreadPlan> threads_;
  std::map<std::uint64_t, std::uint64_t> commit_of_seed_;         // seen in the store
  std::map<std::pair<std::string, std::uint64_t>, Origin> seen_;  // live events of the last Check
  std::uint64_t unanswered_found_ = 0;
  std::map<std::uint64_t, std::string> one_more_;  // threads of AppendToEach's, by seed
  Action cached_;
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_CRASH_LEDGER_H_
