// The store against a model: whatever is done in whatever order, every answer of the store is the
// one a plain list of events gives, also after reopening, from another reader's view, and with
// caches so small that everything is dropped and read back. Half the seeds use such caches, half
// purge in the background.
//
// RUNLOG_SEEDS, RUNLOG_STEPS: how many seeds, and steps of each. RUNLOG_SEED: only this seed.

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/model/store_walk.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/tier.h"

namespace runlog::testing {
namespace {

/// Seeds are dealt to so many tests, which may run side by side.
constexpr std::uint64_t kHands = 4;

class StoreModelTest : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(StoreModelTest, EveryAnswerIsTheModels) {
  const std::uint64_t seeds =
      AmountFrom("RUNLOG_SEEDS", {.short_tier = 20, .nightly = 200, .release = 1000});
  const std::uint64_t steps =
      AmountFrom("RUNLOG_STEPS", {.short_tier = 2'000, .nightly = 5'000, .release = 10'000});
  const std::uint64_t only = NumberFrom("RUNLOG_SEED", 0);
  for (std::uint64_t seed = 1; seed <= seeds || seed == only; ++seed) {
    if (only != 0 && seed != only) continue;
    if (seed % kHands != GetParam()) continue;
    SCOPED_TRACE("RUNLOG_SEED=" + std::to_string(seed) + " RUNLOG_STEPS=" + std::to_string(steps));
    const ScratchDir scratch;
    StoreWalk walk(scratch.path() / "store", seed);
    walk.Run(steps);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Hands, StoreModelTest, ::testing::Range<std::uint64_t>(0, kHands));

}  // namespace
}  // namespace runlog::testing
