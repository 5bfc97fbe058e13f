#include "index/index_writer.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <tuple>

#include <rocksdb/slice.h>
#include <rocksdb/write_batch.h>

#include <runlog/limits.h>

namespace runlog::index {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

void Put(rocksdb::WriteBatch& batch, rocksdb::ColumnFamilyHandle* family, std::string_view key,
         std::string_view value) {
  const rocksdb::Status put = batch.Put(family, ToSlice(key), ToSlice(value));
  // A batch refuses only above a size it was made with, or a key of 4 GiB: neither happens here.
  assert(put.ok());
  put.PermitUncheckedError();
}

}  // namespace

void IndexWriter::Begin(format::ThreadNumber thread) {
  thread_ = thread;
  entries_.clear();
  messages_.clear();
}

void IndexWriter::Add(const IndexedEvent& event) {
  const Posting posting{event.seq, event.event_class};
  entries_.push_back({ListKind::kRun, event.run, {}, posting});
  entries_.push_back({ListKind::kType, event.run, event.event_type, posting});
  if (!event.task_id.empty() && event.task_id.size() <= kIndexedTaskIdBytesMax) {
    entries_.push_back({ListKind::kTask, event.run, event.task_id, posting});
  }
  if (event.event_class.message()) {
    messages_.push_back(
        {format::Encode(format::MessageKey{thread_, event.event_class.visibility(), event.seq}),
         {event.run, event.owner, event.event_class.byte()}});
  }
}

void IndexWriter::Finish(rocksdb::WriteBatch& batch) {
  // Sorting brings each list together however many runs and tasks one append touches, and hands
  // RocksDB its keys in order.
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.kind, a.run, a.name, a.posting.seq) <
           std::tie(b.kind, b.run, b.name, b.posting.seq);
  });
  for (auto list = entries_.begin(); list != entries_.end();) {
    const auto end = std::find_if(list, entries_.end(),
                                  [&](const Entry& entry) { return !entry.SameList(*list); });
    PutList(batch, {list, end});
    list = end;
  }
  for (const MessageRow& row : messages_) {
    Put(batch, families_.message_index, {row.key.data(), row.key.size()},
        format::Encode(row.entry));
  }
  entries_.clear();
  messages_.clear();
}

void IndexWriter::PutList(rocksdb::WriteBatch& batch, std::span<const Entry> list) {
  rocksdb::ColumnFamilyHandle* const family = FamilyOf(list.front().kind);
  const std::string prefix = PrefixOf(list.front());
  while (!list.empty()) {
    const auto part = list.first(std::min(list.size(), kPostingsPerChunkMax));
    chunk_.clear();
    for (const Entry& entry : part)
      chunk_.push_back(entry.posting);
    const std::uint64_t last_seq = chunk_.back().seq;
    Put(batch, family, format::PostingKey(prefix, last_seq), EncodeChunk(chunk_, last_seq));
    list = list.subspan(part.size());
  }
}

rocksdb::ColumnFamilyHandle* IndexWriter::FamilyOf(ListKind kind) const {
  switch (kind) {
    case ListKind::kRun:
      return families_.run_index;
    case ListKind::kType:
      return families_.type_index;
    case ListKind::kTask:
      return families_.task_index;
  }
  return nullptr;
}

std::string IndexWriter::PrefixOf(const Entry& entry) const {
  if (entry.kind == ListKind::kRun) return format::PostingPrefix(thread_, entry.run);
  return format::PostingPrefix(thread_, entry.run, entry.name);
}

}  // namespace runlog::index
