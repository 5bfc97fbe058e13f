#include "index/posting_cursor.h"

#include <algorithm>
#include <utility>

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>

#include "format/bytes.h"
#include "format/keys.h"
#include "format/records.h"

namespace runlog::index {
namespace {

// Stepping to the next chunk costs a tenth of a seek. A list of short chunks is worth a few steps
// before a seek: the seq that is wanted is mostly near.
constexpr int kStepsBeforeSeek = 4;
constexpr std::size_t kShortChunkPostings = 16;

rocksdb::Slice ToSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

bool IsEmpty(const SeqWindow& window) {
  return window.before <= window.after || window.before - window.after == 1;
}

}  // namespace

/// A RocksDB iterator within [lower, upper), and the strings its bounds point into. An empty upper
/// is no bound.
class BoundedIterator {
 public:
  BoundedIterator(const IndexSource& source, rocksdb::ColumnFamilyHandle* family, std::string lower,
                  std::string upper)
      : lower_(std::move(lower)),
        upper_(std::move(upper)),
        lower_slice_(lower_),
        upper_slice_(upper_),
        family_name_(family->GetName()) {
    rocksdb::ReadOptions options;
    options.verify_checksums = true;
    options.snapshot = source.snapshot;
    options.iterate_lower_bound = &lower_slice_;
    if (!upper_.empty()) options.iterate_upper_bound = &upper_slice_;
    iterator_.reset(source.db->NewIterator(options, family));
  }
  BoundedIterator(const BoundedIterator&) = delete;
  BoundedIterator& operator=(const BoundedIterator&) = delete;

  rocksdb::Iterator& operator*() const { return *iterator_; }
  rocksdb::Iterator* operator->() const { return iterator_.get(); }
  std::string_view key() const { return iterator_->key().ToStringView(); }
  std::string_view value() const { return iterator_->value().ToStringView(); }

  void SeekToStart(Direction direction) {
    direction == Direction::kForward ? iterator_->SeekToFirst() : iterator_->SeekToLast();
  }
  void Step(Direction direction) {
    direction == Direction::kForward ? iterator_->Next() : iterator_->Prev();
  }

  /// Why the iterator is not valid: an error, or OK at the end.
  Status status() const {
    const rocksdb::Status status = iterator_->status();
    if (status.ok()) return {};
    return Status(status.IsCorruption() ? StatusCode::kCorruption : StatusCode::kIoError,
                  "reading " + family_name_ + ": " + status.ToString());
  }
  Status Corrupt(std::string_view why) const {
    return Status(StatusCode::kCorruption, family_name_ + ": " + std::string(why) + ", key " +
                                               iterator_->key().ToString(/*hex=*/true));
  }

 private:
  const std::string lower_;
  const std::string upper_;
  const rocksdb::Slice lower_slice_;
  const rocksdb::Slice upper_slice_;
  const std::string family_name_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

// --- PostingCursor -------------------------------------------------------------------------------

PostingCursor::PostingCursor(const IndexSource& source, rocksdb::ColumnFamilyHandle* family,
                             std::string prefix, SeqWindow window, Direction direction)
    : prefix_(std::move(prefix)), window_(window), direction_(direction) {
  if (IsEmpty(window_)) {
    state_ = State::kEnded;
    return;
  }
  // Chunks cannot be bounded from above by window.before: the last seqs below it may lie in a chunk
  // whose S_last is anywhere behind it.
  chunks_ = std::make_unique<BoundedIterator>(
      source, family, format::PostingKey(prefix_, window_.after + 1), format::PrefixEnd(prefix_));
}

PostingCursor::PostingCursor(PostingCursor&&) noexcept = default;
PostingCursor& PostingCursor::operator=(PostingCursor&&) noexcept = default;
PostingCursor::~PostingCursor() = default;

Result<bool> PostingCursor::Next() {
  if (state_ == State::kUnstarted) {
    SeekChunk(StartSeq());
    return Settle(StartSeq());
  }
  if (state_ != State::kOnPosting) return Stopped();
  const bool chunk_done = forward() ? position_ + 1 == postings_.size() : position_ == 0;
  if (!chunk_done) return LandAt(forward() ? position_ + 1 : position_ - 1);
  const std::uint64_t target = forward() ? posting().seq + 1 : posting().seq - 1;
  StepChunk();
  return Settle(target);
}

Result<bool> PostingCursor::SeekTo(std::uint64_t seq) {
  if (state_ == State::kEnded || state_ == State::kFailed) return Stopped();
  if (state_ == State::kUnstarted) {
    const std::uint64_t target = AtOrBehind(seq, StartSeq()) ? seq : StartSeq();
    SeekChunk(target);
    return Settle(target);
  }
  if (AtOrBehind(posting().seq, seq)) return true;
  if (ChunkReaches(seq)) return Land(seq);
  // No later chunk holds anything between this chunk's seqs and its key.
  const bool next_chunk_has_it = forward() && chunk_last_ >= seq;
  if (next_chunk_has_it || postings_.size() <= kShortChunkPostings) {
    StepChunk();
  } else {
    SeekChunk(seq);
  }
  return Settle(seq);
}

bool PostingCursor::AtOrBehind(std::uint64_t seq, std::uint64_t target) const {
  return forward() ? seq >= target : seq <= target;
}

bool PostingCursor::OutsideWindow(std::uint64_t seq) const {
  return seq <= window_.after || seq >= window_.before;
}

std::uint64_t PostingCursor::StartSeq() const {
  return forward() ? window_.after + 1 : window_.before - 1;
}

bool PostingCursor::ChunkReaches(std::uint64_t target) const {
  return AtOrBehind(forward() ? postings_.back().seq : postings_.front().seq, target);
}

/// To the first chunk in the cursor's direction that may hold `target` or what is behind it: chunks
/// do not overlap, so that is the first one with S_last >= target, both ways.
void PostingCursor::SeekChunk(std::uint64_t target) {
  seek_key_.assign(prefix_);
  format::AppendBig64(seek_key_, target);
  rocksdb::Iterator& iterator = **chunks_;
  iterator.Seek(ToSlice(seek_key_));
  if (!forward() && !iterator.Valid() && iterator.status().ok()) iterator.SeekToLast();
}

void PostingCursor::StepChunk() {
  chunks_->Step(direction_);
}

/// Decodes the chunk under the iterator. Requires: the iterator is valid.
Status PostingCursor::LoadChunk() {
  const std::string_view key = chunks_->key();
  if (key.size() != prefix_.size() + sizeof(std::uint64_t) || !key.starts_with(prefix_)) {
    return chunks_->Corrupt("not a posting key");
  }
  const std::uint64_t last_seq = format::LoadBig64(key.data() + prefix_.size());
  const bool has_previous = !postings_.empty();
  if (has_previous && last_seq == chunk_last_) return {};  // a seek came back to the same chunk
  const std::uint64_t previous_last = chunk_last_;
  const std::uint64_t previous_first = has_previous ? postings_.front().seq : 0;
  if (Status s = DecodeChunk(chunks_->value(), last_seq, postings_); !s.ok()) {
    return chunks_->Corrupt(s.message());
  }
  const bool overlaps =
      forward() ? postings_.front().seq <= previous_last : last_seq >= previous_first;
  if (has_previous && overlaps) return chunks_->Corrupt("posting chunks overlap");
  chunk_last_ = last_seq;
  return {};
}

/// Ends up on the first posting at or behind `target`, from the chunk under the iterator on.
Result<bool> PostingCursor::Settle(std::uint64_t target) {
  int steps_left = kStepsBeforeSeek;
  while ((*chunks_)->Valid()) {
    if (Status s = LoadChunk(); !s.ok()) return Fail(std::move(s));
    if (ChunkReaches(target)) return Land(target);
    if (--steps_left == 0) {
      SeekChunk(target);
    } else {
      StepChunk();
    }
  }
  if (Status s = chunks_->status(); !s.ok()) return Fail(std::move(s));
  state_ = State::kEnded;
  return false;
}

/// Requires: ChunkReaches(target).
Result<bool> PostingCursor::Land(std::uint64_t target) {
  const auto begin = postings_.begin();
  if (forward()) {
    const auto at = std::lower_bound(
        begin, postings_.end(), target,
        [](const Posting& posting, std::uint64_t seq) { return posting.seq < seq; });
    return LandAt(static_cast<std::size_t>(at - begin));
  }
  const auto behind =
      std::upper_bound(begin, postings_.end(), target,
                       [](std::uint64_t seq, const Posting& posting) { return seq < posting.seq; });
  return LandAt(static_cast<std::size_t>(behind - begin) - 1);
}

Result<bool> PostingCursor::LandAt(std::size_t position) {
  position_ = position;
  state_ = OutsideWindow(posting().seq) ? State::kEnded : State::kOnPosting;
  return state_ == State::kOnPosting;
}

Result<bool> PostingCursor::Stopped() const {
  if (state_ == State::kFailed) return failure_;
  return false;
}

Result<bool> PostingCursor::Fail(Status failure) {
  state_ = State::kFailed;
  failure_ = std::move(failure);
  return failure_;
}

// --- MessageCursor -------------------------------------------------------------------------------

/// The messages of one visibility.
class MessageCursor::Lane {
 public:
  Lane(const IndexSource& source, rocksdb::ColumnFamilyHandle* family, format::ThreadNumber thread,
       format::MessageVisibility visibility, SeqWindow window)
      : rows_(source, family, Key(thread, visibility, window.after + 1),
              Key(thread, visibility, window.before)) {}

  /// Steps to the lane's next message.
  Status Step(Direction direction) {
    if (started_) {
      rows_.Step(direction);
    } else {
      rows_.SeekToStart(direction);
      started_ = true;
    }
    valid_ = rows_->Valid();
    return valid_ ? Load() : rows_.status();
  }
  bool valid() const { return valid_; }
  const MessagePosting& posting() const { return posting_; }
  Status Corrupt(std::string_view why) const { return rows_.Corrupt(why); }

 private:
  static std::string Key(format::ThreadNumber thread, format::MessageVisibility visibility,
                         std::uint64_t seq) {
    const format::MessageKeyBytes key = format::Encode(format::MessageKey{thread, visibility, seq});
    return {key.data(), key.size()};
  }

  Status Load() {
    const std::optional<format::MessageKey> key = format::DecodeMessageKey(rows_.key());
    if (!key) return rows_.Corrupt("not a message key");
    const Result<format::MessageEntry> entry = format::DecodeMessageEntry(rows_.value());
    if (!entry.ok()) return rows_.Corrupt(entry.status().message());
    posting_ = {key->seq, entry->run, entry->owner, format::EventClass(entry->class_byte)};
    return {};
  }

  BoundedIterator rows_;
  MessagePosting posting_;
  bool started_ = false;
  bool valid_ = false;
};

MessageCursor::MessageCursor(const IndexSource& source, rocksdb::ColumnFamilyHandle* family,
                             format::ThreadNumber thread, bool include_hidden, SeqWindow window,
                             Direction direction)
    : direction_(direction) {
  using format::MessageVisibility;
  if (IsEmpty(window)) return;
  lanes_.push_back(
      std::make_unique<Lane>(source, family, thread, MessageVisibility::kVisible, window));
  if (include_hidden) {
    lanes_.push_back(
        std::make_unique<Lane>(source, family, thread, MessageVisibility::kHidden, window));
  }
}

MessageCursor::MessageCursor(MessageCursor&&) noexcept = default;
MessageCursor& MessageCursor::operator=(MessageCursor&&) noexcept = default;
MessageCursor::~MessageCursor() = default;

const MessagePosting& MessageCursor::posting() const {
  return current_->posting();
}

Result<bool> MessageCursor::Next() {
  if (!failure_.ok()) return failure_;
  failure_ = StepLanes();
  if (!failure_.ok()) return failure_;
  return PickLane();
}

Status MessageCursor::StepLanes() {
  if (started_) return current_ == nullptr ? Status() : current_->Step(direction_);
  started_ = true;
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (Status s = lane->Step(direction_); !s.ok()) return s;
  }
  return {};
}

/// Makes the lane whose message comes next the current one.
Result<bool> MessageCursor::PickLane() {
  current_ = nullptr;
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (!lane->valid()) continue;
    if (current_ != nullptr && lane->posting().seq == current_->posting().seq) {
      failure_ = lane->Corrupt("message both visible and hidden");
      return failure_;
    }
    const bool comes_first =
        current_ == nullptr ||
        (lane->posting().seq < current_->posting().seq) == (direction_ == Direction::kForward);
    if (comes_first) current_ = lane.get();
  }
  return current_ != nullptr;
}

}  // namespace runlog::index
