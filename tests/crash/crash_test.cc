// Goal: what a store acknowledged outlives the death of its process, at any moment. Method: a child
// process on a real disk writes from several workers and reports each receipt; it is killed with
// SIGKILL, its store verified, opened again and compared with the reports; the next child goes on
// in the same folder.
//
// A kill leaves the kernel alive, so this says nothing about a power cut: `buffered` and `sync`
// must both lose nothing here.
//
// RUNLOG_KILLS: how many. RUNLOG_SEED: of the whole test; the moments are not repeatable.

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/crash/ledger.h"
#include "tests/crash/writer_process.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/seeded_random.h"
#include "tests/support/store_test.h"
#include "tests/support/tier.h"

namespace runlog::testing {
namespace {

constexpr std::uint64_t kKillsOfAFolder = 5;
constexpr std::size_t kRetries = 40;

KillMoment SomeMoment(SeededRandom& random) {
  // Now and then while the store is being made or opened.
  if (random.OneIn(8)) return {false, std::chrono::microseconds(random.Below(60'000))};
  return {true, std::chrono::microseconds(random.Between(20'000, 500'000))};
}

/// Kills a writer, compares what it left with what it told, and goes on with the store.
void KillAndCompare(const std::filesystem::path& folder, Ledger& ledger, std::uint64_t seed) {
  SeededRandom random(seed);
  ledger.Add(WriteUntilKilled(folder, seed, SomeMoment(random)));
  StoreOptions options;
  options.background_purge = random.OneIn(2);
  options.memtable_bytes = std::uint64_t{4} << 20;
  const bool was_made = StoreView::Open(folder, options).status().code() != StatusCode::kNotFound;
  if (was_made) ExpectSound(folder, options);
  const std::unique_ptr<EventStore> store = OpenStore(folder, options);
  ASSERT_NE(store, nullptr);
  ledger.Check(*store);
  if (::testing::Test::HasFailure()) return;
  ledger.RetryKeyed(*store, kRetries);
  ledger.AppendToEach(*store, seed);
  EXPECT_OK(store->Close());
}

/// Folders are dealt to so many tests, which may run side by side.
constexpr std::uint64_t kHands = 2;

class CrashTest : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(CrashTest, WhatWasAcknowledgedOutlivesAKill) {
  const std::uint64_t all =
      AmountFrom("RUNLOG_KILLS", {.short_tier = 50, .nightly = 500, .release = 2000});
  const std::uint64_t kills = (all + kHands - 1) / kHands;
  const std::uint64_t seed = Mixed(NumberFrom("RUNLOG_SEED", 1), GetParam());
  std::uint64_t acknowledged = 0;
  std::uint64_t unanswered_found = 0;
  for (std::uint64_t kill = 0; kill < kills;) {
    const ScratchDir scratch;
    Ledger ledger;
    for (std::uint64_t end = kill + kKillsOfAFolder; kill < end && kill < kills; ++kill) {
      SCOPED_TRACE("RUNLOG_SEED=" + std::to_string(NumberFrom("RUNLOG_SEED", 1)) + ", kill " +
                   std::to_string(kill));
      KillAndCompare(scratch.path() / "store", ledger, Mixed(seed, kill));
      if (HasFailure()) return;
    }
    acknowledged += ledger.acknowledged();
    unanswered_found += ledger.unanswered_found();
  }
  std::cout << "RUNLOG_SEED=" << NumberFrom("RUNLOG_SEED", 1) << ": " << kills << " kills, "
            << acknowledged << " acknowledged commits, " << unanswered_found
            << " others found whole\n";
  EXPECT_GT(acknowledged, kills * 10);
}

INSTANTIATE_TEST_SUITE_P(Hands, CrashTest, ::testing::Range<std::uint64_t>(0, kHands));

}  // namespace
}  // namespace runlog::testing
