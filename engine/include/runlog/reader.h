// runlog/reader.h - everything that reads a store, of the writing process or of another.

#ifndef RUNLOG_READER_H_
#define RUNLOG_READER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/event.h>
#include <runlog/export.h>
#include <runlog/listing.h>
#include <runlog/page.h>
#include <runlog/status.h>

namespace runlog {

namespace engine {
class ReaderImpl;
}

/// Pages, points, counts and listings. A thread, run or owner that does not exist, also one whose
/// id no store would accept, reads as empty, never as an error.
///
/// Errors of every call: kCorruption (stored bytes are wrong; names thread, seq and family),
/// kIoError, kClosed; with `expect_incarnation`, kGone.
/// Concurrency: any number of workers. A read never waits for a write.
class RUNLOG_EXPORT Reader {
 public:
  explicit Reader(std::shared_ptr<engine::ReaderImpl> impl);
  ~Reader();

  /// A thread's events of every run and category, first to last unless the request says otherwise.
  /// Of the filter, category `message` is a range of an index; the rest reads what it filters.
  Result<Page> ThreadEvents(std::string_view thread_id, const PageRequest& request,
                            const EventFilter& filter = {}) const;

  /// One run's events. Types, task and category are ranges of an index, whatever else the thread
  /// holds.
  Result<Page> RunEvents(std::string_view thread_id, std::string_view run_id,
                         const PageRequest& request, const EventFilter& filter = {}) const;

  /// Events of category `message` of a thread, or of one of its runs; latest first page.
  Result<Page> Messages(std::string_view thread_id, std::optional<std::string_view> run_id,
                        const PageRequest& request,
                        std::optional<std::string_view> user_id = {}) const;

  /// The event with this seq. `events()` holds one event, or none where there is no live one.
  Result<Page> EventAt(std::string_view thread_id, std::uint64_t seq) const;

  /// The last event of a type in a run, or none.
  Result<Page> LatestOfType(std::string_view thread_id, std::string_view run_id,
                            std::string_view event_type,
                            std::optional<std::string_view> user_id = {}) const;

  /// Per run the highest seq of a message of type `llm.ai.response` or `ai_message` whose caller is
  /// no middleware. Runs without one are absent. Source: DeerFlow get_last_visible_ai_seq_by_run.
  Result<std::map<std::string, std::uint64_t, std::less<>>> LastVisibleAiSeqs(
      std::string_view thread_id, std::span<const std::string> run_ids,
      std::optional<std::string_view> user_id = {}) const;

  /// Live events of a thread, of all owners or of one, without reading any.
  Result<Counts> Count(std::string_view thread_id,
                       std::optional<std::string_view> user_id = {}) const;

  /// The thread as it is now, or none.
  Result<std::optional<ThreadSummary>> Thread(std::string_view thread_id) const;

  /// Threads in the order of their creation, at most `limit`, behind `after_incarnation` (0: from
  /// the first).
  Result<std::vector<ThreadSummary>> Threads(std::uint64_t after_incarnation,
                                             std::size_t limit) const;

  /// A thread's runs in the order of their first event. Deleted ones only if asked for.
  Result<std::vector<RunSummary>> Runs(std::string_view thread_id,
                                       bool include_deleted = false) const;

  /// What is missing between two seqs, both exclusive, ascending, hidden ones included.
  Result<std::vector<Hole>> Holes(std::string_view thread_id, std::uint64_t after_seq,
                                  std::uint64_t before_seq) const;

  /// The store's commits behind `after_commit` (0: from the first), at most `limit`.
  Result<ChangePage> Changes(std::uint64_t after_commit, std::size_t limit) const;

 private:
  std::shared_ptr<engine::ReaderImpl> impl_;
};

}  // namespace runlog

#endif  // RUNLOG_READER_H_
