// Goal: a scan sees every record of a log that RocksDB wrote, and after damage every one behind it.
// Method: real logs of RocksDB with records of one block, of many and of the sizes between; then
// each byte of a small log changed, and the log cut behind each.

#include "engine/wal_scan.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include "tests/support/scratch_dir.h"
#include "tests/support/status_matchers.h"

namespace runlog::engine {
namespace {

namespace fs = std::filesystem;
using runlog::testing::FailsWith;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// What a scan of a log found.
struct Found {
  std::vector<std::uint64_t> commits;  // of the marks, in file order
  std::vector<std::uint64_t> damage;
  std::size_t unmarked = 0;
};

class WalScanTest : public ::testing::Test {
 protected:
  /// One record a size, each with a value of it and a mark whose commit is the record's number.
  fs::path Write(const std::vector<std::size_t>& sizes) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* opened = nullptr;
    EXPECT_TRUE(rocksdb::DB::Open(options, (scratch_.path() / "db").string(), &opened).ok());
    const std::unique_ptr<rocksdb::DB> db(opened);
    std::uint64_t commit = 0;
    for (const std::size_t size : sizes) {
      rocksdb::WriteBatch batch;
      EXPECT_TRUE(batch.Put("a key", std::string(size, 'v')).ok());
      EXPECT_TRUE(batch.PutLogData(format::Encode(format::WalMark{7, ++commit, 0})).ok());
      EXPECT_TRUE(db->Write({}, &batch).ok());
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(scratch_.path() / "db")) {
      if (entry.path().extension() == ".log") fs::copy_file(entry.path(), log());
    }
    return log();
  }
  fs::path log() const { return scratch_.path() / "copy.log"; }

  std::string Bytes() const {
    std::ifstream file(log(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void SetBytes(const std::string& bytes) const {
    std::ofstream(log(), std::ios::binary | std::ios::trunc) << bytes;
  }

  Found Scan() const {
    Found found;
    const WalVisitor visitor{[&](const WalRecord& record) {
                               if (!record.mark) {
                                 ++found.unmarked;
                                 return;
                               }
                               EXPECT_EQ(record.mark->store_tag, 7U);
                               EXPECT_EQ(record.sequence, record.mark->last_commit);
                               EXPECT_EQ(record.count, 1U);
                               found.commits.push_back(record.mark->last_commit);
                             },
                             [&](std::uint64_t offset) { found.damage.push_back(offset); }};
    EXPECT_OK(ScanWal(log(), visitor));
    return found;
  }

 private:
  runlog::testing::ScratchDir scratch_;
};

TEST_F(WalScanTest, EveryRecordOfEverySize) {
  std::vector<std::size_t> sizes{0, 1, 32'768, 100'000, 1'000'000, 20};
  for (std::size_t size = 32'600; size < 32'780; ++size)
    sizes.push_back(size);  // the header of the next falls on every byte of a block's end
  Write(sizes);
  const Found found = Scan();
  EXPECT_THAT(found.damage, IsEmpty());
  EXPECT_EQ(found.unmarked, 0U) << "a log of a new database has no mark of an opening";
  ASSERT_THAT(found.commits, SizeIs(sizes.size()));
  for (std::size_t i = 0; i < found.commits.size(); ++i)
    EXPECT_EQ(found.commits[i], i + 1);
}

TEST_F(WalScanTest, ALogThatIsNotThereIsAnError) {
  EXPECT_THAT(ScanWal(log(), {}), FailsWith(StatusCode::kIoError));
}

TEST_F(WalScanTest, AnEmptyLogHasNothing) {
  SetBytes("");
  const Found found = Scan();
  EXPECT_THAT(found.commits, IsEmpty());
  EXPECT_THAT(found.damage, IsEmpty());
}

TEST_F(WalScanTest, AChangedByteCostsItsRecordAndNoOther) {
  Write({10, 20, 30});
  const std::string bytes = Bytes();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x04);
    SetBytes(changed);
    const Found found = Scan();
    EXPECT_THAT(found.commits, SizeIs(2)) << "byte " << at;
    EXPECT_THAT(found.damage, SizeIs(1)) << "byte " << at;
  }
}

TEST_F(WalScanTest, AChangedByteInARecordOfManyBlocksCostsNoOther) {
  Write({10, 200'000, 30});
  const std::string bytes = Bytes();
  for (std::size_t at = 100; at < 200'000; at += 977) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x80);
    SetBytes(changed);
    const Found found = Scan();
    EXPECT_THAT(found.commits, ElementsAre(1, 3)) << "byte " << at;
    EXPECT_THAT(found.damage, SizeIs(::testing::Ge(1))) << "byte " << at;
  }
}

TEST_F(WalScanTest, ALogCutAnywhereKeepsTheWholeRecordsBeforeTheCut) {
  Write({10, 40'000, 30});
  const std::string bytes = Bytes();
  std::size_t before = 0;
  for (std::size_t size = 0; size <= bytes.size(); size += size < 200 ? 1 : 61) {
    SetBytes(bytes.substr(0, size));
    const Found found = Scan();
    EXPECT_GE(found.commits.size(), before);
    before = found.commits.size();
    EXPECT_THAT(found.commits, Each(::testing::Le(before)));
  }
  SetBytes(bytes);
  EXPECT_THAT(Scan().commits, ElementsAre(1, 2, 3));
}

TEST_F(WalScanTest, JunkAndZerosEnd) {
  Write({10});
  const std::string bytes = Bytes();
  for (const char filler : {'\0', '\1', '\2', '\xff'}) {
    SetBytes(bytes + std::string(100'000, filler));
    const Found found = Scan();
    EXPECT_THAT(found.commits, ElementsAre(1));
    EXPECT_THAT(found.damage, SizeIs(::testing::Ge(1)));
  }
}

}  // namespace
}  // namespace runlog::engine
