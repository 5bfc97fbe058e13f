// XXH3 over stored bytes, and the digest of a set of events. The only user of xxhash.h is the .cc.

#ifndef RUNLOG_FORMAT_CHECKSUM_H_
#define RUNLOG_FORMAT_CHECKSUM_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace runlog::format {

std::uint64_t Hash64(std::string_view bytes);

/// A 128-bit number: the XXH3-128 of something, or a sum of such modulo 2^128.
struct Digest128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Digest128&, const Digest128&) = default;
  Digest128& operator+=(const Digest128& other);  // modulo 2^128
  Digest128& operator-=(const Digest128& other);
};

Digest128 Hash128(std::string_view bytes);

/// What one event adds to its run's digest: FORMAT.md, "Records". Does not depend on any number a
/// store gives out but seq, so equal events have equal digests in every store.
Digest128 EventDigest(std::string_view thread_id, std::string_view run_id,
                      std::optional<std::string_view> user_id, std::uint64_t seq,
                      std::uint64_t body_hash);

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_CHECKSUM_H_
