// Random numbers that tell one write from another of the same commit number.

#ifndef RUNLOG_ENGINE_NONCE_H_
#define RUNLOG_ENGINE_NONCE_H_

#include <cstdint>
#include <random>

namespace runlog::engine {

/// Where a process begins, so that two processes do not go the same way.
inline std::uint64_t RandomSeed() {
  std::random_device random;
  return std::uint64_t{random()} << 32U | random();
}

/// splitmix64: the nonce only has to differ between writes that could be mistaken for each other.
inline std::uint64_t NextNonce(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_NONCE_H_
