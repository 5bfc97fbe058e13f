// Which events a read wants, in the terms of the store: asked of an index entry, of a stored header
// and of a decoded event, each as far as it knows.

#ifndef RUNLOG_ENGINE_EVENT_MATCH_H_
#define RUNLOG_ENGINE_EVENT_MATCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/event.h>
#include <runlog/page.h>

#include "engine/event_fetch.h"
#include "engine/hidden_set.h"
#include "engine/thread_snapshot.h"
#include "format/event_codec.h"
#include "format/numbers.h"

namespace runlog::engine {

/// What an index knows of an event.
struct Candidate {
  std::uint64_t seq = 0;
  format::RunNumber run{};
  std::optional<format::OwnerNumber> owner;  // absent: the index does not know
  format::EventClass event_class;
};

/// Conditions, all of which must hold. Borrows the filter and the snapshot it was made from.
class EventMatch {
 public:
  EventMatch(const ThreadSnapshot& thread, const ReadSubject& subject, const EventFilter& filter);

  /// Leaves types, or the task, to an index that yields no others.
  void LeaveTypesToIndex() { types_ = nullptr; }
  void LeaveTaskToIndex() { task_id_ = nullptr; }
  /// Adds: no middleware's message.
  void WantVisibleAi() { visible_ai_ = true; }

  /// False where the index entry alone rules the event out.
  bool MayMatch(const Candidate& candidate) const;
  /// Whether an entry that may match leaves something to ask of the event itself.
  bool NeedsEvent(const Candidate& candidate) const;
  bool MatchesHeader(const StoredEvent& event) const;
  bool needs_body() const { return types_ != nullptr || task_id_ != nullptr || named_category_; }
  bool MatchesBody(const EventView& event) const;

 private:
  bool MatchesClass(format::EventClass event_class) const;

  const HiddenSet* hidden_;
  std::optional<format::RunNumber> run_;
  std::optional<format::OwnerNumber> owner_;
  std::optional<format::CategoryCode> category_;
  std::optional<std::string_view> named_category_;  // one without a code of its own
  const std::vector<std::string>* types_ = nullptr;
  const std::string* task_id_ = nullptr;
  bool visible_ai_ = false;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_EVENT_MATCH_H_
