// Turns a hidden range into slices of rows to remove and gap rows to write. Reads the disk; writes
// nothing itself. ARCHITECTURE.md, "Life of a delete".

#ifndef RUNLOG_ENGINE_PURGE_PLAN_H_
#define RUNLOG_ENGINE_PURGE_PLAN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <runlog/status.h>

#include "engine/command.h"
#include "engine/hidden_set.h"
#include "engine/rocks.h"
#include "index/posting_chunk.h"

namespace runlog::engine {

/// The slices of one hidden range, one after another. Each is right by itself: a crash between two
/// leaves a good store, and a new plan of the same range goes on where this one stopped.
/// Concurrency: one caller at a time.
class PurgePlan {
 public:
  PurgePlan(const Rocks& rocks, const HiddenRange& range);

  struct Slice {
    std::vector<PurgeCommand::Change> changes;
    std::uint64_t events = 0;  // removed by it
  };

  /// The next slice, to be written before the one after it is asked for; nullopt when nothing is
  /// left but the hidden row itself. Errors: kCorruption, kIoError.
  Result<std::optional<Slice>> Next();

 private:
  enum class Step : std::uint8_t { kEvents, kIndexes, kDone };
  struct Removal {
    std::uint64_t seq = 0;
    format::RunNumber run{};
    format::EventClass event_class;
    std::string event_type;  // of owner scopes, whose lists keep other seqs
    std::string task_id;
  };
  using Lists = std::map<std::pair<format::Family, std::string>, std::vector<std::uint64_t>>;

  Result<std::optional<Slice>> NextOfRun();
  Result<std::optional<Slice>> NextOfOwner();
  Result<std::optional<Slice>> NextOfThread();
  Status CollectOwned(const std::vector<index::Posting>& postings, format::RunNumber run,
                      std::vector<Removal>& removals);
  void RemoveEvents(std::vector<Removal>& removals, Slice& slice);
  Status RemoveFromLists(const std::vector<Removal>& removals, Slice& slice) const;
  Status RemoveFromList(format::Family family, const std::string& prefix,
                        const std::vector<std::uint64_t>& seqs, Slice& slice) const;
  void AddGap(std::uint64_t first, std::uint64_t last, format::RunNumber run, Slice& slice);
  Status RemovePrefix(format::Family family, const std::string& prefix, Slice& slice) const;

  const Rocks& rocks_;
  const HiddenRange range_;
  Step step_ = Step::kEvents;
  std::string thread_id_;  // read when first needed
  std::string resume_at_;  // run_index key to go on from, of owner scopes
  std::optional<std::pair<std::uint64_t, format::GapRow>> last_gap_;  // S_last and row
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_PURGE_PLAN_H_
