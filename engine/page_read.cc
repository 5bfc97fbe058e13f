#include "engine/page_read.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <runlog/limits.h>

#include "engine/counters.h"
#include "engine/event_fetch.h"
#include "engine/event_match.h"
#include "engine/page_builder.h"
#include "engine/seq_source.h"

namespace runlog::engine {
namespace {

using index::Direction;

/// A run is scanned, not looked up, where at least one in so many of its span's events is its own.
constexpr std::uint64_t kDenseSpanPerEventMax = 4;
/// A scan gives up for the index after this many strange events, and so many more for each that
/// matched.
constexpr std::uint64_t kStrangeEventsFree = 64;
constexpr std::uint64_t kStrangeEventsPerMatch = 8;
constexpr std::uint64_t kFetchBatchMax = 1024;

/// A request's cursors and limit, clipped to the seqs that exist.
struct PageWindow {
  index::SeqWindow seqs;
  Direction direction = Direction::kForward;
  std::uint64_t limit = 0;
  std::uint64_t bound = 0;  // highest seq in the window, or the cursor where it lies ahead

  bool empty() const { return limit == 0 || seqs.before <= seqs.after + 1; }
};

std::uint64_t NotNegative(std::int64_t number) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0));
}

PageWindow WindowOf(const PageRequest& request, std::uint64_t mark, Direction without_cursor) {
  PageWindow window;
  window.seqs = {NotNegative(request.after_seq.value_or(0)), mark + 1};
  if (request.before_seq) {
    window.seqs.before = std::min(window.seqs.before, NotNegative(*request.before_seq));
  }
  if (request.after_seq) {
    window.direction = Direction::kForward;
  } else {
    window.direction = request.before_seq ? Direction::kBackward : without_cursor;
  }
  window.limit = NotNegative(request.limit);
  const std::uint64_t last = window.seqs.before == 0 ? 0 : window.seqs.before - 1;
  window.bound = std::max(window.seqs.after, last);
  return window;
}

bool Close(std::uint64_t events, const format::Figures& span) {
  return events * kDenseSpanPerEventMax >= span.last_seq - span.first_seq + 1;
}

class PageRead {
 public:
  PageRead(StoreCore& core, const PageQuery& query, ThreadSnapshot thread);

  Result<Page> Run();

 private:
  enum class Route : std::uint8_t { kScan, kRunIndex, kTypeIndex, kTaskIndex, kMessageIndex };

  bool MatchesNothing() const;
  Route RouteOfRun() const;
  Route RouteOfRunMessages() const;
  std::unique_ptr<SeqSource> SourceOf(Route route, const SourceRange& range);
  Status Fill();
  Status Scan();
  Status Follow(SeqSource& source);
  Result<bool> Take(const StoredEvent& event);
  bool full() const { return builder_.size() >= window_.limit; }
  Page Finish(bool looked);

  const PageQuery& query_;
  const EventFilter& filter_;
  const ThreadSnapshot thread_;
  const bool of_run_;
  PageWindow window_;
  EventMatch match_;
  PageBuilder builder_;
  EventPins pins_;
};

PageRead::PageRead(StoreCore& core, const PageQuery& query, ThreadSnapshot thread)
    : query_(query),
      filter_(query.filter),
      thread_(std::move(thread)),
      of_run_(query.subject.run_id.has_value()),
      window_(WindowOf(query.request, thread_.record.mark, query.without_cursor)),
      match_(thread_, query.subject, query.filter),
      builder_(thread_, core.epoch.load(std::memory_order_relaxed)) {
  pins_.rocks = core.rocks;
}

Result<Page> PageRead::Run() {
  const auto& expected = query_.request.expect_incarnation;
  if (expected && *expected != format::Raw(thread_.thread)) {
    return Status(StatusCode::kGone,
                  fmt::format("thread \"{}\" is in incarnation {}, not in {}",
                              query_.subject.thread_id, format::Raw(thread_.thread), *expected));
  }
  const auto& after = query_.request.after_seq;
  builder_.SetCursorAhead(after && NotNegative(*after) > thread_.record.mark);
  if (window_.limit == 0) return Finish(/*looked=*/false);
  if (!MatchesNothing()) {
    if (Status s = Fill(); !s.ok()) return s;
  }
  return Finish(/*looked=*/true);
}

Page PageRead::Finish(bool looked) {
  std::uint64_t scanned = looked ? window_.bound : window_.seqs.after;
  if (window_.direction == Direction::kBackward) {
    if (builder_.size() > 0) scanned = builder_.first_seq();
  } else if (builder_.has_more()) {
    scanned = builder_.last_seq();
  }
  return builder_.Finish(std::move(pins_), window_.direction, scanned);
}

/// What the figures and the request already rule out.
bool PageRead::MatchesNothing() const {
  if (thread_.holds_nothing || window_.empty() || thread_.record.events == 0) return true;
  if (filter_.types && filter_.types->empty()) return true;
  const bool messages = filter_.category && *filter_.category == "message";
  return messages && (of_run_ ? thread_.run_figures.messages : thread_.record.messages) == 0;
}

Status PageRead::Fill() {
  const bool messages = filter_.category && *filter_.category == "message";
  Route route = messages ? Route::kMessageIndex : Route::kScan;
  if (of_run_) {
    // Nothing of the run lies outside its bounds.
    window_.seqs.after = std::max(window_.seqs.after, thread_.run_figures.first_seq - 1);
    window_.seqs.before = std::min(window_.seqs.before, thread_.run_figures.last_seq + 1);
    if (window_.empty()) return {};
    route = RouteOfRun();
  }
  if (route == Route::kScan) return Scan();
  const std::unique_ptr<SeqSource> source = SourceOf(route, {window_.seqs, window_.direction});
  return Follow(*source);
}

PageRead::Route PageRead::RouteOfRun() const {
  const bool indexed_task = filter_.task_id && !filter_.task_id->empty() &&
                            filter_.task_id->size() <= kIndexedTaskIdBytesMax;
  if (indexed_task) return Route::kTaskIndex;
  if (filter_.types) return Route::kTypeIndex;
  if (filter_.category) {
    return *filter_.category == "message" ? RouteOfRunMessages() : Route::kRunIndex;
  }
  return Close(thread_.run_figures.events, thread_.run_figures) ? Route::kScan : Route::kRunIndex;
}

/// The index in which fewer entries are passed for each message of the run.
PageRead::Route PageRead::RouteOfRunMessages() const {
  if (Close(thread_.run_figures.messages, thread_.run_figures)) return Route::kScan;
  return thread_.record.messages <= thread_.run_events ? Route::kMessageIndex : Route::kRunIndex;
}

std::unique_ptr<SeqSource> PageRead::SourceOf(Route route, const SourceRange& range) {
  const ReadMoment& moment = *thread_.moment;
  const format::ThreadNumber thread = thread_.thread;
  std::string thread_id(query_.subject.thread_id);
  std::unique_ptr<SeqSource> source;
  switch (route) {
    case Route::kScan:
      return SearchSource(moment, thread, std::move(thread_id), match_, range);
    case Route::kRunIndex:
      source = RunSource(moment, thread, thread_.run, range);
      break;
    case Route::kTypeIndex:
      source = TypeSource(moment, thread, thread_.run, *filter_.types, range);
      match_.LeaveTypesToIndex();
      break;
    case Route::kTaskIndex:
      source = TaskSource(moment, thread, thread_.run, *filter_.task_id,
                          filter_.types ? &*filter_.types : nullptr, range);
      match_.LeaveTypesToIndex();
      match_.LeaveTaskToIndex();
      break;
    case Route::kMessageIndex:
      source = MessageSource(moment, thread, range);
      break;
  }
  return MatchingSource(moment, thread, std::move(thread_id), match_, std::move(source),
                        range.direction);
}

/// Reads events as they lie while most of them match, then leaves the rest to a source.
Status PageRead::Scan() {
  pins_.scans.push_back(std::make_unique<EventScan>(*thread_.moment, thread_.thread, window_.seqs,
                                                    window_.direction, Keeping::kAll));
  EventScan& scan = *pins_.scans.back();
  std::uint64_t strange = 0;
  while (!builder_.has_more()) {
    const Result<bool> more = scan.Next();
    if (!more.ok()) return more.status();
    if (!*more) return {};
    const Result<bool> taken = Take(scan.event());
    if (!taken.ok()) return taken.status();
    if (*taken || ++strange <= kStrangeEventsFree + kStrangeEventsPerMatch * builder_.size()) {
      continue;
    }
    SourceRange rest{window_.seqs, window_.direction};
    (window_.direction == Direction::kForward ? rest.window.after : rest.window.before) =
        scan.event().seq;
    const std::unique_ptr<SeqSource> source =
        SourceOf(of_run_ ? Route::kRunIndex : Route::kScan, rest);
    return Follow(*source);
  }
  return {};
}

/// Adds the event if it matches, or notes that there is more than the page holds. Returns whether
/// it matched.
Result<bool> PageRead::Take(const StoredEvent& event) {
  if (!match_.MatchesHeader(event)) return false;
  if (full() && !match_.needs_body()) {
    builder_.SetHasMore(true);
    return true;
  }
  Result<EventView> view = EventDecoder::Decode(
      event.value, format::EventKey{thread_.thread, event.seq}, query_.subject.thread_id);
  if (!view.ok()) return view.status();
  if (match_.needs_body() && !match_.MatchesBody(*view)) return false;
  if (full()) {
    builder_.SetHasMore(true);
  } else {
    builder_.Append(*view);
  }
  return true;
}

/// Reads the events that `source` names; each of them matches.
Status PageRead::Follow(SeqSource& source) {
  const bool forward = window_.direction == Direction::kForward;
  std::vector<std::uint64_t> seqs;
  while (true) {
    seqs.clear();
    const std::uint64_t wanted =
        full() ? 1 : std::min(kFetchBatchMax, window_.limit - builder_.size());
    while (seqs.size() < wanted) {
      const Result<bool> more = source.Next();
      if (!more.ok()) return more.status();
      if (!*more) break;
      seqs.push_back(source.candidate().seq);
    }
    if (seqs.empty()) return {};
    if (full()) {
      builder_.SetHasMore(true);
      return {};
    }
    if (!forward) std::reverse(seqs.begin(), seqs.end());
    const Result<std::vector<StoredEvent>> events =
        FetchEvents(*thread_.moment, thread_.thread, seqs, pins_);
    if (!events.ok()) return events.status();
    for (std::size_t i = 0; i < events->size(); ++i) {
      const StoredEvent& event = (*events)[forward ? i : events->size() - 1 - i];
      Result<EventView> view = EventDecoder::Decode(
          event.value, format::EventKey{thread_.thread, event.seq}, query_.subject.thread_id);
      if (!view.ok()) return view.status();
      builder_.Append(*view);
    }
  }
}

}  // namespace

Result<Page> ReadPage(StoreCore& core, const PageQuery& query) {
  if (query.request.limit < 0) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("limit: {} is negative", query.request.limit));
  }
  const LatencyTimer timer(core.counters.page_latency);
  Result<ThreadSnapshot> thread = ThreadSnapshot::Take(core, query.subject);
  if (!thread.ok()) return thread.status();
  Result<Page> page = PageRead(core, query, *std::move(thread)).Run();
  if (page.ok()) {
    Bump(core.counters.pages);
    Bump(core.counters.pages_events, page->size());
  }
  return page;
}

}  // namespace runlog::engine
