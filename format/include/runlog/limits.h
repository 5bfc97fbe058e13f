// runlog/limits.h - how large ids, events and appends may be.
//
// The first group is part of the contract of the source frameworks and of the format: it is the
// same in every store. The second may be lowered per store. Over a limit is always an error that
// names field, value and limit; nothing is ever cut.

#ifndef RUNLOG_LIMITS_H_
#define RUNLOG_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace runlog {

inline constexpr std::size_t kIdBytesMax = 256;  ///< thread_id, run_id, user_id; at least 1.
inline constexpr std::size_t kEventTypeCharactersMax = 32;  ///< Code points, not bytes; at least 1.
inline constexpr std::size_t kCategoryCharactersMax = 16;   ///< Code points, not bytes; at least 1.
inline constexpr std::size_t kIdempotencyKeyBytesMax = 128;
inline constexpr std::size_t kIndexedTaskIdBytesMax = 1024;  ///< Longer: stored, not indexed.
inline constexpr std::size_t kJsonDepthMax = 512;
inline constexpr std::uint64_t kSeqMax =
    (std::uint64_t{1} << 53) - 1;  ///< What JavaScript can hold.

struct Limits {
  /// The content of one event; and apart from it its metadata and extra fields together.
  /// Range [1 KiB, 16 MiB].
  std::size_t event_bytes = std::size_t{16} << 20;

  /// Events of one append. Range [1, 10 000].
  std::size_t append_events = 10'000;

  /// One encoded append. Range [event_bytes, 32 MiB].
  std::size_t append_bytes = std::size_t{32} << 20;
};

}  // namespace runlog

#endif  // RUNLOG_LIMITS_H_
