#include "engine/anchor_keeper.h"

#include <chrono>
#include <utility>

namespace runlog::engine {
namespace {

constexpr std::chrono::seconds kWriteEvery{1};

}  // namespace

AnchorKeeper::AnchorKeeper(AnchorFile file, format::Anchor opened, const DurableProgress& progress)
    : file_(std::move(file)),
      anchor_(std::move(opened)),
      progress_(progress),
      worker_([this] { Work(); }) {}

AnchorKeeper::~AnchorKeeper() {
  Stop();
}

void AnchorKeeper::Work() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kWriteEvery, [this] { return stopping_; })) {
    const format::DurablePoint durable = progress_.Latest();
    if (durable == anchor_.durable) continue;
    format::Anchor next = anchor_;
    next.durable = durable;
    lock.unlock();
    // An older anchor promises less and is never wrong: a failure is made good a second later, or
    // shows when the store is closed.
    const bool written = file_.Write(next).ok();
    lock.lock();
    if (written) anchor_ = std::move(next);
  }
}

void AnchorKeeper::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    stop_.notify_all();
  }
  if (worker_.joinable()) worker_.join();
}

Status AnchorKeeper::CloseClean() {
  Stop();
  anchor_.durable = progress_.Latest();
  anchor_.clean = true;
  return file_.WriteBoth(anchor_);
}

}  // namespace runlog::engine
