// Index entries of one append, added to the WriteBatch that holds the events they point to. There
// is no other way to write them: index and events are never in different batches.

#ifndef RUNLOG_INDEX_INDEX_WRITER_H_
#define RUNLOG_INDEX_INDEX_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/event_codec.h"
#include "format/numbers.h"
#include "index/posting_chunk.h"

namespace rocksdb {
class ColumnFamilyHandle;
class WriteBatch;
}  // namespace rocksdb

namespace runlog::index {

/// The families an index lives in. Borrowed; outlives whoever holds a copy.
struct IndexFamilies {
  rocksdb::ColumnFamilyHandle* run_index = nullptr;
  rocksdb::ColumnFamilyHandle* type_index = nullptr;
  rocksdb::ColumnFamilyHandle* task_index = nullptr;
  rocksdb::ColumnFamilyHandle* message_index = nullptr;
};

struct IndexedEvent {
  std::uint64_t seq = 0;
  format::RunNumber run{};
  format::OwnerNumber owner{};
  format::EventClass event_class;
  std::string_view event_type;
  std::string_view task_id;  // empty or too long: not in the task index
};

/// Collects the events of one append, then writes their chunks.
/// Concurrency: one caller at a time; reused between appends so that its memory is.
class IndexWriter {
 public:
  explicit IndexWriter(IndexFamilies families) : families_(families) {}

  /// Starts an append to `thread`.
  void Begin(format::ThreadNumber thread);
  /// Requires: ascending seq. Borrows the strings until Finish.
  void Add(const IndexedEvent& event);
  /// Adds the chunks and message rows to `batch`.
  void Finish(rocksdb::WriteBatch& batch);

 private:
  struct List {
    rocksdb::ColumnFamilyHandle* family = nullptr;
    format::RunNumber run{};
    std::string_view name;
    std::vector<Posting> postings;
  };
  List& ListOf(rocksdb::ColumnFamilyHandle* family, format::RunNumber run, std::string_view name);

  IndexFamilies families_;
  format::ThreadNumber thread_{};
  std::vector<List> lists_;
  std::size_t lists_used_ = 0;
  std::vector<IndexedEvent> messages_;
};

}  // namespace runlog::index

#endif  // RUNLOG_INDEX_INDEX_WRITER_H_
