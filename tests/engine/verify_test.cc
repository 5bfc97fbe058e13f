// Goal: verify finds nothing in a good store, whatever was done to it: beside a writer, after
// deletes, at every step of a purge. Method: real stores; purges are done slice by slice.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/hidden_set.h"
#include "engine/purge_plan.h"
#include "format/records.h"
#include "tests/engine/verifying_test.h"

namespace runlog {
namespace {

using format::Family;

class VerifyTest : public VerifyingTest {
 protected:
  /// Writes the next slice of what awaits purging. False where nothing did.
  static bool PurgeOneSlice(engine::Rocks& rocks) {
    const std::unique_ptr<rocksdb::Iterator> rows(
        rocks.db().NewIterator({}, rocks.family(Family::kHidden)));
    rows->SeekToFirst();
    if (!rows->Valid()) return false;
    const std::string row = rows->key().ToString();
    const engine::HiddenRange range{*format::DecodeHiddenKey(row),
                                    Value(format::DecodeHiddenRow(rows->value().ToStringView()))};
    engine::PurgePlan plan(rocks, range);
    const auto slice = Value(plan.Next());
    if (!slice) {
      Delete(rocks, Family::kHidden, row);
      return true;
    }
    rocksdb::WriteBatch batch;
    for (const auto& change : slice->changes) {
      rocksdb::ColumnFamilyHandle* family = rocks.family(change.family);
      const rocksdb::Status added = change.value ? batch.Put(family, change.key, *change.value)
                                                 : batch.Delete(family, change.key);
      EXPECT_TRUE(added.ok());
    }
    EXPECT_TRUE(rocks.db().Write({}, &batch).ok());
    return true;
  }
};

TEST_F(VerifyTest, AnEmptyStoreHasNoFaults) {
  Open();
  Close();
  const VerifySummary summary = Verify();
  EXPECT_EQ(summary.faults, 0U) << Told();
  EXPECT_EQ(summary.threads, 0U);
}

TEST_F(VerifyTest, AGoodStoreIsCountedAndHasNoFaults) {
  Fill();
  Close();
  std::uint64_t progress = 0;
  const auto view = Value(StoreView::Open(folder(), options_));
  const VerifySummary summary =
      Value(view->Verify({}, [&](std::uint64_t events) { progress = events; }));
  EXPECT_EQ(summary.faults, 0U);
  EXPECT_EQ(summary.events, 10U);
  EXPECT_EQ(summary.threads, 2U);
  EXPECT_EQ(summary.runs, 3U);
  // Each event in its run's and its type's list, two in a task's, four messages.
  EXPECT_EQ(summary.index_entries, 10U + 10U + 2U + 4U);
  EXPECT_EQ(summary.pending_purge, 0U);
  EXPECT_EQ(progress, 10U);
}

TEST_F(VerifyTest, AViewBesideTheWriterVerifiesRecordsThatAreNotWrittenBack) {
  Fill();
  DeleteRun("r2", "alice");
  Append({Sample{.run = "r3"}, Owned(Message("r2"), "bob")});
  const VerifySummary summary = Verify();
  EXPECT_EQ(summary.faults, 0U) << Told();
  EXPECT_EQ(summary.events, 11U);
  EXPECT_EQ(summary.pending_purge, 1U);
}

TEST_F(VerifyTest, DeletesLeaveNoFaultsHiddenPurgedOrBetween) {
  Fill();
  DeleteRun("r2");
  DeleteRun("r1", "alice");
  Value(store().DeleteThread("other"));
  Append({Sample{.run = "r2"}, Sample{}});
  Close();
  VerifySummary summary = Verify();
  EXPECT_EQ(summary.faults, 0U) << Told();
  EXPECT_EQ(summary.events, 6U);
  EXPECT_EQ(summary.threads, 1U);
  EXPECT_EQ(summary.pending_purge, 4U + 2U);

  Open();
  Purge();
  Close();
  summary = Verify();
  EXPECT_EQ(summary.faults, 0U) << Told();
  EXPECT_EQ(summary.events, 6U);
  EXPECT_EQ(summary.pending_purge, 0U);
}

TEST_F(VerifyTest, EverySliceOfAPurgeLeavesAGoodStore) {
  Open();
  std::vector<Sample> samples;
  for (int i = 0; i < 1500; ++i) {
    samples.push_back(i % 3 == 0 ? OfTask("A") : Message(i % 2 == 0 ? "r1" : "r2"));
    if (i % 5 == 0) samples.back().user = "alice";
  }
  Append(samples);
  Append(samples, "ended");
  DeleteRun("r2");
  DeleteRun("r1", "alice");
  Value(store().DeleteThread("ended"));
  Close();
  const std::uint64_t live = Verify().events;
  int slices = 0;
  for (bool left = true; left;) {
    Open();
    Tamper([&](engine::Rocks& rocks) { left = PurgeOneSlice(rocks); });
    ASSERT_EQ(Verify().faults, 0U) << "slice " << slices << "\n" << Told();
    ASSERT_EQ(Verify().events, live);
    ++slices;
  }
  EXPECT_EQ(Verify().pending_purge, 0U);
  EXPECT_GT(slices, 8);
}

}  // namespace
}  // namespace runlog
