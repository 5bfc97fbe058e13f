#include "engine/change_feed.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "engine/read_moment.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::CommandRow;
using format::Family;
using format::Raw;

bool IsAppend(const CommandRow& command) {
  return command.kind == format::StoredCommitKind::kAppend ||
         command.kind == format::StoredCommitKind::kPutIfAbsent;
}

class ChangeFeed {
 public:
  ChangeFeed(StoreCore& core, std::uint64_t after_commit, std::size_t limit)
      : core_(core),
        still_(core),
        // Commits beyond this one may be on disk while what they changed cannot be read yet.
        last_(core.last_commit.load(std::memory_order_acquire)),
        limit_(limit) {
    page_.last_commit = after_commit;
  }

  Result<ChangePage> Read() {
    if (page_.last_commit >= last_) return std::move(page_);
    const format::CommitKeyBytes first = format::CommitKey(page_.last_commit + 1);
    const std::unique_ptr<rocksdb::Iterator> rows(
        core_.rocks->db().NewIterator(Rocks::Reading(), core_.rocks->family(Family::kCommits)));
    // A row's key is its last command's: the first row at or above the wanted commit holds it.
    for (rows->Seek({first.data(), first.size()}); rows->Valid() && !page_.has_more; rows->Next()) {
      const auto key = format::DecodeCommitKey(rows->key().ToStringView());
      if (!key) return Status(StatusCode::kCorruption, "commits: a key that is none");
      const Result<format::CommitRow> row = format::DecodeCommitRow(rows->value().ToStringView());
      if (!row.ok()) {
        return Status(StatusCode::kCorruption,
                      fmt::format("commits: commit {}: {}", *key, row.status().message()));
      }
      if (Status s = AddRow(*key, *row); !s.ok()) return s;
      if (*key >= last_) break;
    }
    if (!rows->status().ok()) return FromRocks(rows->status(), "reading commits");
    return std::move(page_);
  }

 private:
  Status AddRow(std::uint64_t row_commit, const format::CommitRow& row) {
    if (row.commands.size() > row_commit) {
      return Status(StatusCode::kCorruption, fmt::format("commits: commit {} holds {} commands",
                                                         row_commit, row.commands.size()));
    }
    std::uint64_t commit = row_commit - row.commands.size();
    for (const CommandRow& command : row.commands) {
      ++commit;
      if (commit <= page_.last_commit) continue;
      if (commit > last_) return {};
      if (page_.changes.size() >= limit_) {
        page_.has_more = true;
        return {};
      }
      Result<Change> change = ChangeOf(commit, command);
      if (!change.ok()) return change.status();
      page_.changes.push_back(*std::move(change));
      page_.last_commit = commit;
    }
    return {};
  }

  Result<Change> ChangeOf(std::uint64_t commit, const CommandRow& command) {
    Change change{.commit = commit,
                  .kind = static_cast<CommitKind>(command.kind),
                  .at = {command.at_us},
                  .thread_id = command.thread_id,
                  .incarnation = Raw(command.thread),
                  .first_seq = command.first_seq,
                  .count = command.count,
                  .run_id = command.run_id,
                  .user_id = command.user_id,
                  .incarnation_ended = command.incarnation_ended};
    if (!IsAppend(command)) return change;
    const auto known = thread_ids_.find(Raw(command.thread));
    if (known != thread_ids_.end()) {
      change.thread_id = known->second;
      return change;
    }
    Result<format::ThreadRecord> record = core_.loader.RecordOf(command.thread);
    if (!record.ok()) return record.status();
    change.thread_id = std::move(record->thread_id);
    thread_ids_.emplace(Raw(command.thread), change.thread_id);
    return change;
  }

  StoreCore& core_;
  const ReadMoment still_;
  const std::uint64_t last_;
  const std::size_t limit_;
  std::unordered_map<std::uint64_t, std::string> thread_ids_;  // of this page's appends
  ChangePage page_;
};

}  // namespace

Result<ChangePage> ReadChanges(StoreCore& core, std::uint64_t after_commit, std::size_t limit) {
  return ChangeFeed(core, after_commit, limit).Read();
}

}  // namespace runlog::engine
