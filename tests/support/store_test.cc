#include "tests/support/store_test.h"

#include <sstream>

namespace runlog::testing {
namespace {

constexpr std::int64_t kAll = 1'000'000'000;

std::string WordOf(const TailItem& item) {
  std::ostringstream word;
  switch (item.kind) {
    case TailItemKind::kEvent:
      word << item.event.seq();
      break;
    case TailItemKind::kHole:
      word << "hole " << item.hole.first_seq << "-" << item.hole.last_seq;
      break;
    case TailItemKind::kReset:
      word << "reset";
      break;
    case TailItemKind::kCaughtUp:
      word << "caught_up";
      break;
    case TailItemKind::kEnd:
      word << "end " << static_cast<int>(item.end);
      break;
  }
  return word.str();
}

}  // namespace

std::unique_ptr<EventStore> OpenStore(const std::filesystem::path& folder,
                                      const StoreOptions& options) {
  Result<std::unique_ptr<EventStore>> store = EventStore::Open(folder, options);
  EXPECT_OK(store);
  return store.ok() ? *std::move(store) : nullptr;
}

VerifySummary ExpectSound(const std::filesystem::path& folder, const StoreOptions& options) {
  const Result<std::unique_ptr<StoreView>> view = StoreView::Open(folder, options);
  EXPECT_OK(view);
  if (!view.ok()) return {};
  const Result<VerifySummary> summary = (*view)->Verify([](const Fault& fault) {
    ADD_FAILURE() << "fault " << fault.kind << " in " << fault.family << " of thread \""
                  << fault.thread_id << "\" seq " << fault.seq << ": " << fault.detail;
  });
  EXPECT_OK(summary);
  if (!summary.ok()) return {};
  EXPECT_EQ(summary->faults, 0U);
  return *summary;
}

std::string Drain(Tail& tail, std::size_t limit) {
  std::string words;
  while (true) {
    const Result<TailBatch> batch = tail.TryNext(limit);
    EXPECT_OK(batch);
    if (!batch.ok() || batch->empty()) return words;
    for (const TailItem& item : batch->items()) {
      words += (words.empty() ? "" : " ") + WordOf(item);
      if (item.kind == TailItemKind::kEnd) return words;
    }
  }
}

StoreTest::StoreTest() {
  options_.durability = Durability::kBuffered;
  options_.memtable_bytes = std::uint64_t{4} << 20;
  options_.block_cache_bytes = std::uint64_t{16} << 20;
  options_.clock = &clock_;
}

StoreTest::~StoreTest() = default;

void StoreTest::Open() {
  store_ = OpenStore(folder(), options_);
  ASSERT_NE(store_, nullptr);
}

void StoreTest::Close() {
  EXPECT_OK(store_->Close());
  store_.reset();
}

void StoreTest::Reopen() {
  Close();
  Open();
}

VerifySummary StoreTest::ReopenVerified() {
  Close();
  const VerifySummary summary = ExpectSound(folder(), options_);
  Open();
  return summary;
}

AppendReceipt StoreTest::Append(std::string_view thread_id, const std::vector<Draft>& drafts,
                                const AppendOptions& options) {
  return Value(TryAppend(thread_id, drafts, options));
}

AppendReceipt StoreTest::Append(std::string_view thread_id, const Draft& draft,
                                const AppendOptions& options) {
  return Append(thread_id, std::vector<Draft>{draft}, options);
}

Result<AppendReceipt> StoreTest::TryAppend(std::string_view thread_id,
                                           const std::vector<Draft>& drafts,
                                           const AppendOptions& options) {
  return store_->Append(thread_id, AsEvents(drafts), options);
}

PutResult StoreTest::Put(std::string_view thread_id, const Draft& draft) {
  return Value(store_->PutIfAbsent(thread_id, draft.AsEvent()));
}

std::uint64_t StoreTest::DeleteRun(std::string_view thread_id, std::string_view run_id,
                                   std::optional<std::string_view> user) {
  return Value(store_->DeleteRun(thread_id, run_id, {.user_id = user})).deleted;
}

std::uint64_t StoreTest::DeleteThread(std::string_view thread_id,
                                      std::optional<std::string_view> user) {
  return Value(store_->DeleteThread(thread_id, {.user_id = user})).deleted;
}

Seqs StoreTest::ThreadSeqs(std::string_view thread_id, const EventFilter& filter) {
  return SeqsOf(Value(reader().ThreadEvents(thread_id, {.limit = kAll}, filter)));
}

Seqs StoreTest::RunSeqs(std::string_view thread_id, std::string_view run_id,
                        const EventFilter& filter) {
  return SeqsOf(Value(reader().RunEvents(thread_id, run_id, {.limit = kAll}, filter)));
}

Tail StoreTest::OpenTail(const TailRequest& request) {
  Result<Tail> tail = store_->OpenTail(request);
  EXPECT_OK(tail);
  return *std::move(tail);
}

}  // namespace runlog::testing
