// Random values for tests, the same for the same seed on every machine. Name the seed in a
// SCOPED_TRACE, so that a failure says how to come back.

#ifndef RUNLOG_TESTS_SUPPORT_SEEDED_RANDOM_H_
#define RUNLOG_TESTS_SUPPORT_SEEDED_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace runlog::testing {

class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t Bits64() { return engine_(); }
  std::uint32_t Bits32() { return static_cast<std::uint32_t>(engine_() >> 32); }
  /// In [0, count). Requires: count > 0.
  std::uint64_t Below(std::uint64_t count) { return engine_() % count; }
  /// In [min, max].
  std::uint64_t Between(std::uint64_t min, std::uint64_t max) { return min + Below(max - min + 1); }
  bool OneIn(std::uint64_t count) { return Below(count) == 0; }
  /// Of any magnitude: as often below 2^8 as above 2^56, as ids and counters are.
  std::uint64_t AnyMagnitude() { return engine_() >> Below(64); }
  std::int64_t SignedAnyMagnitude() {
    const auto value = static_cast<std::int64_t>(AnyMagnitude() >> 1);
    return OneIn(2) ? value : -value - 1;
  }
  std::string Bytes(std::size_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(Below(256));
    return bytes;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_SUPPORT_SEEDED_RANDOM_H_
