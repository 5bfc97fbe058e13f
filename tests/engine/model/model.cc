#include "tests/engine/model/model.h"

#include <algorithm>

#include "format/event_codec.h"

namespace runlog::testing {
namespace {

/// The string behind `"key":"` in a metadata text without escapes.
std::optional<std::string> MemberOf(std::string_view metadata, const std::string& key) {
  const std::string opening = "\"" + key + "\":\"";
  const std::size_t at = metadata.find(opening);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = metadata.substr(at + opening.size());
  return std::string(rest.substr(0, rest.find('"')));
}

/// The state an event puts its run in, if it does.
std::optional<std::pair<RunState, std::string>> TransitionOf(const Draft& draft) {
  if (draft.type == "run.start" || draft.type == "run_started") {
    return std::pair(RunState::kRunning, std::string());
  }
  if (draft.type == "run_completed") return std::pair(RunState::kEnded, std::string("completed"));
  if (draft.type == "run_failed") return std::pair(RunState::kEnded, std::string("failed"));
  if (draft.type == "run_cancelled") return std::pair(RunState::kEnded, std::string("cancelled"));
  if (draft.type == "run_interrupted") {
    return std::pair(RunState::kEnded, std::string("interrupted"));
  }
  if (draft.type != "run.terminal" || draft.kind != ContentKind::kJson) return std::nullopt;
  const std::optional<std::string> status = MemberOf(draft.content, "status");
  if (!status) return std::nullopt;
  return std::pair(RunState::kEnded, *status);
}

bool Owns(const std::optional<std::string>& user, const ModelEvent& event) {
  return !user || event.draft.user == user;
}

bool Matches(const PageQuestion& question, const ModelEvent& event) {
  const EventFilter& filter = question.filter;
  if (!event.live) return false;
  if (question.run_id && event.draft.run != *question.run_id) return false;
  if (!Owns(filter.user_id, event)) return false;
  if (filter.category && event.draft.category != *filter.category) return false;
  if (filter.task_id && TaskOf(event.draft.metadata) != *filter.task_id) return false;
  return !filter.types || std::find(filter.types->begin(), filter.types->end(), event.draft.type) !=
                              filter.types->end();
}

void Count(Counts& counts, const ModelEvent& event) {
  ++counts.events;
  counts.messages += event.draft.category == "message" ? 1U : 0U;
  counts.bytes += event.bytes;
}

void Widen(std::optional<Timestamp>& first, std::optional<Timestamp>& last, Timestamp at) {
  first = first ? std::min(*first, at) : at;
  last = last ? std::max(*last, at) : at;
}

std::uint64_t NotNegative(std::int64_t number) {
  return number < 0 ? 0 : static_cast<std::uint64_t>(number);
}

}  // namespace

std::optional<std::string> TaskOf(std::string_view metadata) {
  return MemberOf(metadata, "task_id");
}

std::string CallerOf(std::string_view metadata) {
  return MemberOf(metadata, "caller").value_or("");
}

std::pair<RunState, std::string> StateOf(const ModelThread& thread, std::size_t run) {
  if (thread.runs[run].deleted) return {RunState::kDeleted, thread.runs[run].last_status};
  std::pair<RunState, std::string> state{RunState::kRunning, ""};
  for (const ModelEvent& event : thread.events) {
    if (event.run != run || !event.live) continue;
    if (const auto transition = TransitionOf(event.draft)) state = *transition;
  }
  return state;
}

std::uint64_t ModelThread::live_events() const {
  return static_cast<std::uint64_t>(std::count_if(
      events.begin(), events.end(), [](const ModelEvent& event) { return event.live; }));
}

const ModelThread* Model::Find(std::string_view thread_id) const {
  const auto found = threads_.find(thread_id);
  return found == threads_.end() ? nullptr : &found->second;
}

std::uint64_t Model::events() const {
  std::uint64_t events = 0;
  for (const auto& [thread_id, thread] : threads_)
    events += thread.live_events();
  return events;
}

std::uint64_t Model::runs() const {
  std::uint64_t runs = 0;
  for (const auto& [thread_id, thread] : threads_)
    runs += Thread(thread_id)->runs;
  return runs;
}

// --- writing -------------------------------------------------------------------------------------

/// Returns the first seq.
std::uint64_t Model::Add(const std::string& thread_id, const std::vector<Draft>& drafts,
                         Timestamp now) {
  const auto [place, is_new] = threads_.try_emplace(thread_id);
  ModelThread& thread = place->second;
  if (is_new) thread.incarnation = kNewIncarnation;
  const std::uint64_t first_seq = thread.mark() + 1;
  const std::uint64_t commit = last_commit() + 1;
  for (const Draft& draft : drafts) {
    const auto same = [&](const ModelRun& run) { return run.run_id == draft.run && !run.deleted; };
    auto run = std::find_if(thread.runs.begin(), thread.runs.end(), same);
    if (run == thread.runs.end()) run = thread.runs.insert(run, {.run_id = draft.run});
    ModelEvent event{.seq = thread.mark() + 1,
                     .commit = commit,
                     .draft = draft,
                     .run = static_cast<std::size_t>(run - thread.runs.begin())};
    if (!draft.created_at) event.draft.created_at = now;
    event.bytes =
        format::EncodeEvent(thread_id, event.draft.AsEvent(), now, {}).value().value_bytes();
    thread.events.push_back(std::move(event));
  }
  changes_.push_back({.commit = commit,
                      .kind = CommitKind::kAppend,
                      .thread_id = thread_id,
                      .incarnation = thread.incarnation,
                      .first_seq = first_seq,
                      .count = drafts.size()});
  return first_seq;
}

AppendReceipt Model::Replay(const std::string& thread_id, const Remembered& first) const {
  AppendReceipt receipt = first.receipt;
  receipt.replayed = true;
  const ModelThread* thread = Find(thread_id);
  receipt.deleted = thread == nullptr || thread->incarnation != receipt.incarnation;
  for (std::uint64_t seq = receipt.first_seq; !receipt.deleted && seq <= receipt.last_seq; ++seq) {
    receipt.deleted = !thread->events[seq - 1].live;
  }
  return receipt;
}

Answer<AppendReceipt> Model::Append(const std::string& thread_id, std::vector<Draft> drafts,
                                    const AppendOptions& options, Timestamp now) {
  const Durability level = options.durability.value_or(Durability::kBuffered);
  if (drafts.empty()) return {.value = {.durability = level}};
  const std::pair key{thread_id, std::string(options.idempotency_key)};
  if (!key.second.empty()) {
    if (const auto first = keys_.find(key); first != keys_.end()) {
      if (first->second.drafts != drafts) return {StatusCode::kConflict};
      return {.value = Replay(thread_id, first->second)};
    }
  }
  const ModelThread* thread = Find(thread_id);
  const std::uint64_t incarnation = thread == nullptr ? 0 : thread->incarnation;
  if (options.expect_incarnation && *options.expect_incarnation != incarnation) {
    return {StatusCode::kGone};
  }
  if (options.expected_seq) {
    const std::uint64_t expected = *options.expected_seq;
    const std::uint64_t mark = thread == nullptr ? 0 : thread->mark();
    const bool is_empty = thread == nullptr || thread->live_events() == 0;
    if (expected == 0 ? !is_empty : mark != expected) return {StatusCode::kConflict};
  }
  const std::uint64_t first_seq = Add(thread_id, drafts, now);
  const AppendReceipt receipt{.first_seq = first_seq,
                              .last_seq = first_seq + drafts.size() - 1,
                              .count = drafts.size(),
                              .commit = last_commit(),
                              .incarnation = Find(thread_id)->incarnation,
                              .epoch = 1,
                              .durability = level};
  if (!key.second.empty()) keys_[key] = {std::move(drafts), receipt};
  return {.value = receipt};
}

Answer<PutAnswer> Model::Put(const std::string& thread_id, const Draft& draft,
                             const PutOptions& options, Timestamp now) {
  const ModelThread* thread = Find(thread_id);
  const std::uint64_t incarnation = thread == nullptr ? 0 : thread->incarnation;
  if (options.expect_incarnation && *options.expect_incarnation != incarnation) {
    return {StatusCode::kGone};
  }
  if (thread != nullptr) {
    for (const ModelEvent& event : thread->events) {
      const bool same = event.draft.run == draft.run && event.draft.type == draft.type;
      if (event.live && same) return {.value = {.created = false, .seq = event.seq}};
    }
  }
  const std::uint64_t seq = Add(thread_id, {draft}, now);
  changes_.back().kind = CommitKind::kPutIfAbsent;
  return {.value = {.created = true, .seq = seq, .commit = last_commit()}};
}

DeleteReceipt Model::Delete(const std::string& thread_id, const std::optional<std::string>& run_id,
                            const std::optional<std::string>& user) {
  const auto found = threads_.find(thread_id);
  if (found == threads_.end()) return {};
  ModelThread& thread = found->second;
  DeleteReceipt receipt{.incarnation = thread.incarnation};
  const auto in_scope = [&](const ModelEvent& event) {
    const ModelRun& run = thread.runs[event.run];
    return Owns(user, event) && (!run_id || (run.run_id == *run_id && !run.deleted));
  };
  std::vector<std::size_t> taken_of(thread.runs.size());
  for (const ModelEvent& event : thread.events) {
    if (event.live && in_scope(event)) ++taken_of[event.run], ++receipt.deleted;
  }
  receipt.incarnation_ended = !run_id && receipt.deleted == thread.live_events();
  if (receipt.deleted == 0 && !receipt.incarnation_ended) return receipt;

  receipt.commit = last_commit() + 1;
  changes_.push_back({.commit = receipt.commit,
                      .kind = run_id ? CommitKind::kDeleteRun : CommitKind::kDeleteThread,
                      .thread_id = thread_id,
                      .incarnation = thread.incarnation,
                      .count = receipt.deleted,
                      .run_id = run_id.value_or(""),
                      .user_id = user,
                      .incarnation_ended = receipt.incarnation_ended});
  if (receipt.incarnation_ended) {
    threads_.erase(found);
    return receipt;
  }
  std::vector<std::string> status_before;
  for (std::size_t run = 0; run < thread.runs.size(); ++run)
    status_before.push_back(StateOf(thread, run).second);
  const HoleReason reason = user ? HoleReason::kOwnerErased : HoleReason::kRunDeleted;
  std::vector<std::size_t> left_of(thread.runs.size());
  for (ModelEvent& event : thread.events) {
    if (in_scope(event)) {
      event.live = false;
      event.erased_by.emplace_back(reason, receipt.commit);
    }
    if (event.live) ++left_of[event.run];
  }
  for (std::size_t run = 0; run < thread.runs.size(); ++run) {
    if (taken_of[run] == 0) continue;
    ++thread.runs[run].revision;
    if (left_of[run] > 0) continue;
    thread.runs[run].deleted = true;
    thread.runs[run].last_status = status_before[run];
  }
  return receipt;
}

Answer<AppendReceipt> Model::Resolve(const std::string& thread_id, const std::string& key) const {
  const auto first = keys_.find({thread_id, key});
  if (first == keys_.end()) return {StatusCode::kNotFound};
  return {.value = Replay(thread_id, first->second)};
}

void Model::Learn(const std::string& thread_id, std::uint64_t incarnation) {
  ModelThread& thread = threads_.find(thread_id)->second;
  if (thread.incarnation != kNewIncarnation) return;
  thread.incarnation = incarnation;
  changes_.back().incarnation = incarnation;
  for (auto& [key, remembered] : keys_) {
    if (remembered.receipt.incarnation == kNewIncarnation) {
      remembered.receipt.incarnation = incarnation;
    }
  }
}

// --- reading -------------------------------------------------------------------------------------

Answer<PageAnswer> Model::Read(const PageQuestion& question) const {
  const PageRequest& request = question.request;
  if (request.limit < 0) return {StatusCode::kInvalidArgument};
  static const ModelThread kNone;
  const ModelThread* found = Find(question.thread_id);
  const ModelThread& thread = found == nullptr ? kNone : *found;
  if (request.expect_incarnation && *request.expect_incarnation != thread.incarnation) {
    return {StatusCode::kGone};
  }
  const std::uint64_t after = NotNegative(request.after_seq.value_or(0));
  std::uint64_t before = thread.mark() + 1;
  if (request.before_seq) before = std::min(before, NotNegative(*request.before_seq));

  std::vector<const ModelEvent*> matching;
  for (const ModelEvent& event : thread.events) {
    if (event.seq > after && event.seq < before && Matches(question, event)) {
      matching.push_back(&event);
    }
  }
  const auto limit = static_cast<std::uint64_t>(request.limit);
  const bool from_the_end = !request.after_seq && (request.before_seq || question.latest_first);
  PageAnswer page{.high_water = thread.mark(),
                  .incarnation = thread.incarnation,
                  .cursor_ahead = request.after_seq && after > thread.mark()};
  page.has_more = limit > 0 && matching.size() > limit;
  if (matching.size() > limit) {
    const auto excess = static_cast<std::ptrdiff_t>(matching.size() - limit);
    if (from_the_end) {
      matching.erase(matching.begin(), matching.begin() + excess);
    } else {
      matching.resize(limit);
    }
  }
  page.events = std::move(matching);
  const std::uint64_t bound = std::max(after, before == 0 ? 0 : before - 1);
  if (limit == 0) {
    page.highest_seq_scanned = after;
  } else if (!page.events.empty() && (from_the_end || page.has_more)) {
    page.highest_seq_scanned = page.events.back()->seq;
  } else {
    page.highest_seq_scanned = bound;
  }
  return {.value = std::move(page)};
}

std::map<std::string, std::uint64_t, std::less<>> Model::LastVisibleAiSeqs(
    const std::string& thread_id, const std::vector<std::string>& run_ids,
    const std::optional<std::string>& user) const {
  std::map<std::string, std::uint64_t, std::less<>> seqs;
  const ModelThread* thread = Find(thread_id);
  if (thread == nullptr) return seqs;
  for (const ModelEvent& event : thread->events) {
    const Draft& draft = event.draft;
    const bool ai = draft.type == "llm.ai.response" || draft.type == "ai_message";
    if (!event.live || !ai || draft.category != "message" || !Owns(user, event)) continue;
    if (CallerOf(draft.metadata).starts_with("middleware:")) continue;
    if (std::find(run_ids.begin(), run_ids.end(), draft.run) == run_ids.end()) continue;
    seqs[draft.run] = event.seq;
  }
  return seqs;
}

Counts Model::Count(const std::string& thread_id, const std::optional<std::string>& user) const {
  Counts counts;
  const ModelThread* thread = Find(thread_id);
  if (thread == nullptr) return counts;
  for (const ModelEvent& event : thread->events) {
    if (event.live && Owns(user, event)) testing::Count(counts, event);
  }
  return counts;
}

std::optional<ThreadSummary> Model::Thread(const std::string& thread_id) const {
  const ModelThread* thread = Find(thread_id);
  if (thread == nullptr) return std::nullopt;
  ThreadSummary summary{.thread_id = thread_id,
                        .incarnation = thread->incarnation,
                        .last_seq = thread->mark(),
                        .live = Count(thread_id, std::nullopt)};
  for (const ModelEvent& event : thread->events) {
    if (event.live) Widen(summary.first_at, summary.last_at, *event.draft.created_at);
  }
  summary.runs = Runs(thread_id, /*include_deleted=*/false).size();
  return summary;
}

std::vector<ThreadSummary> Model::Threads(std::uint64_t after_incarnation,
                                          std::size_t limit) const {
  std::vector<ThreadSummary> summaries;
  for (const auto& [thread_id, thread] : threads_) {
    if (thread.incarnation > after_incarnation) summaries.push_back(*Thread(thread_id));
  }
  std::sort(summaries.begin(), summaries.end(),
            [](const auto& a, const auto& b) { return a.incarnation < b.incarnation; });
  if (summaries.size() > limit) summaries.resize(limit);
  return summaries;
}

std::vector<RunSummary> Model::Runs(const std::string& thread_id, bool include_deleted) const {
  std::vector<RunSummary> summaries;
  const ModelThread* thread = Find(thread_id);
  if (thread == nullptr) return summaries;
  for (std::size_t run = 0; run < thread->runs.size(); ++run) {
    const auto [state, status] = StateOf(*thread, run);
    if (state == RunState::kDeleted && !include_deleted) continue;
    RunSummary summary{.run_id = thread->runs[run].run_id,
                       .state = state,
                       .status = status,
                       .retention_revision = thread->runs[run].revision};
    for (const ModelEvent& event : thread->events) {
      if (event.run != run || !event.live) continue;
      if (summary.first_seq == 0) summary.first_seq = event.seq;
      summary.last_seq = event.seq;
      testing::Count(summary.live, event);
      Widen(summary.first_at, summary.last_at, *event.draft.created_at);
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace runlog::testing
