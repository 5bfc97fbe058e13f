// The sources that read events to find out which match. They hold one block or batch at a time, so
// that a search through millions of events does not pin them.

#include <algorithm>
#include <utility>

#include "engine/seq_source.h"

namespace runlog::engine {
namespace {

constexpr std::size_t kBatchMin = 16;  // a caller often wants one
constexpr std::size_t kBatchMax = 1024;

/// Whether `event`, whose hashes are checked only if its body decides, is one of those wanted.
Result<bool> Matches(const EventMatch& match, const StoredEvent& event, format::ThreadNumber thread,
                     std::string_view thread_id) {
  if (!match.MatchesHeader(event)) return false;
  if (!match.needs_body()) return true;
  const Result<EventView> view =
      EventDecoder::Decode(event.value, format::EventKey{thread, event.seq}, thread_id);
  if (!view.ok()) return view.status();
  return match.MatchesBody(*view);
}

class Search : public SeqSource {
 public:
  Search(const ReadMoment& moment, format::ThreadNumber thread, std::string thread_id,
         const EventMatch& match, const SourceRange& range)
      : thread_(thread),
        thread_id_(std::move(thread_id)),
        match_(match),
        scan_(moment, thread, range.window, range.direction, Keeping::kOne) {}

  Result<bool> Next() override {
    while (true) {
      Result<bool> more = scan_.Next();
      if (!more.ok() || !*more) return more;
      const StoredEvent& event = scan_.event();
      const Result<bool> matches = Matches(match_, event, thread_, thread_id_);
      if (!matches.ok()) return matches;
      if (!*matches) continue;
      candidate_ = {event.seq, event.header.run, event.header.owner, event.header.event_class};
      return true;
    }
  }
  const Candidate& candidate() const override { return candidate_; }

 private:
  const format::ThreadNumber thread_;
  const std::string thread_id_;
  const EventMatch match_;
  EventScan scan_;
  Candidate candidate_;
};

class Matching : public SeqSource {
 public:
  Matching(const ReadMoment& moment, format::ThreadNumber thread, std::string thread_id,
           const EventMatch& match, std::unique_ptr<SeqSource> source, index::Direction direction)
      : moment_(moment),
        thread_(thread),
        thread_id_(std::move(thread_id)),
        match_(match),
        source_(std::move(source)),
        direction_(direction) {}

  Result<bool> Next() override {
    ++position_;
    while (position_ >= batch_.size()) {
      if (ended_) return false;
      if (Status s = ReadBatch(); !s.ok()) return s;
    }
    return true;
  }
  const Candidate& candidate() const override { return batch_[position_]; }

 private:
  Status ReadBatch() {
    batch_.clear();
    position_ = 0;
    bool reads_events = false;
    while (batch_.size() < batch_size_) {
      const Result<bool> more = source_->Next();
      if (!more.ok()) return more.status();
      ended_ = !*more;
      if (ended_) break;
      if (!match_.MayMatch(source_->candidate())) continue;
      batch_.push_back(source_->candidate());
      reads_events = match_.NeedsEvent(batch_.back());
      if (!reads_events) return {};  // nothing to gain from reading ahead
    }
    batch_size_ = std::min(2 * batch_size_, kBatchMax);
    return reads_events ? AskEvents() : Status();
  }

  Status AskEvents() {
    std::vector<std::uint64_t> seqs;
    seqs.reserve(batch_.size());
    for (const Candidate& candidate : batch_)
      seqs.push_back(candidate.seq);
    const bool forward = direction_ == index::Direction::kForward;
    if (!forward) std::reverse(seqs.begin(), seqs.end());
    EventPins pins;
    const Result<std::vector<StoredEvent>> events = FetchEvents(moment_, thread_, seqs, pins);
    if (!events.ok()) return events.status();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      const StoredEvent& event = (*events)[forward ? i : batch_.size() - 1 - i];
      const Result<bool> matches = Matches(match_, event, thread_, thread_id_);
      if (!matches.ok()) return matches.status();
      if (*matches) batch_[kept++] = batch_[i];
    }
    batch_.resize(kept);
    return {};
  }

  const ReadMoment& moment_;
  const format::ThreadNumber thread_;
  const std::string thread_id_;
  const EventMatch match_;
  const std::unique_ptr<SeqSource> source_;
  const index::Direction direction_;
  std::vector<Candidate> batch_;
  std::size_t position_ = 0;
  std::size_t batch_size_ = kBatchMin;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<SeqSource> SearchSource(const ReadMoment& moment, format::ThreadNumber thread,
                                        std::string thread_id, const EventMatch& match,
                                        const SourceRange& range) {
  return std::make_unique<Search>(moment, thread, std::move(thread_id), match, range);
}

std::unique_ptr<SeqSource> MatchingSource(const ReadMoment& moment, format::ThreadNumber thread,
                                          std::string thread_id, const EventMatch& match,
                                          std::unique_ptr<SeqSource> source,
                                          index::Direction direction) {
  return std::make_unique<Matching>(moment, thread, std::move(thread_id), match, std::move(source),
                                    direction);
}

}  // namespace runlog::engine
