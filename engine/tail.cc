#include <algorithm>
#include <shared_mutex>
#include <utility>

#include <runlog/tail.h>

#include "engine/tail_impl.h"

namespace runlog {

Tail::Tail(std::shared_ptr<engine::TailImpl> impl) : impl_(std::move(impl)) {}
Tail::Tail(Tail&&) noexcept = default;
Tail& Tail::operator=(Tail&&) noexcept = default;
Tail::~Tail() {
  if (impl_ != nullptr) impl_->Cancel();
}

Result<TailBatch> Tail::TryNext(std::size_t limit) {
  return impl_->TryNext(limit);
}
Result<TailBatch> Tail::Next(std::chrono::milliseconds timeout, std::size_t limit) {
  return impl_->Next(timeout, limit);
}
void Tail::OnReady(std::function<void()> ready) {
  impl_->OnReady(std::move(ready));
}
void Tail::Cancel() {
  impl_->Cancel();
}
std::uint64_t Tail::cursor() const {
  return impl_->cursor();
}
std::uint64_t Tail::incarnation() const {
  return impl_->incarnation();
}

namespace engine {

TailImpl::TailImpl(TailRequest request, std::shared_ptr<ReaderImpl> reader, Notifier* notifier,
                   std::shared_ptr<TailSet> set)
    : request_(std::move(request)),
      reader_impl_(std::move(reader)),
      reader_(reader_impl_),
      notifier_(notifier),
      set_(std::move(set)) {}

TailImpl::~TailImpl() {
  set_->Leave();
}

Status TailImpl::Start() {
  if (request_.until_terminal && !request_.run_id) {
    return Status(StatusCode::kInvalidArgument, "until_terminal: needs a run_id");
  }
  const std::shared_ptr<StoreCore> core = reader_impl_->core();
  if (core == nullptr) return Status(StatusCode::kClosed, "the store is closed");
  {
    const std::shared_lock standing_still(core->catching_up);
    Result<ThreadCache::Pin> pin = core->threads.Acquire(request_.thread_id);
    if (!pin.ok()) return pin.status();
    // Joined before the first read: what is committed after that read wakes the tail.
    const std::lock_guard lock((*pin)->mutex);
    (*pin)->wakers.push_back(weak_from_this());
    (*pin)->watched.store(true);
    thread_ = *std::move(pin);
  }
  const Result<std::optional<ThreadSummary>> now = reader_.Thread(request_.thread_id);
  if (!now.ok()) return now.status();
  const std::lock_guard lock(position_mutex_);
  incarnation_ = now->has_value() ? (*now)->incarnation : 0;
  cursor_ = request_.after_seq ? *request_.after_seq : (now->has_value() ? (*now)->last_seq : 0);
  if (request_.incarnation) incarnation_ = *request_.incarnation;
  return {};
}

std::uint64_t TailImpl::cursor() const {
  const std::lock_guard lock(position_mutex_);
  return cursor_;
}

std::uint64_t TailImpl::incarnation() const {
  const std::lock_guard lock(position_mutex_);
  return incarnation_;
}

Result<Page> TailImpl::ReadPage(std::size_t limit) const {
  constexpr std::uint64_t kLargest = INT64_MAX;
  const PageRequest request{
      .after_seq = static_cast<std::int64_t>(std::min(cursor(), kLargest)),
      .limit = static_cast<std::int64_t>(std::min<std::uint64_t>(limit, kLargest))};
  if (request_.run_id) {
    return reader_.RunEvents(request_.thread_id, *request_.run_id, request, request_.filter);
  }
  return reader_.ThreadEvents(request_.thread_id, request, request_.filter);
}

bool TailImpl::FollowIncarnation(const Page& page, TailBatch& batch) {
  const std::lock_guard lock(position_mutex_);
  // A cursor above the mark was made in another life of the thread, whoever did not say which.
  const bool same_life = page.incarnation() == incarnation_ && !page.cursor_ahead();
  if (same_life) return true;
  if (page.incarnation() == 0) {
    if (request_.until_terminal) End(TailEnd::kThreadDeleted, batch);
    return true;  // nothing to read until a new life begins; then the next branch tells
  }
  const bool first_life = incarnation_ == 0;
  incarnation_ = page.incarnation();
  if (first_life && cursor_ == 0) return true;
  cursor_ = 0;
  said_caught_up_ = false;
  TailItem reset{.kind = TailItemKind::kReset};
  reset.incarnation = incarnation_;
  batch.items_.push_back(reset);
  return false;
}

Result<TailBatch> TailImpl::TryNext(std::size_t limit) {
  TailBatch batch;
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return Status(StatusCode::kClosed, "the tail was cancelled");
    awake_ = false;  // before reading: a commit after this point wakes the tail again
  }
  if (end_) {
    End(*end_, batch);
    return batch;
  }
  if (limit == 0) return batch;
  Result<Page> page = ReadPage(limit);
  if (!page.ok()) return page.status();
  if (!FollowIncarnation(*page, batch)) {
    page = ReadPage(limit);
    if (!page.ok()) return page.status();
  }
  if (end_) return batch;
  if (Status s = AddItems(*std::move(page), batch); !s.ok()) return s;
  if (Status s = AddEndIfOver(batch); !s.ok()) return s;
  return batch;
}

/// The page's events and the holes between them, ascending; caught_up when it reached the end.
Status TailImpl::AddItems(Page page, TailBatch& batch) {
  const std::uint64_t from = cursor();
  const std::uint64_t to =
      page.has_more() ? page.events().back().seq() : std::max(from, page.highest_seq_scanned());
  std::vector<Hole> holes;
  if (to - from > page.size()) {
    Result<std::vector<Hole>> found = reader_.Holes(request_.thread_id, from, to + 1);
    if (!found.ok()) return found.status();
    holes = *std::move(found);
  }
  auto hole = holes.begin();
  const auto add_holes_before = [&](std::uint64_t seq) {
    for (; hole != holes.end() && hole->first_seq < seq; ++hole) {
      TailItem item{.kind = TailItemKind::kHole};
      item.hole = *hole;
      batch.items_.push_back(item);
    }
  };
  for (const EventView& event : page.events()) {
    add_holes_before(event.seq());
    TailItem item{.kind = TailItemKind::kEvent};
    item.event = event;
    batch.items_.push_back(item);
  }
  add_holes_before(to + 1);
  const bool moved = to > from;
  {
    const std::lock_guard lock(position_mutex_);
    cursor_ = to;
  }
  if (moved) said_caught_up_ = false;
  if (!page.has_more() && !said_caught_up_) {
    batch.items_.push_back(TailItem{.kind = TailItemKind::kCaughtUp});
    said_caught_up_ = true;
  }
  if (page.has_more()) Wake();  // there is more to read at once
  for (TailItem& item : batch.items_)
    item.incarnation = page.incarnation();
  batch.page_ = std::move(page);
  return {};
}

/// until_terminal: over when everything was handed out, the run has ended and the linger has
/// passed.
Status TailImpl::AddEndIfOver(TailBatch& batch) {
  if (!request_.until_terminal || !said_caught_up_) return {};
  const Result<std::vector<RunSummary>> runs = reader_.Runs(request_.thread_id);
  if (!runs.ok()) return runs.status();
  const auto run = std::find_if(runs->begin(), runs->end(), [&](const RunSummary& summary) {
    return summary.run_id == *request_.run_id;
  });
  if (run == runs->end()) {
    if (saw_run_) End(TailEnd::kRunDeleted, batch);
    return {};
  }
  saw_run_ = true;
  // Events behind the cursor may have come since the page was read: they are read first.
  if (run->state != RunState::kEnded || run->last_seq > cursor()) {
    terminal_since_.reset();
    return {};
  }
  const TimePoint now = std::chrono::steady_clock::now();
  if (!terminal_since_) terminal_since_ = now;
  if (now - *terminal_since_ >= request_.linger) {
    End(TailEnd::kTerminal, batch);
  } else {
    WakeAt(*terminal_since_ + request_.linger);
  }
  return {};
}

void TailImpl::End(TailEnd reason, TailBatch& batch) {
  end_ = reason;
  TailItem item{.kind = TailItemKind::kEnd};
  item.end = reason;
  batch.items_.push_back(item);
}

void TailImpl::WakeAt(TimePoint time) {
  if (notifier_ == nullptr) return;
  notifier_->CallAt(time, [weak = weak_from_this()] {
    if (const std::shared_ptr<Waker> tail = weak.lock()) tail->Wake();
  });
}

Result<TailBatch> TailImpl::Next(std::chrono::milliseconds timeout, std::size_t limit) {
  const TimePoint deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    Result<TailBatch> batch = TryNext(limit);
    if (!batch.ok() || !batch->empty()) return batch;
    std::unique_lock lock(mutex_);
    if (!woken_.wait_until(lock, deadline, [this] { return awake_ || cancelled_; })) return batch;
  }
}

void TailImpl::OnReady(std::function<void()> ready) {
  {
    const std::lock_guard lock(mutex_);
    if (!awake_ && !cancelled_) {
      ready_ = std::move(ready);
      return;
    }
  }
  ready();
}

void TailImpl::Wake() {
  std::function<void()> ready;
  {
    const std::lock_guard lock(mutex_);
    awake_ = true;
    std::swap(ready, ready_);
    woken_.notify_all();
  }
  if (ready) ready();
}

void TailImpl::Cancel() {
  std::function<void()> ready;
  ThreadCache::Pin thread;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    std::swap(ready, ready_);
    std::swap(thread, thread_);
    woken_.notify_all();
  }
  if (ready) ready();
}

void TailSet::Join(const std::shared_ptr<TailImpl>& tail) {
  const std::lock_guard lock(mutex_);
  // Amortised: the list is swept when it has doubled since most of it was alive.
  if (tails_.size() > 2 * count_.load() + 64) {
    std::erase_if(tails_, [](const std::weak_ptr<TailImpl>& weak) { return weak.expired(); });
  }
  tails_.push_back(tail);
  ++count_;
}

void TailSet::Leave() {
  --count_;
}

std::size_t TailSet::size() const {
  return count_.load();
}

std::vector<std::shared_ptr<TailImpl>> TailSet::Living() const {
  std::vector<std::shared_ptr<TailImpl>> living;
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<TailImpl>& weak : tails_) {
    if (std::shared_ptr<TailImpl> tail = weak.lock()) living.push_back(std::move(tail));
  }
  return living;
}

void TailSet::WakeAll() {
  for (const std::shared_ptr<TailImpl>& tail : Living())
    tail->Wake();
}

void TailSet::CancelAll() {
  for (const std::shared_ptr<TailImpl>& tail : Living())
    tail->Cancel();
}

}  // namespace engine
}  // namespace runlog
