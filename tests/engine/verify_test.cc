// Goal: verify finds nothing in a good store, whatever was done to it, and names each thing that is
// wrong in a bad one, in both directions, without stopping at the first. Method: real stores; bad
// ones are made by changing single rows of a closed store, one kind of damage a case.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "engine/rocks.h"
#include "engine/writer_lock.h"
#include "format/event_codec.h"
#include "format/keys.h"
#include "format/records.h"
#include "index/posting_chunk.h"
#include "tests/engine/reading_test.h"

namespace runlog {
namespace {

using format::Family;
using format::OwnerNumber;
using format::RunNumber;
using format::ThreadNumber;

template <typename Bytes>
std::string ToString(const Bytes& bytes) {
  return {bytes.data(), bytes.size()};
}

Sample OwnedBy(std::string user, Sample sample) {
  sample.user = std::move(user);
  return sample;
}

class VerifyTest : public ReadingTest {
 protected:
  /// Thread "t" is T = 1 with runs r1 (R = 1) and r2 (R = 2), owner alice (U = 1), marks 1 to 8.
  void Fill() {
    Open();
    Append({Sample{}, Message(), OwnedBy("alice", Message()), OfTask("A")});
    Append({OwnedBy("alice", Sample{.run = "r2", .type = "run.end"}), Message("r2"),
            OfTask("A", "r2"), Sample{}});
    Append({Sample{}, Message()}, "other");
  }

  VerifySummary Verify() {
    faults_.clear();
    const auto view = Value(StoreView::Open(folder(), options_));
    return Value(view->Verify([this](const Fault& fault) { faults_.push_back(fault); }));
  }

  /// Changes rows of the closed store behind its back.
  void Tamper(const std::function<void(engine::Rocks&)>& change) {
    Close();
    {
      engine::WriterLock lock = Value(engine::WriterLock::Acquire(folder(), Clock::System()));
      const auto rocks =
          Value(engine::Rocks::Open(folder(), engine::OpenMode::kWrite, options_, std::move(lock)));
      change(*rocks);
    }
  }
  static void Put(engine::Rocks& rocks, Family family, const std::string& key,
                  const std::string& value) {
    ASSERT_TRUE(rocks.db().Put({}, rocks.family(family), key, value).ok());
  }
  static void Delete(engine::Rocks& rocks, Family family, const std::string& key) {
    ASSERT_TRUE(rocks.db().Delete({}, rocks.family(family), key).ok());
  }
  static std::string Get(engine::Rocks& rocks, Family family, const std::string& key) {
    std::string value;
    EXPECT_TRUE(Value(rocks.Get(family, key, value)));
    return value;
  }
  static std::string EventKeyOf(std::uint64_t seq) {
    return ToString(format::Encode(format::EventKey{ThreadNumber{1}, seq}));
  }

  /// Verify must find each of `kinds` at least once and no other.
  void ExpectKinds(const std::vector<std::string>& kinds) {
    const VerifySummary summary = Verify();
    EXPECT_EQ(summary.faults, faults_.size());
    std::map<std::string, int> found;
    for (const Fault& fault : faults_)
      ++found[fault.kind];
    std::map<std::string, int> expected;
    for (const std::string& kind : kinds)
      expected[kind] = found[kind];
    EXPECT_EQ(found, expected) << Told();
    for (const auto& [kind, count] : expected)
      EXPECT_GT(count, 0) << kind << " was not found";
  }
  std::string Told() const {
    std::string told;
    for (const Fault& fault : faults_) {
      told += fault.kind + " " + fault.family + " " + fault.thread_id + " " +
              std::to_string(fault.seq) + ": " + fault.detail + "\n";
    }
    return told;
  }

  std::vector<Fault> faults_;
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
  Append({Sample{.run = "r3"}, OwnedBy("bob", Message("r2"))});
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

TEST_F(VerifyTest, EveryByteOfAnEventIsGuarded) {
  Fill();
  std::string value;
  Tamper([&](engine::Rocks& rocks) { value = Get(rocks, Family::kEvents, EventKeyOf(3)); });
  for (std::size_t i = 0; i < value.size(); i += 13) {
    Open();
    Tamper([&](engine::Rocks& rocks) {
      std::string damaged = value;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
      Put(rocks, Family::kEvents, EventKeyOf(3), damaged);
    });
    ExpectKinds({"checksum"});
    ASSERT_EQ(faults_.size(), 1U) << "byte " << i << "\n" << Told();
    EXPECT_EQ(faults_.front().thread_id, "t");
    EXPECT_EQ(faults_.front().seq, 3U);
    EXPECT_EQ(faults_.front().family, "events");
  }
}

TEST_F(VerifyTest, AnEventUnderAnothersKeyDoesNotVerify) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    Put(rocks, Family::kEvents, EventKeyOf(3), Get(rocks, Family::kEvents, EventKeyOf(2)));
  });
  ExpectKinds({"checksum"});
}

TEST_F(VerifyTest, AnEventThatIsGoneIsMissedEverywhere) {
  Fill();
  Tamper([&](engine::Rocks& rocks) { Delete(rocks, Family::kEvents, EventKeyOf(3)); });
  ExpectKinds({"missing", "count", "index_extra"});
}

TEST_F(VerifyTest, AnEventAboveTheMarkIsFound) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    format::ThreadRecord record = Value(format::DecodeThreadRecord(
        Get(rocks, Family::kThreads, format::ThreadRecordKey(ThreadNumber{1}))));
    record.mark = 7;
    Put(rocks, Family::kThreads, format::ThreadRecordKey(ThreadNumber{1}), format::Encode(record));
  });
  ExpectKinds({"mark"});
}

TEST_F(VerifyTest, AGapOverALiveEventAndARowThatIsNoneAreFound) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    Put(rocks, Family::kGaps, ToString(format::GapKey(ThreadNumber{1}, 5)),
        format::Encode(format::GapRow{4, format::GapReason::kRunDeleted, RunNumber{1}, 1}));
    Put(rocks, Family::kGaps, ToString(format::GapKey(ThreadNumber{1}, 8)), "no gap row");
  });
  ExpectKinds({"overlap", "value"});
}

TEST_F(VerifyTest, EachIndexIsComparedBothWays) {
  struct Case {
    Family family;
    std::string prefix;  // of a list with seqs of run 1's first append
  };
  const ThreadNumber t{1};
  const RunNumber r{1};
  const std::vector<Case> cases = {
      {Family::kRunIndex, format::PostingPrefix(t, r)},
      {Family::kTypeIndex, format::PostingPrefix(t, r, "run.step")},
      {Family::kTaskIndex, format::PostingPrefix(t, r, "A")},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(format::FamilyName(one.family));
    if (&one == &cases.front()) {
      Fill();
    } else {
      Open();
    }
    std::string key;
    std::string chunk;
    Tamper([&](engine::Rocks& rocks) {
      const std::unique_ptr<rocksdb::Iterator> rows(
          rocks.db().NewIterator({}, rocks.family(one.family)));
      rows->Seek(one.prefix);
      ASSERT_TRUE(rows->Valid() && rows->key().starts_with(one.prefix));
      key = rows->key().ToString();
      chunk = rows->value().ToString();
      Delete(rocks, one.family, key);
    });
    ExpectKinds({"index_missing"});
    Open();
    Tamper([&](engine::Rocks& rocks) {
      Put(rocks, one.family, key, chunk);
      const std::vector<index::Posting> postings = {{7, format::EventClass(0)}};
      Put(rocks, one.family, format::PostingKey(one.prefix, 7), index::EncodeChunk(postings, 7));
    });
    ExpectKinds({"index_extra"});
    Open();
    Tamper([&](engine::Rocks& rocks) {
      Delete(rocks, one.family, format::PostingKey(one.prefix, 7));
    });
    ExpectKinds({});
  }
}

TEST_F(VerifyTest, AWrongClassByteOrMessageRowIsFound) {
  Fill();
  const std::string visible = ToString(
      format::Encode(format::MessageKey{ThreadNumber{1}, format::MessageVisibility::kVisible, 2}));
  const std::string hidden = ToString(
      format::Encode(format::MessageKey{ThreadNumber{1}, format::MessageVisibility::kHidden, 2}));
  Tamper([&](engine::Rocks& rocks) {
    Put(rocks, Family::kMessageIndex, hidden, Get(rocks, Family::kMessageIndex, visible));
    Delete(rocks, Family::kMessageIndex, visible);
  });
  ExpectKinds({"index_missing", "index_extra"});
}

TEST_F(VerifyTest, ChunksThatOverlapAreFound) {
  Fill();
  const std::string prefix = format::PostingPrefix(ThreadNumber{1}, RunNumber{1});
  Tamper([&](engine::Rocks& rocks) {
    const std::string last = format::PostingKey(prefix, 8);
    std::vector<index::Posting> postings;
    ASSERT_TRUE(index::DecodeChunk(Get(rocks, Family::kRunIndex, last), 8, postings).ok());
    postings.insert(postings.begin(), {4, format::EventClass(0)});
    Put(rocks, Family::kRunIndex, last, index::EncodeChunk(postings, 8));
  });
  ExpectKinds({"index_order", "index_extra"});
}

TEST_F(VerifyTest, FiguresBoundsAndDigestsOfARunAreCompared) {
  Fill();
  const auto change_slice = [&](const std::function<void(format::Figures&)>& change) {
    Tamper([&](engine::Rocks& rocks) {
      const std::string key = format::RunRecordKey(ThreadNumber{1}, RunNumber{1});
      format::RunRecord record = Value(format::DecodeRunRecord(Get(rocks, Family::kRuns, key)));
      change(record.slices.front().figures);
      Put(rocks, Family::kRuns, key, format::Encode(record));
    });
  };
  change_slice([](format::Figures& figures) { ++figures.bytes; });
  ExpectKinds({"count"});
  Open();
  change_slice([](format::Figures& figures) { --figures.bytes, ++figures.last_seq; });
  ExpectKinds({"bounds"});
  Open();
  change_slice([](format::Figures& figures) { --figures.last_seq, ++figures.digest.low; });
  ExpectKinds({"digest"});
}

TEST_F(VerifyTest, TotalsOfThreadsAndOwnersAreCompared) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    const std::string thread_key = format::ThreadRecordKey(ThreadNumber{1});
    format::ThreadRecord thread =
        Value(format::DecodeThreadRecord(Get(rocks, Family::kThreads, thread_key)));
    ++thread.messages;
    Put(rocks, Family::kThreads, thread_key, format::Encode(thread));
    const std::string owner_key = format::OwnerNameKey(ThreadNumber{1}, "alice");
    format::OwnerRecord owner =
        Value(format::DecodeOwnerRecord(Get(rocks, Family::kOwners, owner_key)));
    --owner.events;
    Put(rocks, Family::kOwners, owner_key, format::Encode(owner));
  });
  ExpectKinds({"count"});
  EXPECT_EQ(faults_.size(), 2U) << Told();
}

TEST_F(VerifyTest, NamesMustLeadToTheirNumbersAndBack) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    Put(rocks, Family::kRuns, format::RunNameKey(ThreadNumber{1}, "r1"), format::EncodeU32(2));
    Delete(rocks, Family::kOwners, format::OwnerNumberKey(ThreadNumber{1}, OwnerNumber{1}));
    Delete(rocks, Family::kThreads, format::ThreadNameKey("other"));
    Put(rocks, Family::kThreads, format::ThreadNameKey("nobody"), format::EncodeU64(99));
  });
  ExpectKinds({"name"});
  std::map<std::string, int> families;
  for (const Fault& fault : faults_)
    ++families[fault.family];
  EXPECT_GE(families["runs"], 2) << Told();
  EXPECT_GE(families["owners"], 1) << Told();
  EXPECT_EQ(families["threads"], 2) << Told();
}

TEST_F(VerifyTest, RowsOfNoThreadAreOrphans) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    Put(rocks, Family::kEvents, ToString(format::Encode(format::EventKey{ThreadNumber{77}, 1})),
        Get(rocks, Family::kEvents, EventKeyOf(1)));
    Put(rocks, Family::kRuns, format::RunRecordKey(ThreadNumber{78}, RunNumber{1}),
        Get(rocks, Family::kRuns, format::RunRecordKey(ThreadNumber{1}, RunNumber{1})));
    Put(rocks, Family::kGaps, ToString(format::GapKey(ThreadNumber{78}, 1)),
        format::Encode(format::GapRow{1, format::GapReason::kLost, RunNumber{1}, 1}));
  });
  ExpectKinds({"orphan"});
  EXPECT_EQ(faults_.size(), 3U) << Told();
}

TEST_F(VerifyTest, CommitsMustFollowOneAnother) {
  Fill();
  Append({Sample{}});
  Tamper([&](engine::Rocks& rocks) {
    Delete(rocks, Family::kCommits, ToString(format::CommitKey(2)));
  });
  ExpectKinds({"commit"});
}

TEST_F(VerifyTest, ABlockThatCannotBeReadIsAFaultAndTheRestIsChecked) {
  Open();
  for (int i = 0; i < 40; ++i) {
    std::vector<Sample> samples(50);
    for (std::size_t j = 0; j < samples.size(); ++j) {
      samples[j].text =
          std::string(500, static_cast<char>('a' + (i * 7 + static_cast<int>(j)) % 26));
    }
    Append(samples, i % 2 == 0 ? "a" : "b");
  }
  Purge();
  // The name of a file with events, of which one block in the middle is to be damaged.
  std::string file;
  Tamper([&](engine::Rocks& rocks) {
    std::vector<rocksdb::LiveFileMetaData> files;
    rocks.db().GetLiveFilesMetaData(&files);
    for (const rocksdb::LiveFileMetaData& meta : files) {
      if (meta.column_family_name == "events") file = meta.db_path + meta.name;
    }
  });
  ASSERT_FALSE(file.empty());
  {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) / 3));
    bytes.put('\x5a').put('\xa5').put('\x5a');
  }
  const VerifySummary summary = Verify();
  ASSERT_EQ(summary.faults, 1U) << Told();
  EXPECT_EQ(faults_.front().kind, "unreadable");
  EXPECT_EQ(faults_.front().family, "events");
  EXPECT_GT(summary.events, 1000U);
  EXPECT_LT(summary.events, 2000U);
}

}  // namespace
}  // namespace runlog
