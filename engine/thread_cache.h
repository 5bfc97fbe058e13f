// The threads in use: at most one entry for each, loaded once, dropped least recently used first
// when nobody pins it.

#ifndef RUNLOG_ENGINE_THREAD_CACHE_H_
#define RUNLOG_ENGINE_THREAD_CACHE_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <runlog/status.h>

#include "engine/state_loader.h"
#include "engine/thread_entry.h"

namespace runlog::engine {

class ThreadCache {
  struct Slot;

 public:
  /// Keeps an entry in the cache. Movable; any worker.
  class Pin {
   public:
    Pin() = default;
    Pin(Pin&& other) noexcept { *this = std::move(other); }
    Pin& operator=(Pin&& other) noexcept;
    ~Pin() { Release(); }

    explicit operator bool() const { return slot_ != nullptr; }
    ThreadEntry& operator*() const;
    ThreadEntry* operator->() const { return &**this; }
    Pin Clone() const;
    void Release();

   private:
    friend class ThreadCache;
    Pin(ThreadCache* cache, std::shared_ptr<Slot> slot) : cache_(cache), slot_(std::move(slot)) {}
    ThreadCache* cache_ = nullptr;
    std::shared_ptr<Slot> slot_;
  };

  struct Figures {
    std::uint64_t threads = 0, bytes = 0, hits = 0, misses = 0;
  };

  ThreadCache(const StateLoader& loader, std::uint64_t capacity_bytes);

  /// Pins the thread's entry, reading it from disk if it is not here. A thread that does not exist
  /// has an entry too. Errors: kCorruption, kIoError.
  Result<Pin> Acquire(std::string_view thread_id);

  /// Pins the thread's entry if it is here; an empty pin otherwise. Reads nothing and leaves hits,
  /// misses and the order of eviction to Acquire.
  Pin TryAcquire(std::string_view thread_id);

  /// Makes `run_id` part of state.runs, reading its record if needed. Locks the entry's mutex.
  Status EnsureRun(ThreadEntry& entry, std::string_view run_id);
  Status EnsureOwner(ThreadEntry& entry, std::string_view user_id);
  /// Makes every live run part of state.runs.
  Status EnsureAllRuns(ThreadEntry& entry);

  /// Drops what is not pinned and reads anew what is. For reading processes, whose disk changed
  /// under them; no read may be under way.
  Status Reload();

  Figures figures() const;

 private:
  static constexpr std::size_t kShards = 16;
  struct Shard {
    mutable std::mutex mutex;  // guards the rest
    std::condition_variable loaded;
    std::unordered_map<std::string_view, std::shared_ptr<Slot>> slots;
    std::list<Slot*> idle;  // pins == 0, least recently used first
    std::uint64_t bytes = 0;
  };
  Shard& ShardOf(std::string_view thread_id);
  Status Load(const std::shared_ptr<Slot>& slot, Shard& shard);
  void Unpin(const std::shared_ptr<Slot>& slot);
  void EvictLocked(Shard& shard);

  const StateLoader& loader_;
  const std::uint64_t shard_capacity_bytes_;
  std::array<Shard, kShards> shards_;
  std::atomic<std::uint64_t> hits_{0};
  std::atomic<std::uint64_t> misses_{0};
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_THREAD_CACHE_H_
