#include "engine/seq_source.h"

#include <algorithm>
#include <utility>

#include <runlog/limits.h>

#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;
using index::Direction;

/// Whether `a` comes before `b` in the order of reading.
bool Before(Direction direction, std::uint64_t a, std::uint64_t b) {
  return direction == Direction::kForward ? a < b : a > b;
}

/// No event has a longer type: code points of up to four bytes.
constexpr std::size_t kEventTypeBytesMax = 4 * kEventTypeCharactersMax;

index::PostingCursor CursorOf(const ReadMoment& moment, Family family, std::string prefix,
                              const SourceRange& range) {
  return index::PostingCursor(moment.index(), moment.rocks()->family(family), std::move(prefix),
                              range.window, range.direction);
}

PostingMerge MergeOfTypes(const ReadMoment& moment, format::ThreadNumber thread,
                          format::RunNumber run, std::vector<std::string> types,
                          const SourceRange& range) {
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  std::vector<index::PostingCursor> cursors;
  for (const std::string& type : types) {
    if (type.size() > kEventTypeBytesMax) continue;
    cursors.push_back(
        CursorOf(moment, Family::kTypeIndex, format::PostingPrefix(thread, run, type), range));
  }
  return PostingMerge(std::move(cursors), range.direction);
}

/// Postings of one run as candidates; nothing is known of their owners.
class MergeSource : public SeqSource {
 public:
  MergeSource(format::RunNumber run, PostingMerge merge) : merge_(std::move(merge)) {
    candidate_.run = run;
  }

  Result<bool> Next() override {
    Result<bool> more = merge_.Next();
    if (more.ok() && *more) {
      candidate_.seq = merge_.posting().seq;
      candidate_.event_class = merge_.posting().event_class;
    }
    return more;
  }
  const Candidate& candidate() const override { return candidate_; }

 private:
  PostingMerge merge_;
  Candidate candidate_;
};

/// What two merges have in common: each leaps to where the other stands.
class IntersectionSource : public SeqSource {
 public:
  IntersectionSource(format::RunNumber run, PostingMerge left, PostingMerge right)
      : left_(std::move(left)), right_(std::move(right)) {
    candidate_.run = run;
  }

  Result<bool> Next() override {
    Result<bool> more = left_.Next();
    while (more.ok() && *more) {
      const std::uint64_t wanted = left_.posting().seq;
      more = right_.SeekTo(wanted);
      if (!more.ok() || !*more) return more;
      if (right_.posting().seq == wanted) {
        candidate_.seq = wanted;
        candidate_.event_class = left_.posting().event_class;
        return true;
      }
      more = left_.SeekTo(right_.posting().seq);
    }
    return more;
  }
  const Candidate& candidate() const override { return candidate_; }

 private:
  PostingMerge left_;
  PostingMerge right_;
  Candidate candidate_;
};

class ThreadMessages : public SeqSource {
 public:
  explicit ThreadMessages(index::MessageCursor cursor) : cursor_(std::move(cursor)) {}

  Result<bool> Next() override {
    Result<bool> more = cursor_.Next();
    if (more.ok() && *more) {
      const index::MessagePosting& posting = cursor_.posting();
      candidate_ = {posting.seq, posting.run, posting.owner, posting.event_class};
    }
    return more;
  }
  const Candidate& candidate() const override { return candidate_; }

 private:
  index::MessageCursor cursor_;
  Candidate candidate_;
};

}  // namespace

PostingMerge::PostingMerge(std::vector<index::PostingCursor> cursors, Direction direction)
    : direction_(direction) {
  lanes_.reserve(cursors.size());
  for (index::PostingCursor& cursor : cursors)
    lanes_.push_back({std::move(cursor)});
}

Result<bool> PostingMerge::PickNearest() {
  bool found = false;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!lanes_[i].live) continue;
    if (!found ||
        Before(direction_, lanes_[i].cursor.posting().seq, lanes_[current_].cursor.posting().seq)) {
      current_ = i;
    }
    found = true;
  }
  return found;
}

Result<bool> PostingMerge::Next() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    if (!lane.live || (started_ && i != current_)) continue;
    const Result<bool> more = lane.cursor.Next();
    if (!more.ok()) return more;
    lane.live = *more;
  }
  started_ = true;
  return PickNearest();
}

Result<bool> PostingMerge::SeekTo(std::uint64_t seq) {
  for (Lane& lane : lanes_) {
    if (!lane.live) continue;
    const Result<bool> more = lane.cursor.SeekTo(seq);
    if (!more.ok()) return more;
    lane.live = *more;
  }
  started_ = true;
  return PickNearest();
}

std::unique_ptr<SeqSource> RunSource(const ReadMoment& moment, format::ThreadNumber thread,
                                     format::RunNumber run, const SourceRange& range) {
  std::vector<index::PostingCursor> cursors;
  cursors.push_back(CursorOf(moment, Family::kRunIndex, format::PostingPrefix(thread, run), range));
  return std::make_unique<MergeSource>(run, PostingMerge(std::move(cursors), range.direction));
}

std::unique_ptr<SeqSource> TypeSource(const ReadMoment& moment, format::ThreadNumber thread,
                                      format::RunNumber run, const std::vector<std::string>& types,
                                      const SourceRange& range) {
  return std::make_unique<MergeSource>(run, MergeOfTypes(moment, thread, run, types, range));
}

std::unique_ptr<SeqSource> TaskSource(const ReadMoment& moment, format::ThreadNumber thread,
                                      format::RunNumber run, const std::string& task_id,
                                      const std::vector<std::string>* types,
                                      const SourceRange& range) {
  std::vector<index::PostingCursor> cursors;
  cursors.push_back(
      CursorOf(moment, Family::kTaskIndex, format::PostingPrefix(thread, run, task_id), range));
  PostingMerge task(std::move(cursors), range.direction);
  if (types == nullptr) return std::make_unique<MergeSource>(run, std::move(task));
  return std::make_unique<IntersectionSource>(run, std::move(task),
                                              MergeOfTypes(moment, thread, run, *types, range));
}

std::unique_ptr<SeqSource> MessageSource(const ReadMoment& moment, format::ThreadNumber thread,
                                         const SourceRange& range) {
  return std::make_unique<ThreadMessages>(
      index::MessageCursor(moment.index(), moment.rocks()->family(Family::kMessageIndex), thread,
                           /*include_hidden=*/true, range.window, range.direction));
}

}  // namespace runlog::engine
