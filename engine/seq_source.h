// Where a page's seqs come from when they do not come straight from the events: a run, its types, a
// task, both, a thread's messages, or a search through a thread.

#ifndef RUNLOG_ENGINE_SEQ_SOURCE_H_
#define RUNLOG_ENGINE_SEQ_SOURCE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <runlog/status.h>

#include "engine/event_fetch.h"
#include "engine/event_match.h"
#include "engine/read_moment.h"
#include "format/numbers.h"
#include "index/posting_cursor.h"

namespace runlog::engine {

/// The stretch a source covers, in the order in which it yields.
struct SourceRange {
  index::SeqWindow window;
  index::Direction direction = index::Direction::kForward;
};

/// Yields each seq once, in order.
/// Concurrency: one caller at a time.
class SeqSource {
 public:
  virtual ~SeqSource() = default;
  /// Steps. Returns: false at the end. Errors: kCorruption, kIoError.
  virtual Result<bool> Next() = 0;
  virtual const Candidate& candidate() const = 0;
};

/// Posting lists of one run, merged; none of them twice. One list is a merge of one.
class PostingMerge {
 public:
  PostingMerge(std::vector<index::PostingCursor> cursors, index::Direction direction);

  Result<bool> Next();
  /// As PostingCursor::SeekTo.
  Result<bool> SeekTo(std::uint64_t seq);
  const index::Posting& posting() const { return lanes_[current_].cursor.posting(); }

 private:
  struct Lane {
    index::PostingCursor cursor;
    bool live = true;
  };
  Result<bool> PickNearest();

  std::vector<Lane> lanes_;
  const index::Direction direction_;
  std::size_t current_ = 0;
  bool started_ = false;
};

/// Every event of the run.
std::unique_ptr<SeqSource> RunSource(const ReadMoment& moment, format::ThreadNumber thread,
                                     format::RunNumber run, const SourceRange& range);

/// The run's events of any of `types`.
std::unique_ptr<SeqSource> TypeSource(const ReadMoment& moment, format::ThreadNumber thread,
                                      format::RunNumber run, const std::vector<std::string>& types,
                                      const SourceRange& range);

/// The run's events of a task; of a task and any of `types` where they are given.
std::unique_ptr<SeqSource> TaskSource(const ReadMoment& moment, format::ThreadNumber thread,
                                      format::RunNumber run, const std::string& task_id,
                                      const std::vector<std::string>* types,
                                      const SourceRange& range);

/// Every message of the thread.
std::unique_ptr<SeqSource> MessageSource(const ReadMoment& moment, format::ThreadNumber thread,
                                         const SourceRange& range);

/// The thread's events that match, found by reading them all, one block in memory at a time.
std::unique_ptr<SeqSource> SearchSource(const ReadMoment& moment, format::ThreadNumber thread,
                                        std::string thread_id, const EventMatch& match,
                                        const SourceRange& range);

/// Those of `source` that match. Where the index does not know, it reads ahead in batches and keeps
/// nothing of what it read.
std::unique_ptr<SeqSource> MatchingSource(const ReadMoment& moment, format::ThreadNumber thread,
                                          std::string thread_id, const EventMatch& match,
                                          std::unique_ptr<SeqSource> source,
                                          index::Direction direction);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_SEQ_SOURCE_H_
