#include "engine/purger.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/purge_plan.h"
#include "format/keys.h"
#include "format/records.h"

namespace runlog::engine {
namespace {

using format::Family;

constexpr std::int64_t kIdempotencyKeptMicroseconds = std::int64_t{24} * 3600 * 1'000'000;
constexpr std::uint64_t kIdempotencyKeptCommits = std::uint64_t{1} << 20;
constexpr std::size_t kPruneSlice = 1024;

/// A slice waits for its turn as long as it takes: nobody waits for it.
Deadline Patient() {
  return std::chrono::steady_clock::now() + std::chrono::hours(24);
}

}  // namespace

Purger::Purger(StoreCore& core, Committer& committer, bool background)
    : core_(core), committer_(committer) {
  if (background) worker_ = std::thread([this] { Run(); });
}

Purger::~Purger() {
  Stop();
}

Status Purger::LoadPending() {
  const std::unique_ptr<rocksdb::Iterator> rows(
      core_.rocks->db().NewIterator(Rocks::Reading(), core_.rocks->family(Family::kHidden)));
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    const auto key = format::DecodeHiddenKey(rows->key().ToStringView());
    if (!key) return Status(StatusCode::kCorruption, "hidden: a key that is none");
    const Result<format::HiddenRow> row = format::DecodeHiddenRow(rows->value().ToStringView());
    if (!row.ok()) return row.status();
    Add({*key, *row});
  }
  return FromRocks(rows->status(), "reading hidden");
}

void Purger::Add(const HiddenRange& range) {
  const std::lock_guard lock(mutex_);
  pending_.push_back(range);
  noted_.notify_one();
}

Status Purger::Drain() {
  const std::lock_guard purging(purging_);
  while (!stopping()) {
    std::unique_lock lock(mutex_);
    if (pending_.empty()) return {};
    const HiddenRange range = pending_.front();
    lock.unlock();
    if (Status s = Purge(range); !s.ok()) return s;
    lock.lock();
    pending_.pop_front();
  }
  return Status(StatusCode::kClosed, "the store is closing");
}

void Purger::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_.store(true);
    noted_.notify_all();
  }
  if (worker_.joinable()) worker_.join();
}

void Purger::Run() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      noted_.wait(lock, [this] { return stopping() || !pending_.empty(); });
      if (stopping()) return;
    }
    const Status drained = Drain();
    if (drained.ok() || drained.code() == StatusCode::kClosed) continue;
    // Damage or a failed store: purging again would meet it again. What is hidden stays hidden.
    Bump(core_.counters.warnings);
    if (core_.options.on_warning) {
      core_.options.on_warning(fmt::format("purging stopped: {}", drained.ToString()));
    }
    return;
  }
}

Status Purger::Commit(std::shared_ptr<PurgeCommand> command) {
  command->durability = Durability::kBuffered;  // redone at the next open if it is lost
  for (const PurgeCommand::Change& change : command->changes) {
    command->bytes += change.key.size() + (change.value ? change.value->size() : 0);
  }
  if (Status s = committer_.Run(command, Patient()); !s.ok()) return s;
  return command->verdict == Verdict::kCommitted ? Status() : command->status;
}

Status Purger::Purge(const HiddenRange& range) {
  PurgePlan plan(*core_.rocks, range);
  while (true) {
    if (stopping()) return Status(StatusCode::kClosed, "the store is closing");
    Result<std::optional<PurgePlan::Slice>> slice = plan.Next();
    if (!slice.ok()) return slice.status();
    auto command = std::make_shared<PurgeCommand>();
    if (!slice->has_value()) {
      command->finishes = range;
      return Commit(std::move(command));
    }
    command->changes = std::move((*slice)->changes);
    if (Status s = Commit(std::move(command)); !s.ok()) return s;
    Bump(core_.counters.events_purged, (*slice)->events);
  }
}

Status Purger::PruneIdempotency() {
  const std::int64_t now = core_.options.clock->Now().microseconds;
  const std::uint64_t last_commit = core_.last_commit.load(std::memory_order_acquire);
  auto command = std::make_shared<PurgeCommand>();
  rocksdb::ReadOptions reading = Rocks::Reading();
  reading.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> rows(
      core_.rocks->db().NewIterator(reading, core_.rocks->family(Family::kIdempotency)));
  for (rows->SeekToFirst(); rows->Valid() && !stopping(); rows->Next()) {
    const Result<format::IdempotencyRecord> record =
        format::DecodeIdempotencyRecord(rows->value().ToStringView());
    if (!record.ok()) return record.status();
    if (now - record->at_us <= kIdempotencyKeptMicroseconds) continue;
    if (last_commit <= record->commit + kIdempotencyKeptCommits) continue;
    command->changes.push_back({Family::kIdempotency, rows->key().ToString(), std::nullopt});
    if (command->changes.size() < kPruneSlice) continue;
    if (Status s = Commit(std::exchange(command, std::make_shared<PurgeCommand>())); !s.ok()) {
      return s;
    }
  }
  if (!rows->status().ok()) return FromRocks(rows->status(), "reading idempotency");
  return command->changes.empty() ? Status() : Commit(std::move(command));
}

}  // namespace runlog::engine
