// Goal: a store whose maker died while it was made can be opened, and is made to its end; one that
// lost a part later is never taken for such. Method: RocksDB's own files cut down to what each step
// of the making leaves.

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include "engine/anchor_file.h"
#include "engine/format_file.h"
#include "engine/writer_lock.h"
#include "format/key_space.h"
#include "tests/support/store_test.h"

namespace runlog::testing {
namespace {

namespace fs = std::filesystem;

class HalfMadeStoreTest : public StoreTest {
 protected:
  /// A new store's folder, with what comes before RocksDB's first file.
  void MakeFormatOnly() {
    if (!fs::exists(folder())) {
      Open();
      Close();
    }
    std::vector<fs::path> others;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder())) {
      const std::string name = entry.path().filename().string();
      if (name != "FORMAT" && name != "WRITER") others.push_back(entry.path());
    }
    for (const fs::path& path : others)
      fs::remove_all(path);
    // Of a store in which nothing was durable yet.
    Result<engine::AnchorFile> anchor = engine::AnchorFile::Open(folder(), 1);
    ASSERT_OK(anchor);
    EXPECT_OK(anchor->WriteBoth({.store_id = Value(engine::ReadStoreId(folder())),
                                 .writer = Value(engine::WriterLock::Identity(folder()))}));
  }

  /// RocksDB's files with the first `count` families.
  void MakeFamilies(std::size_t count) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    WithFamilies(options, count, [](rocksdb::DB&, auto&) {});
  }

  template <typename Visit>
  void WithFamilies(const rocksdb::Options& options, std::size_t count, Visit visit) {
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (std::size_t i = 0; i < count; ++i)
      families.emplace_back(std::string(format::kFamilyNames[i]), rocksdb::ColumnFamilyOptions());
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* opened = nullptr;
    const rocksdb::Status status =
        rocksdb::DB::Open(options, folder().string(), families, &handles, &opened);
    ASSERT_TRUE(status.ok()) << status.ToString();
    const std::unique_ptr<rocksdb::DB> db(opened);
    visit(*db, handles);
    for (rocksdb::ColumnFamilyHandle* family : handles)
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(family).ok());
  }

  void ExpectMadeToItsEnd() {
    EXPECT_THAT(StoreView::Open(folder(), options_), FailsWith(StatusCode::kNotFound));
    Open();
    EXPECT_EQ(Append("t", Times(3, Draft())).last_seq, 3U);
    EXPECT_EQ(ReopenVerified().events, 3U);
    EXPECT_EQ(Append("t", Draft()).first_seq, 4U);
    Close();
  }
};

TEST_F(HalfMadeStoreTest, FormatAlone) {
  MakeFormatOnly();
  ExpectMadeToItsEnd();
}

TEST_F(HalfMadeStoreTest, AManifestThatCurrentDoesNotNameYet) {
  MakeFormatOnly();
  std::ofstream(folder() / "IDENTITY") << "an id";
  std::ofstream(folder() / "MANIFEST-000001") << "half a manifest";
  ExpectMadeToItsEnd();
}

TEST_F(HalfMadeStoreTest, AnyNumberOfFamilies) {
  for (std::size_t count = 1; count < format::kFamilyCount; ++count) {
    SCOPED_TRACE(std::to_string(count) + " families");
    MakeFormatOnly();
    MakeFamilies(count);
    ExpectMadeToItsEnd();
  }
}

TEST_F(HalfMadeStoreTest, AFamilyThatAStoreLostIsNotMadeAnew) {
  Open();
  Append("t", Draft());
  Close();
  WithFamilies({}, format::kFamilyCount, [](rocksdb::DB& db, auto& handles) {
    EXPECT_TRUE(db.DropColumnFamily(handles.back()).ok());
  });
  const Result<std::unique_ptr<EventStore>> store = EventStore::Open(folder(), options_);
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(std::string(store.status().message()), ::testing::HasSubstr("evidence"));
  EXPECT_FALSE(EventStore::Open(folder(), options_).ok()) << "the first attempt made it anew";
  EXPECT_FALSE(StoreView::Open(folder(), options_).ok());
}

TEST_F(HalfMadeStoreTest, AStoreThatLostCurrentIsNotMadeAnew) {
  Open();
  Append("t", Draft());
  Close();
  fs::remove(folder() / "CURRENT");
  EXPECT_THAT(EventStore::Open(folder(), options_), FailsWith(StatusCode::kCorruption));
  EXPECT_FALSE(StoreView::Open(folder(), options_).ok());
}

}  // namespace
}  // namespace runlog::testing
