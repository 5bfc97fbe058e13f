#include "engine/counters.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace runlog {
namespace {

/// Four buckets to each power of two: the two bits behind the leading one.
std::size_t BucketOf(std::uint64_t ns) {
  if (ns < 4) return static_cast<std::size_t>(ns);
  const auto exponent = static_cast<std::size_t>(std::bit_width(ns)) - 1;
  const std::size_t quarter = (ns >> (exponent - 2)) & 3U;
  return std::min((exponent - 1) * 4 + quarter, LatencyHistogram::kBuckets - 1);
}

std::uint64_t UpperBoundOf(std::size_t bucket) {
  if (bucket < 4) return bucket;
  const std::size_t exponent = bucket / 4 + 1;
  const std::uint64_t quarter = bucket % 4;
  return ((std::uint64_t{5} + quarter) << (exponent - 2)) - 1;
}

}  // namespace

std::uint64_t LatencyHistogram::Quantile(double quantile) const {
  if (count == 0) return 0;
  const auto rank = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(quantile * static_cast<double>(count))));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets[bucket];
    if (seen >= rank) return std::min(UpperBoundOf(bucket), max_ns);
  }
  return max_ns;
}

namespace engine {

void Histogram::Add(std::chrono::nanoseconds latency) {
  const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(0, latency.count()));
  Bump(buckets_[BucketOf(ns)]);
  Bump(count_);
  Bump(sum_ns_, ns);
  std::uint64_t most = max_ns_.load(std::memory_order_relaxed);
  while (ns > most && !max_ns_.compare_exchange_weak(most, ns, std::memory_order_relaxed)) {
  }
}

LatencyHistogram Histogram::Take() const {
  LatencyHistogram taken;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    taken.buckets[bucket] = buckets_[bucket].load(std::memory_order_relaxed);
    taken.count += taken.buckets[bucket];
  }
  taken.sum_ns = sum_ns_.load(std::memory_order_relaxed);
  taken.max_ns = max_ns_.load(std::memory_order_relaxed);
  return taken;
}

}  // namespace engine
}  // namespace runlog
