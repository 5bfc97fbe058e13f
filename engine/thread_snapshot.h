// What one read knows of its thread: numbers, how far it may see, what is hidden, and the moment of
// the database that goes with them. ARCHITECTURE.md, "Life of a page", step 1.

#ifndef RUNLOG_ENGINE_THREAD_SNAPSHOT_H_
#define RUNLOG_ENGINE_THREAD_SNAPSHOT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <runlog/status.h>

#include "engine/hidden_set.h"
#include "engine/read_moment.h"
#include "engine/store_core.h"
#include "format/numbers.h"
#include "format/records.h"

namespace runlog::engine {

/// Whose events a read is about.
struct ReadSubject {
  std::string_view thread_id;
  std::optional<std::string_view> run_id;
  std::optional<std::string_view> user_id;
};

/// Immutable once taken. Movable; one worker.
struct ThreadSnapshot {
  format::ThreadNumber thread{};  // kNone: the thread does not exist
  format::ThreadRecord record;    // record.mark bounds everything
  format::RunNumber run{};        // kNone: not asked for, or not there
  format::Figures run_figures;    // live events of the run, of the owner alone if one was asked for
  std::uint64_t run_events = 0;   // live events of the run under all owners
  format::OwnerNumber owner{};    // kNone: not asked for, or not there
  format::OwnerRecord owner_record;
  bool holds_nothing = true;  // no event can be what the subject asks for
  std::shared_ptr<const HiddenSet> hidden;
  std::unique_ptr<ReadMoment> moment;  // null where holds_nothing

  /// Errors: kCorruption, kIoError. What does not exist, and an id no store would accept, is no
  /// error.
  static Result<ThreadSnapshot> Take(StoreCore& core, const ReadSubject& subject);

 private:
  bool ResolveLocked(const ThreadState& state, const ReadSubject& subject);
};

/// Live events of a run under all its owners.
format::Figures TotalOf(const format::RunRecord& record);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_THREAD_SNAPSHOT_H_
