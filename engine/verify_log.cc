#include "engine/verify_log.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <runlog/limits.h>

#include "format/keys.h"
#include "format/records.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Raw;

/// Calls `row` with each key and value of a family.
void ForEachRow(const ReadMoment& moment, Family family, FaultSink& faults,
                const std::function<void(std::string_view, std::string_view)>& row) {
  rocksdb::ReadOptions reading = moment.Reading();
  reading.fill_cache = false;
  const Rocks& rocks = *moment.rocks();
  const std::unique_ptr<rocksdb::Iterator> rows(
      rocks.db().NewIterator(reading, rocks.family(family)));
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    row(rows->key().ToStringView(), rows->value().ToStringView());
  }
  if (!rows->status().ok()) faults.Add(kFaultUnreadable, family, rows->status().ToString());
}

/// Follows the numbers and times of `commits`.
class CommitOrder {
 public:
  explicit CommitOrder(FaultSink& faults) : faults_(faults) {}

  void Add(std::string_view key_bytes, std::string_view value) {
    const auto key = format::DecodeCommitKey(key_bytes);
    const Result<format::CommitRow> row = format::DecodeCommitRow(value);
    if (!key || !row.ok()) {
      faults_.Add(
          key ? kFaultValue : kFaultKey, Family::kCommits,
          key ? fmt::format("commit {}: {}", *key, row.status().message()) : "a key that is none");
      last_ = key.value_or(0);
      return;
    }
    const std::uint64_t count = row->commands.size();
    if (count == 0 || count > *key || (last_ != 0 && last_ + count != *key)) {
      faults_.Add(
          kFaultCommit, Family::kCommits,
          fmt::format("commit {} with {} commands comes after commit {}", *key, count, last_));
    }
    if (row->replay_from > *key + 1) {
      faults_.Add(kFaultCommit, Family::kCommits,
                  fmt::format("commit {} replays from {}", *key, row->replay_from));
    }
    last_ = *key;
    for (const format::CommandRow& command : row->commands) {
      if (command.at_us < last_at_us_) {
        faults_.Add(
            kFaultCommit, Family::kCommits,
            fmt::format("commit {}: time {} us comes after {}", *key, command.at_us, last_at_us_));
      }
      last_at_us_ = std::max(last_at_us_, command.at_us);
    }
  }
  std::uint64_t last() const { return last_; }

 private:
  FaultSink& faults_;
  std::uint64_t last_ = 0;
  std::int64_t last_at_us_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

void CheckCommits(const StoreCore& core, const ReadMoment& moment, FaultSink& faults) {
  CommitOrder order(faults);
  ForEachRow(moment, Family::kCommits, faults,
             [&](std::string_view key, std::string_view value) { order.Add(key, value); });
  const std::uint64_t shown = core.last_commit.load(std::memory_order_acquire);
  if (order.last() == shown) return;
  faults.Add(kFaultCommit, Family::kCommits,
             fmt::format("the newest commit is {}, the store shows {}", order.last(), shown));
}

void CheckThreadNames(const ReadMoment& moment, FaultSink& faults) {
  ForEachRow(moment, Family::kThreads, faults, [&](std::string_view key, std::string_view value) {
    if (format::DecodeThreadRecordKey(key)) return;  // each is checked with its thread
    const auto thread_id = format::DecodeThreadNameKey(key);
    const Result<std::uint64_t> number = format::DecodeU64(value);
    if (!thread_id || !number.ok()) {
      faults.Add(thread_id ? kFaultValue : kFaultKey, Family::kThreads,
                 thread_id ? number.status().ToString() : "a key that is none",
                 thread_id.value_or(std::string_view()));
      return;
    }
    std::string bytes;
    const Result<bool> found = moment.rocks()->Get(
        Family::kThreads, format::ThreadRecordKey(format::ThreadNumber{*number}), bytes);
    if (found.ok() && *found) {
      const Result<format::ThreadRecord> record = format::DecodeThreadRecord(bytes);
      if (!record.ok() || (record->thread_id == *thread_id && !record->ended)) return;
    }
    faults.Add(
        kFaultName, Family::kThreads,
        fmt::format("leads to thread number {}, which is no live thread of that name", *number),
        *thread_id);
  });
}

void CheckIdempotency(const ReadMoment& moment, FaultSink& faults) {
  ForEachRow(moment, Family::kIdempotency, faults, [&](std::string_view, std::string_view value) {
    const auto record = format::DecodeIdempotencyRecord(value);
    if (record.ok()) return;
    faults.Add(kFaultValue, Family::kIdempotency, std::string(record.status().message()));
  });
}

void CheckMeta(const ReadMoment& moment, FaultSink& faults) {
  ForEachRow(moment, Family::kMeta, faults, [&](std::string_view key, std::string_view value) {
    const bool counter = key == format::kMetaEpoch || key == format::kMetaNextThread ||
                         key == format::kMetaReplayFloor;
    if (!counter || format::DecodeU64(value).ok()) return;
    faults.Add(kFaultValue, Family::kMeta, fmt::format("{} is no number", key));
  });
}

}  // namespace runlog::engine
