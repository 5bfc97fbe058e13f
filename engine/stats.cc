#include "engine/stats.h"

#include <rocksdb/statistics.h>

namespace runlog::engine {

Stats TakeStats(const StoreCore& core) {
  const Counters& counters = core.counters;
  const rocksdb::Statistics& rocks = core.rocks->statistics();
  const ThreadCache::Figures cache = core.threads.figures();
  Stats stats;
  stats.appends = counters.appends;
  stats.events = counters.events;
  stats.event_bytes = counters.event_bytes;
  stats.singletons_found = counters.singletons_found;
  stats.idempotent_replays = counters.idempotent_replays;
  stats.conflicts = counters.conflicts;
  stats.overloads = counters.overloads;
  stats.deletes = counters.deletes;
  stats.events_deleted = counters.events_deleted;
  stats.events_purged = counters.events_purged;
  stats.groups = counters.groups;
  stats.syncs = counters.syncs;
  stats.group_commands_max = counters.group_commands_max;
  stats.records_written_back = counters.records_written_back;
  stats.threads_cached = cache.threads;
  stats.thread_cache_bytes = cache.bytes;
  stats.thread_cache_hits = cache.hits;
  stats.thread_cache_misses = cache.misses;
  stats.block_cache_hits = rocks.getTickerCount(rocksdb::BLOCK_CACHE_HIT);
  stats.block_cache_misses = rocks.getTickerCount(rocksdb::BLOCK_CACHE_MISS);
  stats.pages = counters.pages;
  stats.pages_events = counters.pages_events;
  stats.write_stalls = core.rocks->stalls();
  stats.warnings = counters.warnings;
  stats.wal_bytes = rocks.getTickerCount(rocksdb::WAL_FILE_BYTES);
  stats.flush_bytes = rocks.getTickerCount(rocksdb::FLUSH_WRITE_BYTES);
  stats.compaction_write_bytes = rocks.getTickerCount(rocksdb::COMPACT_WRITE_BYTES);
  stats.append_latency = counters.append_latency.Take();
  stats.write_latency = counters.write_latency.Take();
  stats.page_latency = counters.page_latency.Take();
  return stats;
}

}  // namespace runlog::engine
