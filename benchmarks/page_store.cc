#include "benchmarks/page_store.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include "benchmarks/support/check.h"
#include "benchmarks/support/program.h"
#include "format/event_codec.h"
#include "format/keys.h"

namespace runlog::bench {
namespace {

constexpr std::uint64_t kAppendEvents = 1000;
constexpr format::ThreadNumber kSmallNumber{1};  // appended first

void CheckHashes(std::string_view value, const format::EventKey& key) {
  const format::EventHeader header = Take(format::PeekEventHeader(value));
  const format::EventHeaderBytes sealed = format::EncodeEventHeader(header, key, kSmallThread);
  Check(value.substr(0, sealed.size()) == std::string_view(sealed.data(), sealed.size()),
        "a seal hash does not match");
  Check(format::Hash64(value.substr(sealed.size())) == header.body_hash,
        "a body hash does not match");
}

}  // namespace

PageStore::PageStore()
    : pool_(/*seed=*/20260602, Scaled<std::size_t>(50'000, 2'000)),
      small_events_(Scaled<std::uint64_t>(10'000, 2'000)),
      large_events_(Scaled<std::uint64_t>(1'000'000, 110'000)),
      store_(OpenStore(folder_.path(), StoreOptions())) {
  Append(kSmallThread, small_events_);
  Append(kLargeThread, large_events_);
  Check(store_->Compact());
  Check(store_->Close());
  store_.reset();
  // While nobody writes: a writer may delete files that a read-only database is about to open.
  bare_ = Take(engine::Rocks::Open(folder_.path(), engine::OpenMode::kReadOnly, StoreOptions(),
                                   engine::WriterLock()));
  Reopen();
}

void PageStore::Reopen() {
  store_.reset();  // the database goes with its last holder
  store_ = OpenStore(folder_.path(), StoreOptions());
}

Event PageStore::EventOf(std::uint64_t seq, std::string& metadata) const {
  Event event = pool_.at((seq - 1) % pool_.size());
  metadata = fmt::format(R"({{"task_id":"task-{:03}"}})", seq % kEventsPerTask);
  event.run_id = kPageRun;
  event.user_id.reset();
  event.metadata = metadata;
  const bool is_message = seq % kEventsPerMessage == 0;
  event.event_type = is_message ? "llm.human.input" : "tool.progress";
  event.category = is_message ? "message" : "trace";
  return event;
}

void PageStore::Append(std::string_view thread_id, std::uint64_t events) {
  std::vector<std::string> metadata(kAppendEvents);
  std::vector<Event> batch;
  for (std::uint64_t seq = 1; seq <= events;) {
    batch.clear();
    for (std::uint64_t i = 0; i < kAppendEvents && seq <= events; ++i)
      batch.push_back(EventOf(seq++, metadata[i]));
    Check(store_->Append(thread_id, batch, AppendOptions{.durability = Durability::kBuffered})
              .status());
  }
}

std::uint64_t PageStore::BareScan(std::uint64_t after_seq, std::uint64_t count,
                                  Checks checks) const {
  const format::EventKeyBytes first = format::Encode(format::EventKey{kSmallNumber, after_seq + 1});
  const format::EventKeyBytes end =
      format::Encode(format::EventKey{kSmallNumber, small_events_ + 1});
  const rocksdb::Slice upper(end.data(), end.size());
  rocksdb::ReadOptions reading = engine::Rocks::Reading();
  reading.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> rows(
      bare_->db().NewIterator(reading, bare_->family(format::Family::kEvents)));
  std::uint64_t bytes = 0;
  std::uint64_t seq = after_seq;
  for (rows->Seek({first.data(), first.size()}); rows->Valid() && seq < after_seq + count;
       rows->Next()) {
    ++seq;
    bytes += rows->value().size();
    if (checks == Checks::kOn) CheckHashes(rows->value().ToStringView(), {kSmallNumber, seq});
  }
  Check(rows->status());
  Check(seq == after_seq + count, "a bare scan of fewer events");
  return bytes;
}

void PageStore::CheckPage(const Page& page, std::uint64_t count) const {
  Check(page.size() == count, "a page of another size");
  std::string metadata;
  for (const EventView& view : page.events()) {
    const Event event = EventOf(view.seq(), metadata);
    Check(view.run_id() == event.run_id && view.category() == event.category &&
              view.metadata() == event.metadata && view.content().bytes == event.content.bytes,
          "a page holds another event");
  }
}

BlockReads CountBlockReads(const std::function<void()>& read) {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  const rocksdb::PerfContext& context = *rocksdb::get_perf_context();
  rocksdb::get_perf_context()->Reset();
  read();
  const std::uint64_t meta = context.index_block_read_count + context.filter_block_read_count;
  const BlockReads reads{context.block_read_count - meta, meta};
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
  return reads;
}

}  // namespace runlog::bench
