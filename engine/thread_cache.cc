#include "engine/thread_cache.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace runlog::engine {
namespace {

/// Runs and owners an entry keeps while nobody uses it. One in use may have more: a single append
/// can name 10 000 of each.
constexpr std::size_t kRunsKeptMax = 256;
constexpr std::size_t kOwnersKeptMax = 1024;
constexpr std::size_t kRunsInUseMax = 65'536;

constexpr std::uint64_t kEntryBytes = 900;  // entry, slot, map node and list node
constexpr std::uint64_t kRunBytes = 420;    // node, record, one slice
constexpr std::uint64_t kOwnerBytes = 160;

std::uint64_t SizeOfLocked(const ThreadEntry& entry) {
  std::uint64_t bytes = kEntryBytes + 2 * entry.thread_id.size();
  for (const auto& [id, run] : entry.state.runs) {
    bytes += kRunBytes + 2 * id.size() + run.record.slices.size() * sizeof(format::OwnerSlice);
  }
  for (const auto& [id, owner] : entry.state.owners)
    bytes += kOwnerBytes + id.size();
  return bytes;
}

/// Drops the least recently used half of the clean runs of a thread that has very many.
void TrimLocked(ThreadState& state, bool in_use) {
  const std::size_t runs_max = in_use ? kRunsInUseMax : kRunsKeptMax;
  const std::size_t owners_max = in_use ? kRunsInUseMax : kOwnersKeptMax;
  if (state.runs.size() <= runs_max && state.owners.size() <= owners_max) return;
  if (state.owners.size() > owners_max) {
    std::erase_if(state.owners,
                  [](const auto& item) { return !item.second.dirty && !item.second.pending; });
  }
  if (state.runs.size() > runs_max) {
    std::vector<std::uint64_t> uses;
    uses.reserve(state.runs.size());
    for (const auto& [id, run] : state.runs)
      uses.push_back(run.last_used);
    const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
    std::nth_element(uses.begin(), middle, uses.end());
    std::erase_if(state.runs, [&](const auto& item) {
      return !item.second.dirty && !item.second.pending && item.second.last_used < *middle;
    });
    state.all_runs_loaded = false;
  }
  ++state.load_revision;
}

}  // namespace

struct ThreadCache::Slot {
  explicit Slot(std::string_view thread_id) : entry(thread_id) {}

  enum class Load : unsigned char { kLoading, kLoaded, kFailed };

  ThreadEntry entry;
  // The rest is guarded by the shard's mutex.
  Load load = Load::kLoading;
  Status load_error;
  std::uint32_t pins = 0;
  std::uint64_t bytes = 0;
  std::size_t measured_items = ~std::size_t{0};  // runs and owners when bytes was taken
  std::list<Slot*>::iterator idle_place;
};

ThreadCache::Pin& ThreadCache::Pin::operator=(Pin&& other) noexcept {
  std::swap(cache_, other.cache_);
  std::swap(slot_, other.slot_);
  return *this;
}

ThreadEntry& ThreadCache::Pin::operator*() const {
  return slot_->entry;
}

ThreadCache::Pin ThreadCache::Pin::Clone() const {
  if (slot_ == nullptr) return {};
  const std::lock_guard lock(cache_->ShardOf(slot_->entry.thread_id).mutex);
  ++slot_->pins;
  return Pin(cache_, slot_);
}

void ThreadCache::Pin::Release() {
  if (slot_ == nullptr) return;
  cache_->Unpin(slot_);
  slot_.reset();
  cache_ = nullptr;
}

ThreadCache::ThreadCache(const StateLoader& loader, std::uint64_t capacity_bytes)
    : loader_(loader), shard_capacity_bytes_(capacity_bytes / kShards) {}

ThreadCache::Shard& ThreadCache::ShardOf(std::string_view thread_id) {
  return shards_[StringHash{}(thread_id) % kShards];
}

Result<ThreadCache::Pin> ThreadCache::Acquire(std::string_view thread_id) {
  Shard& shard = ShardOf(thread_id);
  std::unique_lock lock(shard.mutex);
  std::shared_ptr<Slot> slot;
  if (const auto found = shard.slots.find(thread_id); found != shard.slots.end()) {
    slot = found->second;
    if (slot->pins++ == 0) shard.idle.erase(slot->idle_place);
    hits_.fetch_add(1, std::memory_order_relaxed);
    shard.loaded.wait(lock, [&] { return slot->load != Slot::Load::kLoading; });
    if (slot->load == Slot::Load::kFailed) return slot->load_error;
    return Pin(this, std::move(slot));
  }
  misses_.fetch_add(1, std::memory_order_relaxed);
  slot = std::make_shared<Slot>(thread_id);
  slot->pins = 1;
  shard.slots.emplace(slot->entry.thread_id, slot);
  lock.unlock();
  if (Status s = Load(slot, shard); !s.ok()) return s;
  return Pin(this, std::move(slot));
}

ThreadCache::Pin ThreadCache::TryAcquire(std::string_view thread_id) {
  Shard& shard = ShardOf(thread_id);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.slots.find(thread_id);
  if (found == shard.slots.end() || found->second->load != Slot::Load::kLoaded) return {};
  if (found->second->pins++ == 0) shard.idle.erase(found->second->idle_place);
  return Pin(this, found->second);
}

/// Fills a slot that is in the map as loading. A failed one leaves the map, so that the next caller
/// tries anew.
Status ThreadCache::Load(const std::shared_ptr<Slot>& slot, Shard& shard) {
  ThreadState state;
  Status status = loader_.LoadThread(slot->entry.thread_id, state);
  const std::lock_guard lock(shard.mutex);
  if (status.ok()) {
    slot->entry.visible_seq.store(state.record.mark, std::memory_order_release);
    slot->entry.state = std::move(state);
    slot->load = Slot::Load::kLoaded;
  } else {
    slot->load = Slot::Load::kFailed;
    slot->load_error = status;
    shard.slots.erase(slot->entry.thread_id);
  }
  shard.loaded.notify_all();
  return status;
}

void ThreadCache::Unpin(const std::shared_ptr<Slot>& slot) {
  Shard& shard = ShardOf(slot->entry.thread_id);
  const std::lock_guard lock(shard.mutex);
  --slot->pins;
  {
    const std::lock_guard entry_lock(slot->entry.mutex);
    ThreadState& state = slot->entry.state;
    // The committer's own pin, held while records wait to be written back, is no use of runs.
    const std::uint32_t committer_pins = state.first_dirty_commit != 0 ? 1 : 0;
    TrimLocked(state, slot->pins > committer_pins);
    const std::size_t items = state.runs.size() + state.owners.size();
    if (items != slot->measured_items) {
      const std::uint64_t bytes = SizeOfLocked(slot->entry);
      shard.bytes += bytes - slot->bytes;
      slot->bytes = bytes;
      slot->measured_items = items;
    }
  }
  if (slot->pins > 0) return;
  slot->idle_place = shard.idle.insert(shard.idle.end(), slot.get());
  EvictLocked(shard);
}

void ThreadCache::EvictLocked(Shard& shard) {
  while (shard.bytes > shard_capacity_bytes_ && !shard.idle.empty()) {
    Slot* victim = shard.idle.front();
    shard.idle.pop_front();
    shard.bytes -= victim->bytes;
    shard.slots.erase(shard.slots.find(victim->entry.thread_id));
  }
}

Status ThreadCache::EnsureRun(ThreadEntry& entry, std::string_view run_id) {
  while (true) {
    format::ThreadNumber thread{};
    std::uint64_t revision = 0;
    {
      const std::lock_guard lock(entry.mutex);
      ThreadState& state = entry.state;
      const auto found = state.runs.find(run_id);
      if (found != state.runs.end()) {
        found->second.last_used = ++state.uses;
        return {};
      }
      if (state.thread == format::ThreadNumber::kNone || state.all_runs_loaded) {
        state.runs[std::string(run_id)].last_used = ++state.uses;
        return {};
      }
      thread = state.thread;
      revision = state.load_revision;
    }
    Result<RunEntry> loaded = loader_.LoadRun(thread, run_id);
    const std::lock_guard lock(entry.mutex);
    ThreadState& state = entry.state;
    // What was read may be older than what was dropped, or half of it purged.
    if (state.load_revision != revision) continue;
    if (!loaded.ok()) return loaded.status();
    const auto [place, inserted] = state.runs.try_emplace(std::string(run_id));
    if (inserted) place->second = *std::move(loaded);
    place->second.last_used = ++state.uses;
    return {};
  }
}

Status ThreadCache::EnsureOwner(ThreadEntry& entry, std::string_view user_id) {
  while (true) {
    format::ThreadNumber thread{};
    std::uint64_t revision = 0;
    {
      const std::lock_guard lock(entry.mutex);
      ThreadState& state = entry.state;
      if (state.owners.contains(user_id)) return {};
      if (state.thread == format::ThreadNumber::kNone) {
        state.owners.try_emplace(std::string(user_id));
        return {};
      }
      thread = state.thread;
      revision = state.load_revision;
    }
    Result<OwnerEntry> loaded = loader_.LoadOwner(thread, user_id);
    const std::lock_guard lock(entry.mutex);
    if (entry.state.load_revision != revision) continue;
    if (!loaded.ok()) return loaded.status();
    const auto [place, inserted] = entry.state.owners.try_emplace(std::string(user_id));
    if (inserted) place->second = *loaded;
    return {};
  }
}

Status ThreadCache::EnsureAllRuns(ThreadEntry& entry) {
  while (true) {
    format::ThreadNumber thread{};
    std::uint64_t revision = 0;
    {
      const std::lock_guard lock(entry.mutex);
      ThreadState& state = entry.state;
      if (state.thread == format::ThreadNumber::kNone || state.all_runs_loaded) return {};
      thread = state.thread;
      revision = state.load_revision;
    }
    StringMap<RunEntry> loaded;
    if (Status s = loader_.LoadRuns(thread, loaded); !s.ok()) return s;
    const std::lock_guard lock(entry.mutex);
    ThreadState& state = entry.state;
    if (state.load_revision != revision) continue;
    for (auto& [run_id, run] : loaded) {
      // A kNone placeholder means "absent when looked up", and stays right: a run created since
      // would have replaced it.
      run.last_used = ++state.uses;
      state.runs.try_emplace(run_id, std::move(run));
    }
    state.all_runs_loaded = true;
    return {};
  }
}

Status ThreadCache::Reload() {
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (Slot* slot : shard.idle) {
      shard.bytes -= slot->bytes;
      shard.slots.erase(shard.slots.find(slot->entry.thread_id));
    }
    shard.idle.clear();
    for (const auto& [thread_id, slot] : shard.slots) {
      ThreadState state;
      if (Status s = loader_.LoadThread(thread_id, state); !s.ok()) return s;
      const std::lock_guard entry_lock(slot->entry.mutex);
      slot->entry.visible_seq.store(state.record.mark, std::memory_order_release);
      slot->entry.state = std::move(state);
      slot->measured_items = ~std::size_t{0};
    }
  }
  return {};
}

ThreadCache::Figures ThreadCache::figures() const {
  Figures figures;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    figures.threads += shard.slots.size();
    figures.bytes += shard.bytes;
  }
  figures.hits = hits_.load(std::memory_order_relaxed);
  figures.misses = misses_.load(std::memory_order_relaxed);
  return figures;
}

}  // namespace runlog::engine
