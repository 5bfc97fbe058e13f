// Numbers that are the same for a seed on every machine and compiler.

#ifndef RUNLOG_TOOLS_EXAMPLE_RANDOM_H_
#define RUNLOG_TOOLS_EXAMPLE_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace runlog::tools {

/// SplitMix64: 64 bits of state, good enough to make texts differ.
class ExampleRandom {
 public:
  explicit ExampleRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31U;
  }

  /// From 0 to `end` - 1. Requires: `end` > 0. The bias of the remainder does not matter here.
  std::uint64_t Below(std::uint64_t end) { return Next() % end; }
  /// From `first` to `last`, both included.
  std::uint64_t Between(std::uint64_t first, std::uint64_t last) {
    return first + Below(last - first + 1);
  }
  bool Chance(unsigned percent) { return Below(100) < percent; }

  template <typename T, std::size_t Extent>
  const T& Pick(std::span<const T, Extent> choices) {
    return choices[static_cast<std::size_t>(Below(choices.size()))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EXAMPLE_RANDOM_H_
