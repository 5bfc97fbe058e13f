#include "tests/engine/model/store_walk.h"

#include <gtest/gtest.h>

#include "tests/engine/model/compare.h"
#include "tests/support/store_test.h"

namespace runlog::testing {
namespace {

constexpr std::size_t kTailsMax = 12;

}  // namespace

StoreWalk::StoreWalk(std::filesystem::path folder, std::uint64_t seed)
    : folder_(std::move(folder)), random_(seed), drafts_(random_) {
  options_.durability = Durability::kBuffered;
  options_.clock = &clock_;
  options_.memtable_bytes = std::uint64_t{8} << 20;
  options_.block_cache_bytes = std::uint64_t{16} << 20;
  if (seed % 2 == 0) {
    options_.thread_cache_bytes = 64 * 1024;
    options_.memtable_bytes = std::uint64_t{1} << 20;
    options_.block_cache_bytes = std::uint64_t{1} << 20;
    many_threads_ = true;
  }
  options_.background_purge = seed / 2 % 2 == 0;
  Open();
}

StoreWalk::~StoreWalk() = default;

void StoreWalk::Open() {
  store_ = OpenStore(folder_, options_);
  ASSERT_NE(store_, nullptr);
}

void StoreWalk::Run(std::uint64_t steps) {
  for (std::uint64_t step = 0; step < steps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    Step();
    if (::testing::Test::HasFailure()) return;
  }
  SCOPED_TRACE("at the end");
  Reopen();
}

void StoreWalk::Step() {
  struct Choice {
    std::uint64_t weight;
    void (StoreWalk::*act)();
  };
  static constexpr Choice kChoices[] = {{300, &StoreWalk::Append},
                                        {80, &StoreWalk::AppendWithKey},
                                        {70, &StoreWalk::AppendConditionally},
                                        {15, &StoreWalk::AppendInvalid},
                                        {5, &StoreWalk::AppendNothing},
                                        {80, &StoreWalk::Put},
                                        {80, &StoreWalk::DeleteRun},
                                        {25, &StoreWalk::DeleteThread},
                                        {20, &StoreWalk::Resolve},
                                        {90, &StoreWalk::ReadThread},
                                        {130, &StoreWalk::ReadRun},
                                        {80, &StoreWalk::ReadMessages},
                                        {30, &StoreWalk::ReadOne},
                                        {40, &StoreWalk::ReadLatest},
                                        {30, &StoreWalk::ReadVisibleAi},
                                        {30, &StoreWalk::ReadCounts},
                                        {20, &StoreWalk::ReadSummaries},
                                        {40, &StoreWalk::ReadHoles},
                                        {20, &StoreWalk::ReadChanges},
                                        {30, &StoreWalk::OpenTail},
                                        {160, &StoreWalk::ReadTail},
                                        {8, &StoreWalk::DropTail},
                                        {3, &StoreWalk::Compact},
                                        {4, &StoreWalk::Reopen}};
  static constexpr std::uint64_t kSum = [] {
    std::uint64_t sum = 0;
    for (const Choice& choice : kChoices)
      sum += choice.weight;
    return sum;
  }();
  MoveClock();
  std::uint64_t chosen = random_.Below(kSum);
  for (const Choice& choice : kChoices) {
    if (chosen < choice.weight) return (this->*choice.act)();
    chosen -= choice.weight;
  }
}

/// Forward in steps of up to a second, now and then back by up to a minute.
void StoreWalk::MoveClock() {
  const auto step = static_cast<std::int64_t>(random_.Below(1'000'000));
  clock_.Move(random_.OneIn(40) ? -60 * step : step);
}

std::string StoreWalk::ThreadId() {
  return many_threads_ && random_.OneIn(4) ? drafts_.ColdThreadId() : drafts_.ThreadId();
}

std::optional<std::uint64_t> StoreWalk::SomeIncarnation(const std::string& thread_id) {
  const ModelThread* thread = model_.Find(thread_id);
  const std::uint64_t now = thread == nullptr ? 0 : thread->incarnation;
  return random_.OneIn(4) ? random_.Below(highest_incarnation_ + 2) : now;
}

void StoreWalk::OpenTail() {
  if (tails_.size() >= kTailsMax) return DropTail();
  TailRequest request{.thread_id = ThreadId()};
  if (random_.OneIn(2)) request.run_id = drafts_.RunId();
  if (random_.OneIn(2)) request.filter = drafts_.Filter();
  if (random_.OneIn(2)) {
    const std::int64_t seq = SomeSeq(request.thread_id);
    request.after_seq = seq < 0 ? 0 : static_cast<std::uint64_t>(seq);
  }
  if (random_.OneIn(4)) request.incarnation = SomeIncarnation(request.thread_id);
  request.until_terminal = request.run_id && random_.OneIn(2);
  Result<Tail> tail = store_->OpenTail(request);
  ASSERT_OK(tail);
  tails_.push_back({*std::move(tail), ModelTail(model_, request)});
}

void StoreWalk::ReadTail() {
  if (tails_.empty()) return OpenTail();
  OpenedTail& opened = tails_[random_.Below(tails_.size())];
  const std::string& thread_id = opened.model.request().thread_id;
  SCOPED_TRACE("tail of \"" + thread_id + "\" behind " + std::to_string(opened.model.cursor()));
  const std::size_t limit = random_.OneIn(3) ? random_.Below(4) : 500;
  const TailAnswer wanted = opened.model.Next(model_, limit);
  const Result<TailBatch> got = opened.tail.TryNext(limit);
  ASSERT_OK(got);
  ExpectSame(*got, wanted, model_.Find(thread_id), thread_id);
  EXPECT_EQ(opened.tail.cursor(), opened.model.cursor());
  EXPECT_EQ(opened.tail.incarnation(), opened.model.incarnation());
}

void StoreWalk::DropTail() {
  if (tails_.empty()) return;
  OpenedTail& opened = tails_[random_.Below(tails_.size())];
  opened.tail.Cancel();
  EXPECT_THAT(opened.tail.TryNext(), FailsWith(StatusCode::kClosed));
  std::swap(opened, tails_.back());
  tails_.pop_back();
}

void StoreWalk::Compact() {
  EXPECT_OK(store_->Compact());
}

void StoreWalk::CheckClosedTails() {
  for (OpenedTail& opened : tails_)
    EXPECT_THAT(opened.tail.TryNext(), FailsWith(StatusCode::kClosed));
}

/// Verify and a view of the closed store say what the model says; tails go on where they were.
void StoreWalk::Reopen() {
  ASSERT_OK(store_->Close());
  CheckClosedTails();
  store_.reset();
  const VerifySummary summary = ExpectSound(folder_, options_);
  EXPECT_EQ(summary.events, model_.events());
  EXPECT_EQ(summary.threads, model_.threads().size());
  EXPECT_EQ(summary.runs, model_.runs());
  {
    SCOPED_TRACE("in a view");
    const Result<std::unique_ptr<StoreView>> view = StoreView::Open(folder_, options_);
    ASSERT_OK(view);
    EXPECT_EQ((*view)->kind(), ViewKind::kReadOnly);
    EXPECT_EQ((*view)->last_commit(), model_.last_commit());
    ExpectSameStore((*view)->reader(), model_);
  }
  Open();
  ExpectSameStore(store_->reader(), model_);
  for (OpenedTail& opened : tails_) {
    TailRequest request = opened.model.request();
    request.after_seq = opened.tail.cursor();
    request.incarnation = opened.tail.incarnation();
    Result<Tail> tail = store_->OpenTail(request);
    ASSERT_OK(tail);
    opened = {*std::move(tail), ModelTail(model_, request)};
  }
}

}  // namespace runlog::testing
