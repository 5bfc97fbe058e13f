// The store, said again without any cleverness: a map of threads, a list of events in each. What
// the engine answers is compared with what this answers, field by field.

#ifndef RUNLOG_TESTS_ENGINE_MODEL_MODEL_H_
#define RUNLOG_TESTS_ENGINE_MODEL_MODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <runlog/event_store.h>

#include "tests/support/draft.h"

namespace runlog::testing {

/// An event the store has assigned a seq to. Deleted ones stay, as what is missing.
struct ModelEvent {
  std::uint64_t seq = 0;
  std::uint64_t commit = 0;
  Draft draft;  ///< With created_at filled in.
  std::uint64_t bytes = 0;
  std::size_t run = 0;  ///< Which of ModelThread::runs.
  bool live = true;
  /// Every delete whose scope it lies in: a hole may name any of them.
  std::vector<std::pair<HoleReason, std::uint64_t>> erased_by;
};

struct ModelRun {
  std::string run_id;
  bool deleted = false;
  std::string last_status;  ///< Of a deleted run: what it was.
  std::uint64_t revision = 0;
};

struct ModelThread {
  std::uint64_t incarnation = 0;
  std::vector<ModelEvent> events;  ///< Of seqs 1, 2, ...: the mark is the size.
  std::vector<ModelRun> runs;      ///< In the order of their first event.

  std::uint64_t mark() const { return events.size(); }
  std::uint64_t live_events() const;
};

/// What a call must answer.
template <typename T>
struct Answer {
  StatusCode code = StatusCode::kOk;
  T value{};
};

struct PageAnswer {
  std::vector<const ModelEvent*> events;
  bool has_more = false;
  std::uint64_t highest_seq_scanned = 0;
  std::uint64_t high_water = 0;
  std::uint64_t incarnation = 0;
  bool cursor_ahead = false;
};

struct PutAnswer {
  bool created = false;
  std::uint64_t seq = 0;
  std::uint64_t commit = 0;
};

/// What a page is asked for.
struct PageQuestion {
  std::string thread_id;
  std::optional<std::string> run_id;
  PageRequest request;
  EventFilter filter;
  bool latest_first = false;  ///< Without a cursor the page is the last one.
};

class Model {
 public:
  /// Incarnations are the store's to choose: an answer that begins one says this, and Learn tells
  /// what it was.
  static constexpr std::uint64_t kNewIncarnation = ~std::uint64_t{0};

  Answer<AppendReceipt> Append(const std::string& thread_id, std::vector<Draft> drafts,
                               const AppendOptions& options, Timestamp now);
  Answer<PutAnswer> Put(const std::string& thread_id, const Draft& draft, const PutOptions& options,
                        Timestamp now);
  DeleteReceipt Delete(const std::string& thread_id, const std::optional<std::string>& run_id,
                       const std::optional<std::string>& user);
  Answer<AppendReceipt> Resolve(const std::string& thread_id, const std::string& key) const;
  void Learn(const std::string& thread_id, std::uint64_t incarnation);

  Answer<PageAnswer> Read(const PageQuestion& question) const;
  std::map<std::string, std::uint64_t, std::less<>> LastVisibleAiSeqs(
      const std::string& thread_id, const std::vector<std::string>& run_ids,
      const std::optional<std::string>& user) const;
  Counts Count(const std::string& thread_id, const std::optional<std::string>& user) const;
  std::optional<ThreadSummary> Thread(const std::string& thread_id) const;
  std::vector<ThreadSummary> Threads(std::uint64_t after_incarnation, std::size_t limit) const;
  std::vector<RunSummary> Runs(const std::string& thread_id, bool include_deleted) const;
  const std::vector<Change>& changes() const { return changes_; }

  /// Null where the thread does not exist.
  const ModelThread* Find(std::string_view thread_id) const;
  const std::map<std::string, ModelThread, std::less<>>& threads() const { return threads_; }
  std::uint64_t events() const;
  std::uint64_t runs() const;
  std::uint64_t last_commit() const { return changes_.size(); }

 private:
  struct Remembered {
    std::vector<Draft> drafts;
    AppendReceipt receipt;
  };
  std::uint64_t Add(const std::string& thread_id, const std::vector<Draft>& drafts, Timestamp now);
  AppendReceipt Replay(const std::string& thread_id, const Remembered& first) const;

  std::map<std::string, ModelThread, std::less<>> threads_;
  std::map<std::pair<std::string, std::string>, Remembered> keys_;
  std::vector<Change> changes_;  ///< Commit N is the Nth.
};

/// metadata.task_id and metadata.caller of the metadata texts that tests draw from.
std::optional<std::string> TaskOf(std::string_view metadata);
std::string CallerOf(std::string_view metadata);

/// What a run's last live transition makes of it: state and status.
std::pair<RunState, std::string> StateOf(const ModelThread& thread, std::size_t run);

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_ENGINE_MODEL_MODEL_H_
