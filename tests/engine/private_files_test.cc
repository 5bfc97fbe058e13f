// Goal: a store is its owner's alone, and one that others may write is not trusted. Method: modes
// of real folders, as stat tells them, after everything that makes files; another owner is a user
// number that is not the folder's.

#include "engine/private_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <runlog/store_view.h>

#include "tests/support/store_test.h"

namespace runlog::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class PrivateFilesTest : public StoreTest {
 protected:
  static unsigned ModeOf(const fs::path& path) {
    struct stat found {};
    EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
    return found.st_mode & 07777U;
  }
  static void SetMode(const fs::path& path, unsigned mode) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0) << path;
  }
  void MakeStore() {
    Open();
    Append("t", InRun("r"));
    Close();
  }
  void ExpectRefused(const fs::path& named, const std::string& mode, const std::string& repair) {
    for (const Status& refused : {EventStore::Open(folder(), options_).status(),
                                  StoreView::Open(folder(), options_).status()}) {
      EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
      const std::string message(refused.message());
      EXPECT_THAT(message, HasSubstr(named.string() + " has mode " + mode));
      EXPECT_THAT(message, HasSubstr(repair + " " + named.string()));
    }
  }
};

TEST_F(PrivateFilesTest, EveryFileOfAStoreIsItsOwnersAlone) {
  const mode_t before = ::umask(0);
  Open();
  for (int i = 0; i < 40; ++i)
    Append("t", Times(20, InRun("r")));
  EXPECT_OK(store().Compact());
  Reopen();
  Append("t", InRun("r"));
  EXPECT_EQ(ModeOf(folder()), 0700U);
  int tables = 0;
  int logs = 0;
  int others = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder())) {
    EXPECT_EQ(ModeOf(entry.path()), entry.is_directory() ? 0700U : 0600U) << entry.path();
    const fs::path kind = entry.path().extension();
    ++(kind == ".sst" ? tables : kind == ".log" ? logs : others);
  }
  Close();
  EXPECT_EQ(::umask(before), 0U) << "a library does not change the process's umask";
  EXPECT_GT(tables, 1);
  EXPECT_GT(logs, 0);
  EXPECT_GT(others, 6) << "FORMAT, WRITER, CURRENT, IDENTITY, LOCK, LOG, MANIFEST, OPTIONS";
}

TEST_F(PrivateFilesTest, AnEmptyFolderBecomesTheOwnersAlone) {
  fs::create_directories(folder());
  SetMode(folder(), 0777);
  MakeStore();
  EXPECT_EQ(ModeOf(folder()), 0700U);
}

TEST_F(PrivateFilesTest, AStoreThatOthersMayWriteIsRefusedByName) {
  MakeStore();
  for (const unsigned mode : {0770U, 0702U, 01777U}) {
    SetMode(folder(), mode);
    ExpectRefused(folder(), mode == 01777U ? "1777" : mode == 0770U ? "0770" : "0702", "chmod 700");
    EXPECT_EQ(ModeOf(folder()), mode) << "what is refused is not touched";
  }
  SetMode(folder(), 0700);
  SetMode(folder() / "FORMAT", 0620);
  ExpectRefused(folder() / "FORMAT", "0620", "chmod 600");
  SetMode(folder() / "FORMAT", 0600);
  Open();
  Close();
}

TEST_F(PrivateFilesTest, AStoreThatOthersMayOnlyReadIsOpened) {
  MakeStore();
  SetMode(folder(), 0755);
  SetMode(folder() / "FORMAT", 0644);
  Open();
  Close();
  EXPECT_OK(StoreView::Open(folder(), options_));
}

TEST_F(PrivateFilesTest, AnotherUsersStoreIsRefusedExceptByRoot) {
  MakeStore();
  const uid_t owner = ::geteuid();
  const uid_t another = owner + 4321;
  EXPECT_OK(engine::CheckNobodyElseWrites(folder(), owner));
  EXPECT_OK(engine::CheckNobodyElseWrites(folder(), 0));
  const Status refused = engine::CheckNobodyElseWrites(folder(), another);
  EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr(folder().string() + " belongs to user " + std::to_string(owner) +
                        ", not to user " + std::to_string(another)));
}

// The modes are set on files of a disk; an environment whose files are elsewhere works all the
// same.
TEST_F(PrivateFilesTest, FilesInMemoryNeedNoModes) {
  const std::unique_ptr<rocksdb::Env> memory(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  const std::unique_ptr<rocksdb::Env> env = engine::MakePrivateEnv(*memory);
  rocksdb::Options options;
  options.create_if_missing = true;
  options.env = env.get();
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, "/in-memory", &opened).ok());
  const std::unique_ptr<rocksdb::DB> db(opened);
  EXPECT_TRUE(db->Put({}, "key", "value").ok());
  EXPECT_TRUE(memory->FileExists("/in-memory/CURRENT").ok());
  EXPECT_FALSE(fs::exists("/in-memory"));
}

}  // namespace
}  // namespace runlog::testing
