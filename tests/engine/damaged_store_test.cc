// Goal: whatever happens to a file of a store, a reader gets the same events or an error that names
// the file; never other events, never fewer (T6). Method: a store with tables and logs, closed or
// killed; each kind of file flipped, cut, emptied, zeroed, swapped, deleted or put back from
// before; everything read through a view each time, and through a writer for some.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/killed_store.h"
#include "tests/support/seeded_random.h"
#include "tests/support/tier.h"

namespace runlog::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Whether a change of the file may show: RocksDB reads none of the others.
bool IsRead(const std::string& name) {
  return name != "LOCK" && name != "WRITER" && name != "IDENTITY" && !name.starts_with("LOG") &&
         !name.starts_with("OPTIONS");
}

/// All events as words, or the first error.
Result<std::vector<std::string>> EverythingIn(const Reader& reader) {
  std::vector<std::string> words;
  for (const char* thread : {"t", "u"}) {
    Result<Page> page = reader.ThreadEvents(thread, {.limit = 1'000});
    if (!page.ok()) return page.status();
    for (const EventView& event : page->events()) {
      words.push_back(std::string(thread) + " " + std::to_string(event.seq()) + " " +
                      std::string(event.run_id()) + " " + std::string(event.event_type()) + " " +
                      std::string(event.content().bytes));
    }
    for (const char* run : {"r", "s"}) {
      Result<Page> of_run = reader.RunEvents(thread, run, {.limit = 1'000});
      if (!of_run.ok()) return of_run.status();
      words.push_back(std::string(run) + " " + std::to_string(of_run->events().size()));
    }
  }
  return words;
}

class DamagedStoreTest : public KilledStoreTest {
 protected:
  DamagedStoreTest() { options_.durability = Durability::kSync; }

  void AppendSome(int round) {
    for (int i = 0; i < 12; ++i) {
      const std::string run = i % 3 == 0 ? "s" : "r";
      Draft draft = InRun(run);
      draft.content =
          std::string(static_cast<std::size_t>(20 + 37 * i), static_cast<char>('a' + round));
      Append(i % 4 == 0 ? "u" : "t", draft);
    }
  }
  void FillTablesAndClose() {
    Open();
    AppendSome(0);
    EXPECT_OK(store().Compact());
    AppendSome(1);
    EXPECT_OK(store().Compact());
    Close();
  }
  void FillAndClose() {
    FillTablesAndClose();
    Open();
    AppendSome(2);
    Close();
  }

  /// Reads all through a view. Returns the error, or OK when everything is there as it was.
  Status ReadAll() {
    const Result<std::unique_ptr<StoreView>> view = StoreView::Open(folder(), options_);
    if (!view.ok()) return view.status();
    Result<std::vector<std::string>> all = EverythingIn((*view)->reader());
    if (!all.ok()) return all.status();
    EXPECT_EQ(*all, everything_) << "a silent wrong answer";
    return {};
  }

  /// `change` is done to the bytes of each file that is read; then everything is read.
  void ForEachFile(const std::function<std::string(const std::string& bytes)>& change) {
    for (const auto& [name, bytes] : files_) {
      if (IsRead(name)) Try(name, change(bytes));
    }
  }
  void Try(const std::string& name, const std::string& bytes) {
    SCOPED_TRACE(name);
    WriteBytes(folder() / name, bytes);
    const Status read = ReadAll();
    if (!read.ok()) ExpectNamed(name, read);
    WriteBytes(folder() / name, files_.at(name));
    ++tried_;
    if (!read.ok()) ++refused_;
  }
  /// CURRENT is a name of a manifest: an error about either says where to look.
  static void ExpectNamed(const std::string& name, const Status& read) {
    const std::string message(read.message());
    const bool named = message.find(name) != std::string::npos ||
                       (name == "CURRENT" && message.find("MANIFEST") != std::string::npos);
    EXPECT_TRUE(named) << message;
  }
  void Remember() {
    files_ = BytesOfFolder(folder());
    const auto view = Value(StoreView::Open(folder(), options_));
    everything_ = Value(EverythingIn(view->reader()));
    ASSERT_EQ(everything_.size(), 36U + 4U);
  }
  void ExpectSomeRefused() const {
    EXPECT_GT(refused_, 0U) << "of " << tried_ << ": the damage does not reach what is read";
    RecordProperty("tried", std::to_string(tried_));
    RecordProperty("refused", std::to_string(refused_));
  }
  void FlipBits();

  FolderBytes files_;
  std::vector<std::string> everything_;
  std::uint64_t tried_ = 0;
  std::uint64_t refused_ = 0;
};

void DamagedStoreTest::FlipBits() {
  const std::uint64_t flips =
      AmountFrom("RUNLOG_FLIPS", {.short_tier = 8, .nightly = 100, .release = 1'000});
  SeededRandom random(NumberFrom("RUNLOG_SEED", 1));
  for (std::uint64_t i = 0; i < flips; ++i) {
    ForEachFile([&](const std::string& bytes) {
      std::string changed = bytes;
      if (changed.empty()) return changed;
      const std::size_t at = random.Below(changed.size());
      changed[at] = static_cast<char>(changed[at] ^ (1 << random.Below(8)));
      return changed;
    });
  }
  ExpectSomeRefused();
}

TEST_F(DamagedStoreTest, AFlippedBitOfAClosedStore) {
  FillAndClose();
  Remember();
  FlipBits();
}

TEST_F(DamagedStoreTest, AFileThatWasCut) {
  FillAndClose();
  Remember();
  for (const std::size_t eighths : {1U, 4U, 7U}) {
    ForEachFile(
        [&](const std::string& bytes) { return bytes.substr(0, bytes.size() * eighths / 8); });
  }
  ForEachFile([](const std::string& bytes) {
    return bytes.substr(0, bytes.size() - std::min<std::size_t>(bytes.size(), 1));
  });
  ExpectSomeRefused();
}

TEST_F(DamagedStoreTest, AFileThatIsEmpty) {
  FillAndClose();
  Remember();
  ForEachFile([](const std::string&) { return std::string(); });
  ExpectSomeRefused();
}

TEST_F(DamagedStoreTest, AFileOfZeros) {
  FillAndClose();
  Remember();
  ForEachFile([](const std::string& bytes) { return std::string(bytes.size(), '\0'); });
  ForEachFile([](const std::string& bytes) {
    std::string changed = bytes;
    changed.replace(bytes.size() / 2, bytes.size() / 4, std::string(bytes.size() / 4, '\0'));
    return changed;
  });
  ExpectSomeRefused();
}

TEST_F(DamagedStoreTest, AFileThatIsGone) {
  FillAndClose();
  Remember();
  for (const auto& [name, bytes] : files_) {
    SCOPED_TRACE(name);
    fs::remove(folder() / name);
    const Status read = ReadAll();
    EXPECT_EQ(read.ok(), !IsRead(name)) << read.ToString();
    if (name.ends_with(".log")) {
      // Which logs there were, nobody wrote down; the loss itself has figures.
      EXPECT_THAT(std::string(read.message()), HasSubstr("missing"));
    } else if (!read.ok()) {
      ExpectNamed(name, read);
    }
    WriteBytes(folder() / name, bytes);
    fs::permissions(folder() / name, fs::perms::owner_read | fs::perms::owner_write);
  }
}

TEST_F(DamagedStoreTest, TablesThatHaveEachOthersContent) {
  FillAndClose();
  Remember();
  std::vector<std::string> tables;
  for (const auto& [name, bytes] : files_) {
    if (name.ends_with(".sst")) tables.push_back(name);
  }
  ASSERT_GE(tables.size(), 2U);
  for (std::size_t i = 1; i < tables.size(); ++i) {
    SCOPED_TRACE(tables[i]);
    WriteBytes(folder() / tables[0], files_.at(tables[i]));
    WriteBytes(folder() / tables[i], files_.at(tables[0]));
    const Status read = ReadAll();
    EXPECT_FALSE(read.ok());
    EXPECT_THAT(std::string(read.message()), HasSubstr(".sst"));
    Restore(files_);
  }
}

TEST_F(DamagedStoreTest, AFileOfBefore) {
  FillAndClose();
  const FolderBytes before = BytesOfFolder(folder());
  Open();
  AppendSome(2);
  Close();
  files_ = BytesOfFolder(folder());
  everything_ = Value(EverythingIn(Value(StoreView::Open(folder(), options_))->reader()));
  for (const auto& [name, bytes] : before) {
    if (!IsRead(name) || files_.count(name) == 0) continue;
    SCOPED_TRACE(name);
    WriteBytes(folder() / name, bytes);
    const Status read = ReadAll();
    if (!read.ok()) ExpectNamed(name, read);
    WriteBytes(folder() / name, files_.at(name));
  }
}

// A writer would delete what it takes for left over: it must refuse before it does.
TEST_F(DamagedStoreTest, AWriterRefusesBeforeItChangesAnything) {
  FillAndClose();
  Remember();
  for (const auto& [name, bytes] : files_) {
    if (!IsRead(name) || bytes.size() < 2) continue;
    SCOPED_TRACE(name);
    WriteBytes(folder() / name, bytes.substr(0, bytes.size() / 2));
    const FolderBytes damaged = BytesOfFolder(folder());
    const Status opened = EventStore::Open(folder(), options_).status();
    if (!opened.ok()) {
      const FolderBytes after = BytesOfFolder(folder());
      for (const auto& [file, content] : damaged) {
        if (!IsRead(file)) continue;
        EXPECT_TRUE(after.count(file) == 1 && after.at(file) == content) << file << " was changed";
      }
    } else {
      EXPECT_OK(ReadAll());
    }
    Restore(files_);
  }
}

TEST_F(DamagedStoreTest, AFlippedBitOfAKilledStore) {
  FillTablesAndClose();
  WriteAndDie([this] {
    AppendSome(2);
    // So that the anchor knows what the test does, up to its last second.
    ::usleep(1'500'000);
  });
  Remember();
  FlipBits();
}

}  // namespace
}  // namespace runlog::testing
