// Goal: what a power cut may leave opens, and what only loss leaves does not. Method: the scans of
// made-up logs, record by record.

#include "engine/wal_check.h"

#include <gtest/gtest.h>

namespace runlog::engine {
namespace {

constexpr std::uint64_t kTag = 7;

/// Logs in which every record has one entry, and commit N has sequence number N.
class WalCheckTest : public ::testing::Test {
 protected:
  void Log(const char* name) { check_.StartLog(name); }
  void Records(std::uint64_t first, std::uint64_t last, std::uint64_t durable = 0,
               std::uint64_t tag = kTag) {
    for (std::uint64_t i = first; i <= last; ++i)
      check_.OnRecord({i, 1, format::WalMark{tag, i, durable}});
  }
  void Damage(std::uint64_t offset) { check_.OnDamage(offset); }
  static format::DurablePoint Durable(std::uint64_t commit) { return {commit, commit}; }

  WalCheck check_{/*table_sequence=*/100, kTag};
};

TEST_F(WalCheckTest, LogsThatFollowEachOtherAreWhole) {
  Log("4");
  Records(90, 110, 80);
  Log("5");
  Records(111, 120, 110);
  const WalVerdict verdict = check_.Finish();
  EXPECT_EQ(verdict.end, 120U);
  EXPECT_EQ(verdict.last_commit, 120U);
  EXPECT_FALSE(verdict.is_cut);
  EXPECT_TRUE(verdict.broken_log.empty());
  EXPECT_FALSE(verdict.lost(Durable(120)));
}

TEST_F(WalCheckTest, WithoutLogsTheTablesAreAll) {
  const WalVerdict verdict = check_.Finish();
  EXPECT_EQ(verdict.end, 100U);
  EXPECT_FALSE(verdict.lost(Durable(100)));
  EXPECT_TRUE(verdict.lost(Durable(101)));
}

TEST_F(WalCheckTest, ATornTailIsLegal) {
  Log("4");
  Records(101, 110, 105);
  Damage(500);
  const WalVerdict verdict = check_.Finish();
  EXPECT_EQ(verdict.end, 110U);
  EXPECT_FALSE(verdict.is_cut) << "nothing follows";
  EXPECT_FALSE(verdict.lost(Durable(110)));
  EXPECT_TRUE(verdict.lost(Durable(111))) << "the anchor knows better";
  EXPECT_EQ(verdict.broken_log, "4");
  EXPECT_EQ(verdict.broken_at, 500U);
}

TEST_F(WalCheckTest, DamageBeforeARecordThatSaysItWasDurableIsLoss) {
  Log("4");
  Records(101, 110, 105);
  Damage(500);
  Records(112, 113, 111);
  const WalVerdict verdict = check_.Finish();
  EXPECT_TRUE(verdict.is_cut);
  EXPECT_TRUE(verdict.lost({}));
  EXPECT_EQ(verdict.end, 110U);
  EXPECT_EQ(verdict.proven.sequence, 111U);
}

TEST_F(WalCheckTest, DamageBeforeRecordsThatWereNotSyncedIsAPowerCut) {
  Log("4");
  Records(101, 110, 105);
  Damage(500);
  Records(112, 113, 105);
  const WalVerdict verdict = check_.Finish();
  EXPECT_TRUE(verdict.is_cut) << "what follows the hole must not be replayed";
  EXPECT_FALSE(verdict.lost(Durable(110)));
}

TEST_F(WalCheckTest, ATornLogThatTheNextOneGoesOnFromIsWhole) {
  Log("4");
  Records(101, 110);
  Damage(500);
  Log("5");
  Records(111, 112, 110);
  const WalVerdict verdict = check_.Finish();
  EXPECT_FALSE(verdict.is_cut);
  EXPECT_FALSE(verdict.lost(Durable(112)));
  EXPECT_EQ(verdict.end, 112U);
}

TEST_F(WalCheckTest, AMissingLogIsAGap) {
  Log("4");
  Records(101, 110);
  Log("6");
  Records(121, 122, 120);
  const WalVerdict verdict = check_.Finish();
  EXPECT_TRUE(verdict.is_gap);
  EXPECT_EQ(verdict.log_before, "4");
  EXPECT_EQ(verdict.broken_log, "6");
  EXPECT_TRUE(verdict.lost({}));
}

TEST_F(WalCheckTest, AMissingLogThatWasNotSyncedIsNoLoss) {
  Log("4");
  Records(101, 110, 100);
  Log("6");
  Records(121, 122, 100);
  const WalVerdict verdict = check_.Finish();
  EXPECT_TRUE(verdict.is_cut);
  EXPECT_FALSE(verdict.lost(Durable(110)));
}

TEST_F(WalCheckTest, ALogThatDoesNotMeetTheTablesIsAGap) {
  Log("4");
  Records(102, 110, 101);
  const WalVerdict verdict = check_.Finish();
  EXPECT_TRUE(verdict.is_gap);
  EXPECT_TRUE(verdict.log_before.empty());
  EXPECT_TRUE(verdict.lost({}));
  EXPECT_EQ(verdict.end, 100U);
}

TEST_F(WalCheckTest, MarksOfAnOpeningSayNothing) {
  Log("4");
  check_.OnRecord({500, 0, std::nullopt});
  Records(101, 110);
  EXPECT_EQ(check_.Finish().end, 110U);
}

TEST_F(WalCheckTest, TheLogOfAnotherStoreIsNotReplayed) {
  Log("4");
  Records(101, 110);
  Log("5");
  Records(111, 112, 110, kTag + 1);
  const WalVerdict verdict = check_.Finish();
  EXPECT_EQ(verdict.foreign_log, "5");
  EXPECT_TRUE(verdict.lost({}));
  EXPECT_EQ(verdict.end, 110U);
}

}  // namespace
}  // namespace runlog::engine
