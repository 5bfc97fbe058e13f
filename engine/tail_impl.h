// Tail's state. ARCHITECTURE.md, "Life of a tail".

#ifndef RUNLOG_ENGINE_TAIL_IMPL_H_
#define RUNLOG_ENGINE_TAIL_IMPL_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <runlog/reader.h>
#include <runlog/tail.h>

#include "engine/notifier.h"
#include "engine/reader_impl.h"
#include "engine/thread_cache.h"

namespace runlog::engine {

class TailSet;

/// Lives in its Tail, in the notifier's notes while one is on its way, and weakly in its thread's
/// wake list.
class TailImpl final : public Waker, public std::enable_shared_from_this<TailImpl> {
 public:
  /// `notifier` may be null: then OnReady's call for a linger's end comes from the view's refresh.
  TailImpl(TailRequest request, std::shared_ptr<ReaderImpl> reader, Notifier* notifier,
           std::shared_ptr<TailSet> set);
  ~TailImpl() override;

  /// Resolves where to start and joins the thread's wake list.
  Status Start();

  Result<TailBatch> TryNext(std::size_t limit);
  Result<TailBatch> Next(std::chrono::milliseconds timeout, std::size_t limit);
  void OnReady(std::function<void()> ready);
  void Cancel();
  void Wake() override;

  std::uint64_t cursor() const;
  std::uint64_t incarnation() const;

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  Result<Page> ReadPage(std::size_t limit) const;
  /// Handles a thread that began a new life or ended. Returns whether the page is still of use.
  bool FollowIncarnation(const Page& page, TailBatch& batch);
  Status AddItems(Page page, TailBatch& batch);
  Status AddEndIfOver(TailBatch& batch);
  void End(TailEnd reason, TailBatch& batch);
  void WakeAt(TimePoint time);

  const TailRequest request_;
  const std::shared_ptr<ReaderImpl> reader_impl_;
  const Reader reader_;
  Notifier* const notifier_;
  const std::shared_ptr<TailSet> set_;
  ThreadCache::Pin thread_;  // released by Cancel

  mutable std::mutex position_mutex_;  // guards cursor_ and incarnation_
  std::uint64_t cursor_ = 0;
  std::uint64_t incarnation_ = 0;

  // Of the one worker that calls Next and TryNext.
  bool said_caught_up_ = false;
  bool saw_run_ = false;
  std::optional<TailEnd> end_;
  std::optional<TimePoint> terminal_since_;

  std::mutex mutex_;  // guards the rest
  std::condition_variable woken_;
  bool awake_ = true;
  bool cancelled_ = false;
  std::function<void()> ready_;
};

/// The open tails of a store or view, to be woken or cancelled together.
class TailSet {
 public:
  void Join(const std::shared_ptr<TailImpl>& tail);
  void WakeAll();
  void CancelAll();
  std::size_t size() const;

 private:
  friend class TailImpl;
  void Leave();
  std::vector<std::shared_ptr<TailImpl>> Living() const;

  mutable std::mutex mutex_;  // guards tails_
  std::vector<std::weak_ptr<TailImpl>> tails_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_TAIL_IMPL_H_
