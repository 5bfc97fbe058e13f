// One moment of the database: what the index says and what the events say agree in it.

#ifndef RUNLOG_ENGINE_READ_MOMENT_H_
#define RUNLOG_ENGINE_READ_MOMENT_H_

#include <optional>
#include <shared_mutex>

#include <rocksdb/options.h>
#include <rocksdb/snapshot.h>

#include "engine/store_core.h"
#include "index/posting_cursor.h"

namespace runlog::engine {

/// A snapshot; in a secondary, which has none, the lock that keeps it from catching up.
/// Concurrency: one worker, which never holds two of them: a view that waits to catch up would
/// come between.
class ReadMoment {
 public:
  /// Stops a secondary; takes no snapshot yet.
  explicit ReadMoment(StoreCore& core);
  ReadMoment(const ReadMoment&) = delete;
  ReadMoment& operator=(const ReadMoment&) = delete;

  /// Fixes the moment. Again: moves on to a newer one.
  void Pin();

  /// Options of a read at this moment: checksums on.
  rocksdb::ReadOptions Reading() const;
  index::IndexSource index() const;
  const std::shared_ptr<Rocks>& rocks() const { return core_.rocks; }

 private:
  const rocksdb::Snapshot* snapshot() const;

  StoreCore& core_;
  std::shared_lock<std::shared_mutex> standing_still_;
  std::optional<rocksdb::ManagedSnapshot> snapshot_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_READ_MOMENT_H_
