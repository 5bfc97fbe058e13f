#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <runlog/store_view.h>

#include "engine/dump.h"
#include "engine/format_file.h"
#include "engine/opening.h"
#include "engine/reader_impl.h"
#include "engine/replay.h"
#include "engine/store_core.h"
#include "engine/tail_impl.h"
#include "engine/verify.h"

namespace runlog {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kRefreshEvery{100};

/// How often, and how far apart, a view beside a writer looks again for what was durable before it
/// was opened.
constexpr int kCatchUpAttempts = 10;
constexpr std::chrono::milliseconds kCatchUpPause{10};

}  // namespace

class StoreView::Impl {
 public:
  std::shared_ptr<engine::StoreCore> core;
  ViewKind kind = ViewKind::kReadOnly;
  std::shared_ptr<engine::TailSet> tails = std::make_shared<engine::TailSet>();
  std::shared_ptr<engine::ReaderImpl> reader_impl;
  std::optional<Reader> reader;

  std::mutex refresh_mutex;        // guards replayed; one refresh at a time
  engine::ReplayOutcome replayed;  // keeps the threads whose records are newer than the disk's

  std::mutex worker_mutex;  // guards stopping and worker
  std::condition_variable stop;
  bool stopping = false;
  std::thread worker;

  Status CatchUp();
  Status ReachDurable(const format::Anchor& anchor);
  void StartRefreshing();
  void KeepRefreshing();
};

/// No read is under way while the database moves on and the threads in use are read anew.
Status StoreView::Impl::CatchUp() {
  if (kind == ViewKind::kReadOnly) return {};
  const std::lock_guard one(refresh_mutex);
  {
    const std::unique_lock alone(core->catching_up);
    const rocksdb::Status caught = core->rocks->db().TryCatchUpWithPrimary();
    if (!caught.ok()) return engine::FromRocks(caught, "catching up with the writer");
    replayed.dirty.clear();
    if (Status s = core->threads.Reload(); !s.ok()) return s;
    Result<engine::ReplayOutcome> outcome = engine::Replay(*core);
    if (!outcome.ok()) return outcome.status();
    replayed = *std::move(outcome);
  }
  tails->WakeAll();
  return {};
}

/// RocksDB opens over a log that is gone. Whoever wrote it last said how far it was durable.
Status StoreView::Impl::ReachDurable(const format::Anchor& anchor) {
  core->epoch.store(std::max(core->epoch.load(), anchor.epoch));
  const std::uint64_t durable = anchor.durable.commit;
  for (int attempt = 0; core->last_commit.load() < durable && attempt < kCatchUpAttempts;
       ++attempt) {
    std::this_thread::sleep_for(kCatchUpPause);
    if (Status s = CatchUp(); !s.ok()) return s;
  }
  const std::uint64_t last_commit = core->last_commit.load();
  if (last_commit >= durable) return {};
  return Status(StatusCode::kDataLoss,
                fmt::format("commits {} to {} are missing, which ANCHOR says were durable",
                            last_commit + 1, durable));
}

void StoreView::Impl::StartRefreshing() {
  const std::lock_guard lock(worker_mutex);
  if (worker.joinable() || stopping || kind == ViewKind::kReadOnly) return;
  worker = std::thread([this] { KeepRefreshing(); });
}

void StoreView::Impl::KeepRefreshing() {
  std::unique_lock lock(worker_mutex);
  while (!stop.wait_for(lock, kRefreshEvery, [this] { return stopping; })) {
    lock.unlock();
    // A failure shows in the reads it leads to; the next round may succeed.
    if (Status s = CatchUp(); !s.ok()) engine::Bump(core->counters.warnings);
    lock.lock();
  }
}

Result<std::unique_ptr<StoreView>> StoreView::Open(const fs::path& folder,
                                                   const StoreOptions& options, ViewUse use) {
  if (Status s = options.Validate(); !s.ok()) return s;
  const Result<engine::FolderKind> found = engine::InspectFolder(folder);
  if (!found.ok()) return found.status();
  if (*found != engine::FolderKind::kStore) {
    return Status(StatusCode::kNotFound, fmt::format("{} holds no store", folder.string()));
  }
  auto impl = std::make_unique<Impl>();
  Result<engine::OpenedView> opened = engine::OpenForReading(folder, options, use);
  if (!opened.ok()) return opened.status();
  impl->kind = opened->kind;
  impl->core = std::make_shared<engine::StoreCore>(std::move(opened->rocks), options);
  Result<engine::ReplayOutcome> replayed = engine::Replay(*impl->core);
  if (!replayed.ok()) return replayed.status();
  impl->replayed = *std::move(replayed);
  if (Status s = impl->ReachDurable(opened->anchor); !s.ok()) return s;
  impl->reader_impl = std::make_shared<engine::ReaderImpl>(impl->core);
  impl->reader.emplace(impl->reader_impl);
  return std::unique_ptr<StoreView>(new StoreView(std::move(impl)));
}

StoreView::StoreView(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

StoreView::~StoreView() {
  {
    const std::lock_guard lock(impl_->worker_mutex);
    impl_->stopping = true;
    impl_->stop.notify_all();
  }
  if (impl_->worker.joinable()) impl_->worker.join();
  impl_->core->closed.store(true, std::memory_order_release);
  impl_->tails->CancelAll();
  impl_->reader_impl->Release();
}

ViewKind StoreView::kind() const {
  return impl_->kind;
}

std::uint64_t StoreView::last_commit() const {
  return impl_->core->last_commit.load(std::memory_order_acquire);
}

Status StoreView::Refresh() {
  return impl_->CatchUp();
}

const Reader& StoreView::reader() const {
  return *impl_->reader;
}

Result<Tail> StoreView::OpenTail(const TailRequest& request) {
  auto tail =
      std::make_shared<engine::TailImpl>(request, impl_->reader_impl, nullptr, impl_->tails);
  impl_->tails->Join(tail);
  if (Status s = tail->Start(); !s.ok()) return s;
  impl_->StartRefreshing();
  return Tail(std::move(tail));
}

Result<VerifySummary> StoreView::Verify(const std::function<void(const Fault&)>& report,
                                        const std::function<void(std::uint64_t)>& progress) const {
  return engine::VerifyStore(*impl_->core, report, progress);
}

Status StoreView::Dump(std::ostream& out) const {
  return engine::DumpStore(*impl_->core, out);
}

}  // namespace runlog
