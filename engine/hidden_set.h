// Which events are deleted but not yet purged. Kept in memory for every live thread that has any;
// every read asks.

#ifndef RUNLOG_ENGINE_HIDDEN_SET_H_
#define RUNLOG_ENGINE_HIDDEN_SET_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/rocks.h"
#include "format/keys.h"
#include "format/records.h"

namespace runlog::engine {

struct HiddenRange {
  format::HiddenKey key;
  format::HiddenRow row;
};

/// The hidden ranges of one thread. Immutable once shared.
class HiddenSet {
 public:
  explicit HiddenSet(std::vector<HiddenRange> ranges);

  /// The range that hides the event, or null.
  const HiddenRange* Hiding(format::RunNumber run, format::OwnerNumber owner,
                            std::uint64_t seq) const;
  bool Hides(format::RunNumber run, format::OwnerNumber owner, std::uint64_t seq) const {
    return Hiding(run, owner, seq) != nullptr;
  }
  const std::vector<HiddenRange>& ranges() const { return ranges_; }

 private:
  std::vector<HiddenRange> ranges_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_run_and_owner_;
};

/// All threads' hidden ranges.
/// Concurrency: any worker.
class HiddenIndex {
 public:
  /// Replaces everything by what the `hidden` family says.
  Status Load(const Rocks& rocks);

  /// Null where the thread has none.
  std::shared_ptr<const HiddenSet> Of(format::ThreadNumber thread) const;

  /// Adds or replaces a range.
  void Add(const HiddenRange& range);
  /// Whether the range is here just so: not raised since.
  bool Contains(const HiddenRange& range) const;
  /// Forgets a range, its events being gone. A range that was raised since stays.
  void Remove(const HiddenRange& range);
  /// Forgets a thread: its incarnation ended.
  void Drop(format::ThreadNumber thread);

 private:
  mutable std::mutex mutex_;  // guards by_thread_
  std::unordered_map<std::uint64_t, std::shared_ptr<const HiddenSet>> by_thread_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_HIDDEN_SET_H_
