// Goal: verify names each thing that is wrong, in both directions, and nothing else, without
// stopping at the first. Method: a good store, of which single rows are changed, one kind of damage
// a case.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "format/event_codec.h"
#include "format/keys.h"
#include "format/records.h"
#include "index/posting_chunk.h"
#include "tests/engine/verifying_test.h"

namespace runlog {
namespace {

using format::Family;
using format::OwnerNumber;
using format::RunNumber;
using format::ThreadNumber;

using VerifyDamageTest = VerifyingTest;

TEST_F(VerifyDamageTest, EveryByteOfAnEventIsGuarded) {
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

TEST_F(VerifyDamageTest, AnEventUnderAnothersKeyDoesNotVerify) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    Put(rocks, Family::kEvents, EventKeyOf(3), Get(rocks, Family::kEvents, EventKeyOf(2)));
  });
  ExpectKinds({"checksum"});
}

TEST_F(VerifyDamageTest, AnEventThatIsGoneIsMissedEverywhere) {
  Fill();
  Tamper([&](engine::Rocks& rocks) { Delete(rocks, Family::kEvents, EventKeyOf(3)); });
  ExpectKinds({"missing", "count", "index_extra"});
}

TEST_F(VerifyDamageTest, AnEventAboveTheMarkIsFound) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    format::ThreadRecord record = Value(format::DecodeThreadRecord(
        Get(rocks, Family::kThreads, format::ThreadRecordKey(ThreadNumber{1}))));
    record.mark = 7;
    Put(rocks, Family::kThreads, format::ThreadRecordKey(ThreadNumber{1}), format::Encode(record));
  });
  ExpectKinds({"mark"});
}

TEST_F(VerifyDamageTest, AGapOverALiveEventAndARowThatIsNoneAreFound) {
  Fill();
  Tamper([&](engine::Rocks& rocks) {
    Put(rocks, Family::kGaps, ToString(format::GapKey(ThreadNumber{1}, 5)),
        format::Encode(format::GapRow{4, format::GapReason::kRunDeleted, RunNumber{1}, 1}));
    Put(rocks, Family::kGaps, ToString(format::GapKey(ThreadNumber{1}, 8)), "no gap row");
  });
  ExpectKinds({"overlap", "value"});
}

TEST_F(VerifyDamageTest, EachIndexIsComparedBothWays) {
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

TEST_F(VerifyDamageTest, AWrongClassByteOrMessageRowIsFound) {
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

TEST_F(VerifyDamageTest, ChunksThatOverlapAreFound) {
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

TEST_F(VerifyDamageTest, FiguresBoundsAndDigestsOfARunAreCompared) {
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

TEST_F(VerifyDamageTest, TotalsOfThreadsAndOwnersAreCompared) {
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

TEST_F(VerifyDamageTest, ARunsStateIsThatOfItsEvents) {
  Fill();
  Append({Sample{.run = "r2", .type = "run_completed"}});
  EXPECT_EQ(Value(reader().Runs("t"))[1].state, RunState::kEnded);
  Tamper([&](engine::Rocks& rocks) {
    const std::string key = format::RunRecordKey(ThreadNumber{1}, RunNumber{2});
    format::RunRecord record = Value(format::DecodeRunRecord(Get(rocks, Family::kRuns, key)));
    record.status = "failed";
    Put(rocks, Family::kRuns, key, format::Encode(record));
  });
  ExpectKinds({"state"});
}

TEST_F(VerifyDamageTest, NamesMustLeadToTheirNumbersAndBack) {
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

TEST_F(VerifyDamageTest, RowsOfNoThreadAreOrphans) {
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

TEST_F(VerifyDamageTest, CommitsMustFollowOneAnother) {
  Fill();
  Append({Sample{}});
  Tamper([&](engine::Rocks& rocks) {
    Delete(rocks, Family::kCommits, ToString(format::CommitKey(2)));
  });
  ExpectKinds({"commit"});
}

TEST_F(VerifyDamageTest, ABlockThatCannotBeReadIsAFaultAndTheRestIsChecked) {
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
