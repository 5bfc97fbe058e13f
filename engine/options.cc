#include <chrono>
#include <string>

#include <fmt/format.h>

#include <runlog/options.h>

namespace runlog {
namespace {

class SystemClock final : public Clock {
 public:
  Timestamp Now() const override {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count()};
  }
};

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

Status CheckRange(std::string_view field, std::uint64_t value, std::uint64_t low,
                  std::uint64_t high) {
  if (value >= low && value <= high) return {};
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{}: {}, must be from {} to {}", field, value, low, high));
}

}  // namespace

Clock::~Clock() = default;

const Clock& Clock::System() {
  static const SystemClock clock;
  return clock;
}

std::string_view DurabilityName(Durability level) {
  switch (level) {
    case Durability::kBuffered:
      return "buffered";
    case Durability::kSync:
      return "sync";
  }
  return "unknown";
}

Status StoreOptions::Validate() const {
  if (durability != Durability::kBuffered && durability != Durability::kSync) {
    return Status(StatusCode::kInvalidArgument, "durability: no such level");
  }
  if (timeout.count() < 0) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("timeout: {} ms is negative", timeout.count()));
  }
  if (clock == nullptr) return Status(StatusCode::kInvalidArgument, "clock: is null");
  if (Status s = CheckRange("limits.event_bytes", limits.event_bytes, 1024, 16 * kMiB); !s.ok()) {
    return s;
  }
  if (Status s = CheckRange("limits.append_events", limits.append_events, 1, 10'000); !s.ok()) {
    return s;
  }
  if (Status s =
          CheckRange("limits.append_bytes", limits.append_bytes, limits.event_bytes, 32 * kMiB);
      !s.ok()) {
    return s;
  }
  if (Status s =
          CheckRange("commit_queue_bytes", commit_queue_bytes, limits.append_bytes, 1024 * kMiB);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckRange("thread_cache_bytes", thread_cache_bytes, 64 * 1024, 65'536 * kMiB);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckRange("block_cache_bytes", block_cache_bytes, kMiB, 1'048'576 * kMiB);
      !s.ok()) {
    return s;
  }
  return CheckRange("memtable_bytes", memtable_bytes, kMiB, 4096 * kMiB);
}

}  // namespace runlog
