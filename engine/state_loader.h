// Reads a thread's records from disk into entries. Runs on callers' workers, never on the
// committer.

#ifndef RUNLOG_ENGINE_STATE_LOADER_H_
#define RUNLOG_ENGINE_STATE_LOADER_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include <runlog/status.h>

#include "engine/hidden_set.h"
#include "engine/rocks.h"
#include "engine/thread_entry.h"

namespace runlog::engine {

class StateLoader {
 public:
  StateLoader(const Rocks& rocks, const HiddenIndex& hidden) : rocks_(rocks), hidden_(hidden) {}

  /// Errors of all: kCorruption (names the family), kIoError.
  Status LoadThread(std::string_view thread_id, ThreadState& state) const;
  Result<RunEntry> LoadRun(format::ThreadNumber thread, std::string_view run_id) const;
  Result<OwnerEntry> LoadOwner(format::ThreadNumber thread, std::string_view user_id) const;
  /// Every run of the thread that is not deleted.
  Status LoadRuns(format::ThreadNumber thread, StringMap<RunEntry>& runs) const;
  Result<std::optional<format::IdempotencyRecord>> LoadIdempotency(std::string_view thread_id,
                                                                   std::string_view key) const;
  /// The lowest live seq of the run's events of a type; 0 where there is none.
  Result<std::uint64_t> FirstOfType(format::ThreadNumber thread, format::RunNumber run,
                                    std::string_view event_type) const;
  /// The run's state by its last live starting or ending event up to `last_seq`, not counting those
  /// of `without`: what remains when that owner's events are deleted.
  Result<format::StateDelta> LastTransition(format::ThreadNumber thread, format::RunNumber run,
                                            format::OwnerNumber without,
                                            std::uint64_t last_seq) const;
  /// The records as they are on disk: written back, so perhaps older than `commits`.
  Result<format::ThreadRecord> RecordOf(format::ThreadNumber thread) const {
    return RecordOf(rocks_, thread);
  }
  static Result<format::ThreadRecord> RecordOf(const Rocks& rocks, format::ThreadNumber thread);
  Result<format::RunRecord> RecordOf(format::ThreadNumber thread, format::RunNumber run) const;
  Result<std::string> OwnerName(format::ThreadNumber thread, format::OwnerNumber owner) const;

 private:
  const Rocks& rocks_;
  const HiddenIndex& hidden_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_STATE_LOADER_H_
