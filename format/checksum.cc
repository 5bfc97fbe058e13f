#include "format/checksum.h"

#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "format/bytes.h"

namespace runlog::format {

std::uint64_t Hash64(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Digest128 Hash128(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

Digest128& Digest128::operator+=(const Digest128& other) {
  const std::uint64_t sum = low + other.low;  // `other` may be this digest
  const std::uint64_t carry = sum < low ? 1 : 0;
  high += other.high + carry;
  low = sum;
  return *this;
}

Digest128& Digest128::operator-=(const Digest128& other) {
  const std::uint64_t borrow = low < other.low ? 1 : 0;
  low -= other.low;
  high -= other.high + borrow;
  return *this;
}

Digest128 EventDigest(std::string_view thread_id, std::string_view run_id,
                      std::optional<std::string_view> user_id, std::uint64_t seq,
                      std::uint64_t body_hash) {
  const std::string_view owner = user_id.value_or(std::string_view());
  std::string bytes;
  bytes.reserve(thread_id.size() + run_id.size() + owner.size() + 32);
  AppendVarstr(bytes, thread_id);
  AppendVarstr(bytes, run_id);
  AppendVarstr(bytes, owner);  // no user_id is empty, so an empty one is none
  AppendLittle64(bytes, seq);
  AppendLittle64(bytes, body_hash);
  return Hash128(bytes);
}

}  // namespace runlog::format
