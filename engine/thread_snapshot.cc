#include "engine/thread_snapshot.h"

#include <mutex>
#include <utility>

#include "format/event_codec.h"

namespace runlog::engine {
namespace {

using format::OwnerNumber;
using format::RunNumber;
using format::ThreadNumber;

bool Acceptable(std::string_view id) {
  return format::CheckId("id", id).ok();
}

bool Acceptable(const std::optional<std::string_view>& id) {
  return !id || Acceptable(*id);
}

format::Figures FiguresOf(const format::RunRecord& record, OwnerNumber owner) {
  for (const format::OwnerSlice& slice : record.slices) {
    if (slice.owner == owner) return slice.figures;
  }
  return {};
}

/// Whether the thread and what is hidden in it are still those of `taken`. A delete that came
/// between them and the moment may already be half purged in it.
bool StillCurrent(StoreCore& core, ThreadEntry& entry, const ThreadSnapshot& taken) {
  {
    const std::lock_guard lock(entry.mutex);
    if (entry.state.thread != taken.thread) return false;
  }
  return core.hidden.Of(taken.thread) == taken.hidden;
}

}  // namespace

format::Figures TotalOf(const format::RunRecord& record) {
  format::Figures total;
  for (const format::OwnerSlice& slice : record.slices)
    total.Add(slice.figures);
  return total;
}

/// Copies what the read needs. False where the run or owner has left the cache meanwhile.
bool ThreadSnapshot::ResolveLocked(const ThreadState& state, const ReadSubject& subject) {
  thread = state.thread;
  record = state.record;
  holds_nothing = thread == ThreadNumber::kNone;
  if (holds_nothing) return true;
  if (subject.user_id) {
    const auto found = state.owners.find(*subject.user_id);
    if (found == state.owners.end()) return false;
    owner_record = found->second.record;
    owner = owner_record.owner;
    holds_nothing = owner == OwnerNumber::kNone;
  }
  if (subject.run_id) {
    const auto found = state.runs.find(*subject.run_id);
    if (found == state.runs.end()) return false;
    run = found->second.run;
    const format::RunRecord& run_record = found->second.record;
    const format::Figures total = TotalOf(run_record);
    run_figures = subject.user_id ? FiguresOf(run_record, owner) : total;
    run_events = total.events;
    holds_nothing = holds_nothing || run == RunNumber::kNone || run_figures.events == 0;
  }
  return true;
}

Result<ThreadSnapshot> ThreadSnapshot::Take(StoreCore& core, const ReadSubject& subject) {
  ThreadSnapshot taken;
  if (!Acceptable(subject.thread_id)) return taken;
  taken.moment = std::make_unique<ReadMoment>(core);
  Result<ThreadCache::Pin> pin = core.threads.Acquire(subject.thread_id);
  if (!pin.ok()) return pin.status();
  ThreadEntry& entry = **pin;
  const bool acceptable = Acceptable(subject.run_id) && Acceptable(subject.user_id);
  const ReadSubject known = acceptable ? subject : ReadSubject{.thread_id = subject.thread_id};
  while (true) {
    if (known.run_id) {
      if (Status s = core.threads.EnsureRun(entry, *known.run_id); !s.ok()) return s;
    }
    if (known.user_id) {
      if (Status s = core.threads.EnsureOwner(entry, *known.user_id); !s.ok()) return s;
    }
    bool resolved = false;
    {
      const std::lock_guard lock(entry.mutex);
      resolved = taken.ResolveLocked(entry.state, known);
    }
    if (!resolved) continue;
    if (!acceptable) taken.holds_nothing = true;
    if (taken.holds_nothing) {
      taken.moment.reset();
      return taken;
    }
    taken.hidden = core.hidden.Of(taken.thread);
    taken.moment->Pin();
    if (StillCurrent(core, entry, taken)) return taken;
  }
}

}  // namespace runlog::engine
