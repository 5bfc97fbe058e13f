#include <utility>

#include <runlog/reader.h>

#include "engine/change_feed.h"
#include "engine/listing.h"
#include "engine/page_read.h"
#include "engine/reader_impl.h"
#include "engine/seq_source.h"
#include "engine/thread_snapshot.h"

namespace runlog {
namespace {

using engine::ReadSubject;
using engine::StoreCore;
using index::Direction;

constexpr std::string_view kMessageCategory = "message";

Status Closed() {
  return Status(StatusCode::kClosed, "the store is closed");
}

std::optional<std::string_view> ViewOf(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return std::string_view(*text);
}

std::optional<std::string> Copy(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  return std::string(*text);
}

/// The highest seq of the run's visible answers; 0 where there is none.
Result<std::uint64_t> LastVisibleAiSeq(StoreCore& core, const ReadSubject& subject) {
  const Result<engine::ThreadSnapshot> thread = engine::ThreadSnapshot::Take(core, subject);
  if (!thread.ok()) return thread.status();
  if (thread->holds_nothing || thread->run_figures.messages == 0) return std::uint64_t{0};
  const EventFilter everything;
  engine::EventMatch match(*thread, subject, everything);
  match.WantVisibleAi();
  const engine::SourceRange range{
      {thread->run_figures.first_seq - 1, thread->run_figures.last_seq + 1}, Direction::kBackward};
  const std::unique_ptr<engine::SeqSource> answers =
      engine::MatchingSource(*thread->moment, thread->thread, std::string(subject.thread_id), match,
                             engine::TypeSource(*thread->moment, thread->thread, thread->run,
                                                {"llm.ai.response", "ai_message"}, range),
                             range.direction);
  const Result<bool> found = answers->Next();
  if (!found.ok()) return found.status();
  return *found ? answers->candidate().seq : 0;
}

}  // namespace

Reader::Reader(std::shared_ptr<engine::ReaderImpl> impl) : impl_(std::move(impl)) {}
Reader::~Reader() = default;

Result<Page> Reader::ThreadEvents(std::string_view thread_id, const PageRequest& request,
                                  const EventFilter& filter) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  const ReadSubject subject{.thread_id = thread_id, .user_id = ViewOf(filter.user_id)};
  return engine::ReadPage(*core, {subject, request, filter});
}

Result<Page> Reader::RunEvents(std::string_view thread_id, std::string_view run_id,
                               const PageRequest& request, const EventFilter& filter) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  const ReadSubject subject{thread_id, run_id, ViewOf(filter.user_id)};
  return engine::ReadPage(*core, {subject, request, filter});
}

Result<Page> Reader::Messages(std::string_view thread_id, std::optional<std::string_view> run_id,
                              const PageRequest& request,
                              std::optional<std::string_view> user_id) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  EventFilter filter;
  filter.category = std::string(kMessageCategory);
  filter.user_id = Copy(user_id);
  return engine::ReadPage(
      *core, {ReadSubject{thread_id, run_id, user_id}, request, filter, Direction::kBackward});
}

Result<Page> Reader::EventAt(std::string_view thread_id, std::uint64_t seq) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  PageRequest request{.limit = 1};
  if (seq == 0 || seq > kSeqMax) {
    request.limit = 0;
  } else {
    request.after_seq = static_cast<std::int64_t>(seq - 1);
    request.before_seq = static_cast<std::int64_t>(seq + 1);
  }
  return engine::ReadPage(*core, {ReadSubject{.thread_id = thread_id}, request, EventFilter()});
}

Result<Page> Reader::LatestOfType(std::string_view thread_id, std::string_view run_id,
                                  std::string_view event_type,
                                  std::optional<std::string_view> user_id) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  EventFilter filter;
  filter.types.emplace().emplace_back(event_type);
  filter.user_id = Copy(user_id);
  const PageRequest request{.limit = 1};
  return engine::ReadPage(
      *core, {ReadSubject{thread_id, run_id, user_id}, request, filter, Direction::kBackward});
}

Result<std::map<std::string, std::uint64_t, std::less<>>> Reader::LastVisibleAiSeqs(
    std::string_view thread_id, std::span<const std::string> run_ids,
    std::optional<std::string_view> user_id) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  std::map<std::string, std::uint64_t, std::less<>> seqs;
  for (const std::string& run_id : run_ids) {
    if (seqs.contains(run_id)) continue;
    const Result<std::uint64_t> seq = LastVisibleAiSeq(*core, {thread_id, run_id, user_id});
    if (!seq.ok()) return seq.status();
    if (*seq != 0) seqs.emplace(run_id, *seq);
  }
  return seqs;
}

Result<Counts> Reader::Count(std::string_view thread_id,
                             std::optional<std::string_view> user_id) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  return engine::CountEvents(*core, {.thread_id = thread_id, .user_id = user_id});
}

Result<std::optional<ThreadSummary>> Reader::Thread(std::string_view thread_id) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  return engine::SummarizeThread(*core, thread_id);
}

Result<std::vector<ThreadSummary>> Reader::Threads(std::uint64_t after_incarnation,
                                                   std::size_t limit) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  return engine::ListThreads(*core, after_incarnation, limit);
}

Result<std::vector<RunSummary>> Reader::Runs(std::string_view thread_id,
                                             bool include_deleted) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  return engine::ListRuns(*core, thread_id, include_deleted);
}

Result<std::vector<Hole>> Reader::Holes(std::string_view thread_id, std::uint64_t after_seq,
                                        std::uint64_t before_seq) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  return engine::ListHoles(*core, thread_id, after_seq, before_seq);
}

Result<ChangePage> Reader::Changes(std::uint64_t after_commit, std::size_t limit) const {
  const std::shared_ptr<StoreCore> core = impl_->core();
  if (core == nullptr) return Closed();
  return engine::ReadChanges(*core, after_commit, limit);
}

}  // namespace runlog
