// runlog/stats.h - counters and latency histograms of an open store, as a struct.

#ifndef RUNLOG_STATS_H_
#define RUNLOG_STATS_H_

#include <array>
#include <cstdint>

#include <runlog/export.h>

namespace runlog {

/// A latency histogram: four buckets to each power of two of nanoseconds.
struct RUNLOG_EXPORT LatencyHistogram {
  static constexpr std::size_t kBuckets = 160;
  std::array<std::uint64_t, kBuckets> buckets{};
  std::uint64_t count = 0;
  std::uint64_t sum_ns = 0;
  std::uint64_t max_ns = 0;

  /// Upper bound of the bucket that holds the quantile, in nanoseconds; 0 where nothing was
  /// counted. Requires: 0 <= `quantile` <= 1.
  std::uint64_t Quantile(double quantile) const;
};

/// Since the store was opened, unless it says otherwise. Taken field by field: no moment of time.
struct Stats {
  std::uint64_t appends = 0;           ///< Committed, put_if_absent that wrote included.
  std::uint64_t events = 0;            ///< Appended.
  std::uint64_t event_bytes = 0;       ///< Of encoded values.
  std::uint64_t singletons_found = 0;  ///< put_if_absent that wrote nothing.
  std::uint64_t idempotent_replays = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t overloads = 0;
  std::uint64_t deletes = 0;
  std::uint64_t events_deleted = 0;
  std::uint64_t events_purged = 0;
  std::uint64_t groups = 0;  ///< RocksDB writes.
  std::uint64_t syncs = 0;   ///< Groups that were synced.
  std::uint64_t group_commands_max = 0;
  std::uint64_t records_written_back = 0;
  std::uint64_t queue_bytes = 0;         ///< Now.
  std::uint64_t queue_commands = 0;      ///< Now.
  std::uint64_t threads_cached = 0;      ///< Now.
  std::uint64_t thread_cache_bytes = 0;  ///< Now.
  std::uint64_t thread_cache_hits = 0;
  std::uint64_t thread_cache_misses = 0;
  std::uint64_t block_cache_hits = 0;
  std::uint64_t block_cache_misses = 0;
  std::uint64_t tails = 0;  ///< Now.
  std::uint64_t pages = 0;
  std::uint64_t pages_events = 0;
  std::uint64_t write_stalls = 0;  ///< Times RocksDB delayed or stopped writes.
  std::uint64_t warnings = 0;
  std::uint64_t wal_bytes = 0;
  std::uint64_t flush_bytes = 0;
  std::uint64_t compaction_write_bytes = 0;
  LatencyHistogram append_latency;  ///< Call to answer, blocking appends.
  LatencyHistogram write_latency;   ///< One RocksDB write with its sync.
  LatencyHistogram page_latency;
};

}  // namespace runlog

#endif  // RUNLOG_STATS_H_
