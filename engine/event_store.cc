#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <runlog/event_store.h>

#include "engine/anchor_keeper.h"
#include "engine/call_gate.h"
#include "engine/committer.h"
#include "engine/notifier.h"
#include "engine/opening.h"
#include "engine/purger.h"
#include "engine/reader_impl.h"
#include "engine/replay.h"
#include "engine/stats.h"
#include "engine/store_core.h"
#include "engine/tail_impl.h"
#include "engine/write_path.h"
#include "format/keys.h"
#include "format/records.h"

namespace runlog {
namespace {

namespace fs = std::filesystem;

Status NotOpen() {
  return Status(StatusCode::kClosed, "the store is closed");
}

/// Whether the page holds what put_if_absent made or found, and not another event of that seq.
bool IsOutcome(const Page& page, const engine::WritePath::PutOutcome& outcome,
               const Event& wanted) {
  if (page.empty()) return false;
  const EventView& event = page.events().front();
  if (outcome.created) return event.commit() == outcome.commit;
  return event.run_id() == wanted.run_id && event.event_type() == wanted.event_type;
}

}  // namespace

class EventStore::Impl {
 public:
  /// Order of members: each may use those above it.
  std::shared_ptr<engine::StoreCore> core;
  std::shared_ptr<engine::ReaderImpl> reader_impl;
  std::shared_ptr<engine::TailSet> tails = std::make_shared<engine::TailSet>();
  std::optional<Reader> reader;
  std::unique_ptr<engine::Notifier> notifier;
  std::unique_ptr<engine::AnchorKeeper> anchor;
  std::unique_ptr<engine::Committer> committer;
  std::unique_ptr<engine::Purger> purger;
  std::unique_ptr<engine::WritePath> writes;

  mutable engine::CallGate gate;  // of every call that uses what Close takes apart
  std::mutex close_mutex;         // guards closed_status
  std::optional<Status> closed_status;

  Status Start(engine::ReplayOutcome replayed);
  Result<std::uint64_t> NextThread() const;
};

/// What `meta` reserved last: no number at or above it was ever given out.
Result<std::uint64_t> EventStore::Impl::NextThread() const {
  std::string value;
  const Result<bool> found =
      core->rocks->Get(format::Family::kMeta, format::kMetaNextThread, value);
  if (!found.ok()) return found.status();
  if (!*found) return std::uint64_t{1};
  return format::DecodeU64(value);
}

Status EventStore::Impl::Start(engine::ReplayOutcome replayed) {
  const Result<std::uint64_t> next_thread = NextThread();
  if (!next_thread.ok()) return next_thread.status();
  reader_impl = std::make_shared<engine::ReaderImpl>(core);
  reader.emplace(reader_impl);
  notifier = std::make_unique<engine::Notifier>();
  committer = std::make_unique<engine::Committer>(
      *core, *notifier,
      engine::CommitterStart{.next_commit = replayed.last_commit + 1,
                             .next_thread = *next_thread,
                             .last_at_us = replayed.last_at_us});
  for (engine::ReplayOutcome::DirtyThread& dirty : replayed.dirty) {
    committer->AdoptDirty(std::move(dirty.thread), dirty.since);
  }
  purger = std::make_unique<engine::Purger>(*core, *committer, core->options.background_purge);
  committer->OnHidden([this](const engine::HiddenRange& range) { purger->Add(range); });
  writes = std::make_unique<engine::WritePath>(*core, *committer, *notifier);
  return purger->LoadPending();
}

Result<std::unique_ptr<EventStore>> EventStore::Open(const fs::path& folder,
                                                     const StoreOptions& options) {
  if (Status s = options.Validate(); !s.ok()) return s;
  Result<engine::OpenedStore> opened = engine::OpenForWriting(folder, options);
  if (!opened.ok()) return opened.status();
  auto impl = std::make_unique<Impl>();
  impl->core = std::make_shared<engine::StoreCore>(std::move(opened->rocks), options);
  Result<engine::ReplayOutcome> replayed = engine::Replay(*impl->core);
  if (!replayed.ok()) return replayed.status();
  Result<std::unique_ptr<engine::AnchorKeeper>> anchor =
      engine::KeepAnchor(*std::move(opened), *impl->core);
  if (!anchor.ok()) return anchor.status();
  impl->anchor = *std::move(anchor);
  if (Status s = impl->Start(*std::move(replayed)); !s.ok()) return s;
  return std::unique_ptr<EventStore>(new EventStore(std::move(impl)));
}

EventStore::EventStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

EventStore::~EventStore() {
  // Whoever wants the status calls Close.
  (void)Close();
}

Result<AppendReceipt> EventStore::Append(std::string_view thread_id, std::span<const Event> events,
                                         const AppendOptions& options) {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return NotOpen();
  return impl_->writes->Append(thread_id, events, options);
}

Status EventStore::AppendAsync(std::string_view thread_id, std::span<const Event> events,
                               const AppendOptions& options,
                               std::function<void(Result<AppendReceipt>)> done) {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return NotOpen();
  return impl_->writes->AppendAsync(thread_id, events, options, std::move(done));
}

Result<PutResult> EventStore::PutIfAbsent(std::string_view thread_id, const Event& event,
                                          const PutOptions& options) {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return NotOpen();
  while (true) {
    const Result<engine::WritePath::PutOutcome> outcome =
        impl_->writes->PutIfAbsent(thread_id, event, options);
    if (!outcome.ok()) return outcome.status();
    Result<Page> page = impl_->reader->EventAt(thread_id, outcome->seq);
    if (!page.ok()) return page.status();
    // A delete may come between the answer and this read, and in the thread's next life the seq may
    // be another event's. What was found is then looked for anew.
    if (!IsOutcome(*page, *outcome, event)) {
      if (!outcome->created) continue;
      page = Page();
    }
    return PutResult{outcome->created, outcome->seq, outcome->commit, *std::move(page)};
  }
}

Result<DeleteReceipt> EventStore::DeleteRun(std::string_view thread_id, std::string_view run_id,
                                            const DeleteOptions& options) {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return NotOpen();
  return impl_->writes->Delete(thread_id, run_id, options);
}

Result<DeleteReceipt> EventStore::DeleteThread(std::string_view thread_id,
                                               const DeleteOptions& options) {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return NotOpen();
  return impl_->writes->Delete(thread_id, std::nullopt, options);
}

Result<AppendReceipt> EventStore::Resolve(std::string_view thread_id,
                                          std::string_view idempotency_key) {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return NotOpen();
  return impl_->writes->Resolve(thread_id, idempotency_key);
}

Status EventStore::Compact() {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return NotOpen();
  if (Status s = impl_->purger->Drain(); !s.ok()) return s;
  if (Status s = impl_->purger->PruneIdempotency(); !s.ok()) return s;
  const engine::Rocks& rocks = *impl_->core->rocks;
  for (std::size_t i = 0; i < format::kFamilyCount; ++i) {
    const auto family = static_cast<format::Family>(i);
    rocksdb::CompactRangeOptions everything;
    // Rewrites the last level too: that is where deleted events' bytes are.
    everything.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    const rocksdb::Status compacted =
        rocks.db().CompactRange(everything, rocks.family(family), nullptr, nullptr);
    if (!compacted.ok()) {
      return engine::FromRocks(compacted, fmt::format("compacting {}", format::FamilyName(family)));
    }
  }
  return {};
}

const Reader& EventStore::reader() const {
  return *impl_->reader;
}

Result<Tail> EventStore::OpenTail(const TailRequest& request) {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return NotOpen();
  auto tail = std::make_shared<engine::TailImpl>(request, impl_->reader_impl, impl_->notifier.get(),
                                                 impl_->tails);
  impl_->tails->Join(tail);
  if (Status s = tail->Start(); !s.ok()) return s;
  return Tail(std::move(tail));
}

Stats EventStore::GetStats() const {
  const engine::CallGate::Call inside(impl_->gate);
  if (!inside) return {};
  Stats stats = engine::TakeStats(*impl_->core);
  stats.queue_bytes = impl_->committer->queue().bytes();
  stats.queue_commands = impl_->committer->queue().commands();
  stats.tails = impl_->tails->size();
  return stats;
}

Status EventStore::Close() {
  const std::lock_guard lock(impl_->close_mutex);
  if (impl_->closed_status) return *impl_->closed_status;
  impl_->gate.Shut();
  impl_->committer->StopAdmitting();  // callers that wait for room leave now
  impl_->gate.WaitUntilEmpty();
  impl_->purger->Stop();
  Status stopped = impl_->committer->Stop();
  if (stopped.ok()) {
    stopped = impl_->anchor->CloseClean();
  } else {
    impl_->anchor->Stop();
  }
  impl_->core->closed.store(true, std::memory_order_release);
  impl_->tails->CancelAll();
  impl_->notifier->Stop();  // behind the last completion
  impl_->writes.reset();
  impl_->purger.reset();
  impl_->committer.reset();
  impl_->anchor.reset();
  impl_->notifier.reset();
  impl_->reader_impl->Release();
  impl_->core.reset();  // with it the database, unless a page still holds it
  impl_->closed_status = stopped;
  return stopped;
}

}  // namespace runlog
