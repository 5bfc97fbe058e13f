// Index entries of one append, added to the WriteBatch that holds the events they point to. There
// is no other way to write them: index and events are never in different batches.

#ifndef RUNLOG_INDEX_INDEX_WRITER_H_
#define RUNLOG_INDEX_INDEX_WRITER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/event_codec.h"
#include "format/keys.h"
#include "format/numbers.h"
#include "format/records.h"
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
  enum class ListKind : std::uint8_t { kRun, kType, kTask };
  /// One event's place in one list.
  struct Entry {
    ListKind kind;
    format::RunNumber run;
    std::string_view name;  // empty in a run's list
    Posting posting;
    bool SameList(const Entry& other) const {
      return kind == other.kind && run == other.run && name == other.name;
    }
  };
  struct MessageRow {
    format::MessageKeyBytes key;
    format::MessageEntry entry;
  };
  void PutList(rocksdb::WriteBatch& batch, std::span<const Entry> list);
  rocksdb::ColumnFamilyHandle* FamilyOf(ListKind kind) const;
  std::string PrefixOf(const Entry& entry) const;

  IndexFamilies families_;
  format::ThreadNumber thread_{};
  std::vector<Entry> entries_;
  std::vector<MessageRow> messages_;
  std::vector<Posting> chunk_;
};

}  // namespace runlog::index

#endif  // RUNLOG_INDEX_INDEX_WRITER_H_
