// One group of commands on its way into one RocksDB write.

#ifndef RUNLOG_ENGINE_WRITE_GROUP_H_
#define RUNLOG_ENGINE_WRITE_GROUP_H_

#include <cstdint>
#include <memory>
#include <vector>

#include <rocksdb/write_batch.h>

#include "engine/command.h"
#include "format/records.h"

namespace runlog::engine {

struct WriteGroup {
  rocksdb::WriteBatch batch;
  format::CommitRow row;                // one command row for each commit of the group
  std::vector<AppendCommand*> appends;  // that write, in commit order
  DeleteCommand* deletion = nullptr;    // alone, if any
  std::vector<HiddenRange> finished;    // whose events are all purged
  std::uint64_t first_commit = 0;       // of row.commands
  bool sync = false;

  void Clear() {
    batch.Clear();
    row.commands.clear();
    appends.clear();
    deletion = nullptr;
    finished.clear();
    first_commit = 0;
    sync = false;
  }
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_WRITE_GROUP_H_
