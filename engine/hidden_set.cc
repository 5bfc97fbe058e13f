#include "engine/hidden_set.h"

#include <algorithm>
#include <utility>

#include "format/numbers.h"

namespace runlog::engine {
namespace {

using format::HiddenScope;
using format::Raw;

std::uint64_t Combined(format::RunNumber run, format::OwnerNumber owner) {
  return std::uint64_t{Raw(run)} << 32U | Raw(owner);
}

}  // namespace

HiddenSet::HiddenSet(std::vector<HiddenRange> ranges) : ranges_(std::move(ranges)) {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    by_run_and_owner_[Combined(ranges_[i].key.run, ranges_[i].key.owner)].push_back(i);
  }
}

const HiddenRange* HiddenSet::Hiding(format::RunNumber run, format::OwnerNumber owner,
                                     std::uint64_t seq) const {
  const auto find = [&](HiddenScope scope, format::RunNumber r,
                        format::OwnerNumber u) -> const HiddenRange* {
    const auto found = by_run_and_owner_.find(Combined(r, u));
    if (found == by_run_and_owner_.end()) return nullptr;
    for (const std::size_t i : found->second) {
      if (ranges_[i].key.scope == scope && seq <= ranges_[i].row.up_to_seq) return &ranges_[i];
    }
    return nullptr;
  };
  constexpr auto kAnyRun = format::RunNumber::kNone;
  constexpr auto kAnyOwner = format::OwnerNumber::kNone;
  if (const HiddenRange* range = find(HiddenScope::kThread, kAnyRun, kAnyOwner)) return range;
  if (const HiddenRange* range = find(HiddenScope::kRun, run, kAnyOwner)) return range;
  if (owner == kAnyOwner) return nullptr;  // owner scopes never cover events without one
  if (const HiddenRange* range = find(HiddenScope::kOwner, kAnyRun, owner)) return range;
  return find(HiddenScope::kOwnerInRun, run, owner);
}

Status HiddenIndex::Load(const Rocks& rocks) {
  std::unordered_map<std::uint64_t, std::vector<HiddenRange>> ranges;
  const std::unique_ptr<rocksdb::Iterator> rows(
      rocks.db().NewIterator(Rocks::Reading(), rocks.family(format::Family::kHidden)));
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    const auto key = format::DecodeHiddenKey(rows->key().ToStringView());
    if (!key) return Status(StatusCode::kCorruption, "hidden: a key that is none");
    const auto row = format::DecodeHiddenRow(rows->value().ToStringView());
    if (!row.ok()) return row.status();
    // An ended thread cannot be reached by any reader: nobody asks for its ranges.
    if (key->scope != HiddenScope::kThread) ranges[Raw(key->thread)].push_back({*key, *row});
  }
  if (!rows->status().ok()) return FromRocks(rows->status(), "reading hidden");

  std::unordered_map<std::uint64_t, std::shared_ptr<const HiddenSet>> sets;
  for (auto& [thread, list] : ranges) {
    sets[thread] = std::make_shared<const HiddenSet>(std::move(list));
  }
  const std::lock_guard lock(mutex_);
  by_thread_ = std::move(sets);
  return {};
}

std::shared_ptr<const HiddenSet> HiddenIndex::Of(format::ThreadNumber thread) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_thread_.find(Raw(thread));
  return found == by_thread_.end() ? nullptr : found->second;
}

void HiddenIndex::Add(const HiddenRange& range) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const HiddenSet>& set = by_thread_[Raw(range.key.thread)];
  std::vector<HiddenRange> ranges;
  if (set != nullptr) ranges = set->ranges();
  std::erase_if(ranges, [&](const HiddenRange& old) { return old.key == range.key; });
  ranges.push_back(range);
  set = std::make_shared<const HiddenSet>(std::move(ranges));
}

bool HiddenIndex::Contains(const HiddenRange& range) const {
  const std::shared_ptr<const HiddenSet> set = Of(range.key.thread);
  if (set == nullptr) return false;
  return std::any_of(set->ranges().begin(), set->ranges().end(), [&](const HiddenRange& kept) {
    return kept.key == range.key && kept.row == range.row;
  });
}

void HiddenIndex::Remove(const HiddenRange& range) {
  const std::lock_guard lock(mutex_);
  const auto found = by_thread_.find(Raw(range.key.thread));
  if (found == by_thread_.end()) return;
  std::vector<HiddenRange> ranges = found->second->ranges();
  std::erase_if(
      ranges, [&](const HiddenRange& old) { return old.key == range.key && old.row == range.row; });
  if (ranges.empty()) {
    by_thread_.erase(found);
  } else {
    found->second = std::make_shared<const HiddenSet>(std::move(ranges));
  }
}

void HiddenIndex::Drop(format::ThreadNumber thread) {
  const std::lock_guard lock(mutex_);
  by_thread_.erase(Raw(thread));
}

}  // namespace runlog::engine
