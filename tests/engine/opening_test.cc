// Goal: a folder is opened only by who may and can; what is refused is left as it was. Method: real
// folders and a real second process; a refused folder is compared byte for byte.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/store_view.h>

#include "tests/support/store_test.h"
#include "tests/support/tier.h"

namespace runlog::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::map<std::string, std::string> BytesOf(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

class OpeningTest : public StoreTest {
 protected:
  Status OpenStatus() { return EventStore::Open(folder(), options_).status(); }
  /// Opening is refused for a reason that names `word`, and no byte of the folder changes.
  void ExpectRefusedUntouched(StatusCode code, const std::string& word) {
    const auto before = BytesOf(folder());
    const Status refused = OpenStatus();
    EXPECT_EQ(refused.code(), code);
    EXPECT_THAT(std::string(refused.message()), HasSubstr(word));
    EXPECT_EQ(BytesOf(folder()), before);
  }
  void AddToFormat(const std::string& line) {
    std::ofstream(folder() / "FORMAT", std::ios::app) << line << '\n';
  }
};

TEST_F(OpeningTest, ASecondOpenerOfThisProcessIsToldWhoHoldsIt) {
  Open();
  const Status locked = OpenStatus();
  EXPECT_EQ(locked.code(), StatusCode::kLocked);
  EXPECT_THAT(std::string(locked.message()), HasSubstr("pid " + std::to_string(::getpid())));
  Append("t", InRun("r"));  // and the first goes on
  Close();
  EXPECT_OK(OpenStatus());
}

TEST_F(OpeningTest, ASecondOpenerOfAnotherProcessIsToldWhoHoldsIt) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const auto store = EventStore::Open(folder(), options_);
    const char byte = store.ok() ? '1' : '0';
    if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
    while (true)
      ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, '1');
  const Status locked = OpenStatus();
  EXPECT_EQ(locked.code(), StatusCode::kLocked);
  EXPECT_THAT(std::string(locked.message()), HasSubstr("pid " + std::to_string(holder)));
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_OK(OpenStatus()) << "a lock must not outlive its holder";
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(OpeningTest, ANewerFormatIsRefusedAndNotTouched) {
  Open();
  Append("t", InRun("r"));
  Close();
  AddToFormat("min_writer 99");
  ExpectRefusedUntouched(StatusCode::kUnsupported, "99");
}

TEST_F(OpeningTest, AnUnknownFeatureIsRefusedAndNotTouched) {
  Open();
  Close();
  AddToFormat("feature telepathy");
  ExpectRefusedUntouched(StatusCode::kUnsupported, "telepathy");
}

TEST_F(OpeningTest, AFolderOfOtherFilesIsRefusedAndNotTouched) {
  fs::create_directories(folder());
  std::ofstream(folder() / "letter.txt") << "dear";
  ExpectRefusedUntouched(StatusCode::kInvalidArgument, "letter.txt");
}

TEST_F(OpeningTest, AStoreIsNotMadeWhereThatWasNotAskedFor) {
  options_.create_if_missing = false;
  EXPECT_EQ(OpenStatus().code(), StatusCode::kNotFound);
  EXPECT_FALSE(fs::exists(folder()));
}

// Small memtables make the writer flush and drop logs all the time while the view opens.
TEST_F(OpeningTest, AReaderBesideTheWriterOpensWithoutAFalseAlarm) {
  options_.memtable_bytes = std::uint64_t{4} << 20;
  options_.durability = Durability::kBuffered;
  Open();
  std::vector<Draft> drafts = Times(20, InRun("r"));
  for (Draft& draft : drafts)
    draft.content = std::string(8000, 'x');
  const std::uint64_t opens =
      AmountFrom("RUNLOG_VIEW_OPENS", {.short_tier = 200, .nightly = 1'000, .release = 10'000});
  std::uint64_t written = 0;
  for (std::uint64_t i = 0; i < opens; ++i) {
    written = Append("t" + std::to_string(i % 10), drafts).commit;
    const Result<std::unique_ptr<StoreView>> view = StoreView::Open(folder(), options_);
    ASSERT_OK(view) << "open " << i;
    const Page page =
        Value((*view)->reader().ThreadEvents("t" + std::to_string(i % 10), {.limit = 100}));
    ASSERT_FALSE(page.empty()) << "open " << i;
    EXPECT_GE(Value((*view)->reader().Changes(written - 1, 10)).last_commit, written);
  }
}

}  // namespace
}  // namespace runlog::testing
