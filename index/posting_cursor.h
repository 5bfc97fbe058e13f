// Cursors over the indexes: ascending or descending seqs within exclusive bounds.

#ifndef RUNLOG_INDEX_POSTING_CURSOR_H_
#define RUNLOG_INDEX_POSTING_CURSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/status.h>

#include "format/event_codec.h"
#include "format/numbers.h"
#include "index/posting_chunk.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Snapshot;
}  // namespace rocksdb

namespace runlog::index {

enum class Direction : std::uint8_t { kForward, kBackward };

/// Exclusive bounds of seqs: after < seq < before.
struct SeqWindow {
  std::uint64_t after = 0;
  std::uint64_t before = ~std::uint64_t{0};
};

/// What cursors read from. Borrowed; outlives them.
struct IndexSource {
  rocksdb::DB* db = nullptr;
  const rocksdb::Snapshot* snapshot = nullptr;  // may be null
};

class BoundedIterator;

/// Steps over one posting list. An error stays: every later call returns it again.
/// Concurrency: one caller at a time.
class PostingCursor {
 public:
  /// `prefix` is format::PostingPrefix(...) of the list.
  PostingCursor(const IndexSource& source, rocksdb::ColumnFamilyHandle* family, std::string prefix,
                SeqWindow window, Direction direction);
  PostingCursor(PostingCursor&&) noexcept;
  PostingCursor& operator=(PostingCursor&&) noexcept;
  ~PostingCursor();

  /// Steps to the next posting.
  /// Returns: true if posting() holds one, false at the end.
  /// Errors:  kCorruption, kIoError.
  Result<bool> Next();
  const Posting& posting() const { return postings_[position_]; }

  /// Steps to the first posting at or behind `seq` in the cursor's direction; never steps back. The
  /// posting under the cursor counts. Returns and errors as Next.
  Result<bool> SeekTo(std::uint64_t seq);

 private:
  enum class State : std::uint8_t { kUnstarted, kOnPosting, kEnded, kFailed };

  bool forward() const { return direction_ == Direction::kForward; }
  bool AtOrBehind(std::uint64_t seq, std::uint64_t target) const;
  bool OutsideWindow(std::uint64_t seq) const;
  std::uint64_t StartSeq() const;
  bool ChunkReaches(std::uint64_t target) const;
  void SeekChunk(std::uint64_t target);
  void StepChunk();
  Status LoadChunk();
  Result<bool> Settle(std::uint64_t target);
  Result<bool> Land(std::uint64_t target);
  Result<bool> LandAt(std::size_t position);
  Result<bool> Stopped() const;
  Result<bool> Fail(Status failure);

  std::unique_ptr<BoundedIterator> chunks_;
  std::string prefix_;
  std::string seek_key_;
  SeqWindow window_;
  Direction direction_;
  State state_ = State::kUnstarted;
  Status failure_;                 // of kFailed
  std::uint64_t chunk_last_ = 0;   // S_last of the chunk in postings_
  std::vector<Posting> postings_;  // a whole chunk, or nothing yet
  std::size_t position_ = 0;
};

/// One row of the message index.
struct MessagePosting {
  std::uint64_t seq = 0;
  format::RunNumber run{};
  format::OwnerNumber owner{};
  format::EventClass event_class;
};

/// Steps over a thread's messages: visible and hidden ones merged, or the visible ones alone.
class MessageCursor {
 public:
  MessageCursor(const IndexSource& source, rocksdb::ColumnFamilyHandle* family,
                format::ThreadNumber thread, bool include_hidden, SeqWindow window,
                Direction direction);
  MessageCursor(MessageCursor&&) noexcept;
  MessageCursor& operator=(MessageCursor&&) noexcept;
  ~MessageCursor();

  /// As PostingCursor::Next.
  Result<bool> Next();
  const MessagePosting& posting() const;

 private:
  class Lane;  // one K
  Status StepLanes();
  Result<bool> PickLane();

  std::vector<std::unique_ptr<Lane>> lanes_;
  Lane* current_ = nullptr;
  Direction direction_;
  bool started_ = false;
  Status failure_;
};

}  // namespace runlog::index

#endif  // RUNLOG_INDEX_POSTING_CURSOR_H_
