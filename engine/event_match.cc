#include "engine/event_match.h"

#include <algorithm>
#include <array>

#include "format/json_text.h"

namespace runlog::engine {
namespace {

bool HasTask(const EventView& event, std::string_view task_id) {
  if (event.task_id() != task_id) return false;
  if (!task_id.empty()) return true;
  // task_id() is empty for "" and for none alike; only the metadata tells which.
  std::array<format::MemberCapture, 1> captures = {{{.key = "task_id"}}};
  const Result<format::JsonScan> scan = format::ScanJson("metadata", event.metadata(), captures);
  return scan.ok() && captures.front().value.has_value();
}

}  // namespace

EventMatch::EventMatch(const ThreadSnapshot& thread, const ReadSubject& subject,
                       const EventFilter& filter)
    : hidden_(thread.hidden.get()) {
  if (subject.run_id) run_ = thread.run;
  if (subject.user_id) owner_ = thread.owner;
  if (filter.category) {
    category_ = format::CategoryCodeOf(*filter.category);
    if (*category_ == format::CategoryCode::kOther) named_category_ = *filter.category;
  }
  if (filter.types) types_ = &*filter.types;
  if (filter.task_id) task_id_ = &*filter.task_id;
}

bool EventMatch::MatchesClass(format::EventClass event_class) const {
  if (category_ && event_class.category() != *category_) return false;
  return !visible_ai_ ||
         (event_class.message() && event_class.caller() != format::CallerClass::kMiddleware);
}

bool EventMatch::MayMatch(const Candidate& candidate) const {
  if (run_ && candidate.run != *run_) return false;
  if (!MatchesClass(candidate.event_class)) return false;
  if (!candidate.owner) return true;
  if (owner_ && *candidate.owner != *owner_) return false;
  return hidden_ == nullptr || !hidden_->Hides(candidate.run, *candidate.owner, candidate.seq);
}

bool EventMatch::NeedsEvent(const Candidate& candidate) const {
  return needs_body() || (!candidate.owner && (owner_ || hidden_ != nullptr));
}

bool EventMatch::MatchesHeader(const StoredEvent& event) const {
  const format::EventHeader& header = event.header;
  if (run_ && header.run != *run_) return false;
  if (owner_ && header.owner != *owner_) return false;
  if (!MatchesClass(header.event_class)) return false;
  return hidden_ == nullptr || !hidden_->Hides(header.run, header.owner, event.seq);
}

bool EventMatch::MatchesBody(const EventView& event) const {
  if (named_category_ && event.category() != *named_category_) return false;
  if (task_id_ != nullptr && !HasTask(event, *task_id_)) return false;
  return types_ == nullptr ||
         std::find(types_->begin(), types_->end(), event.event_type()) != types_->end();
}

}  // namespace runlog::engine
