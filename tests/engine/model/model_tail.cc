#include "tests/engine/model/model_tail.h"

#include <algorithm>
#include <utility>

namespace runlog::testing {

ModelTail::ModelTail(const Model& model, TailRequest request) : request_(std::move(request)) {
  const ModelThread* thread = model.Find(request_.thread_id);
  const std::uint64_t mark = thread == nullptr ? 0 : thread->mark();
  cursor_ = request_.after_seq.value_or(mark);
  incarnation_ = request_.incarnation.value_or(thread == nullptr ? 0 : thread->incarnation);
}

TailAnswer ModelTail::Next(const Model& model, std::size_t limit) {
  TailAnswer answer;
  if (end_) {
    answer.end = end_;
    return answer;
  }
  if (limit == 0) return answer;
  const ModelThread* thread = model.Find(request_.thread_id);
  const std::uint64_t incarnation = thread == nullptr ? 0 : thread->incarnation;
  const std::uint64_t mark = thread == nullptr ? 0 : thread->mark();
  if (incarnation != incarnation_ || cursor_ > mark) {
    if (thread == nullptr) {
      if (request_.until_terminal) {
        end_ = answer.end = TailEnd::kThreadDeleted;
        return answer;
      }
    } else {
      // A tail that waited at the start of a thread that was not there yet has nothing to forget.
      answer.reset = incarnation_ != 0 || cursor_ != 0;
      incarnation_ = incarnation;
      cursor_ = 0;
      if (answer.reset) said_caught_up_ = false;
    }
  }
  const PageAnswer page = model
                              .Read({.thread_id = request_.thread_id,
                                     .run_id = request_.run_id,
                                     .request = {.after_seq = static_cast<std::int64_t>(cursor_),
                                                 .limit = static_cast<std::int64_t>(limit)},
                                     .filter = request_.filter})
                              .value;
  answer.incarnation = incarnation;
  answer.events = page.events;
  answer.holes_after = cursor_;
  const std::uint64_t to = page.has_more ? page.events.back()->seq : std::max(cursor_, mark);
  answer.holes_before = to + 1;
  if (to > cursor_) said_caught_up_ = false;
  cursor_ = to;
  answer.caught_up = !page.has_more && !said_caught_up_;
  said_caught_up_ = said_caught_up_ || answer.caught_up;
  AddEnd(model, answer);
  return answer;
}

/// until_terminal without a linger: over as soon as everything was handed out and the run has
/// ended.
void ModelTail::AddEnd(const Model& model, TailAnswer& answer) {
  if (!request_.until_terminal || !said_caught_up_) return;
  const std::vector<RunSummary> runs = model.Runs(request_.thread_id, /*include_deleted=*/false);
  const auto run = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& summary) {
    return summary.run_id == *request_.run_id;
  });
  if (run != runs.end()) {
    saw_run_ = true;
    if (run->state == RunState::kEnded) end_ = TailEnd::kTerminal;
  } else if (saw_run_) {
    end_ = TailEnd::kRunDeleted;
  }
  answer.end = end_;
}

}  // namespace runlog::testing
