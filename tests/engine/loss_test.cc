// Goal: a store that lost what it had acknowledged does not open, says what and where, and has one
// explicit way on; one that lost nothing opens. Method: stores closed or killed, then files
// removed, cut, changed, copied.

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/doctor.h>

#include "tests/engine/killed_store.h"

namespace runlog::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LossTest : public KilledStoreTest {
 protected:
  LossTest() { options_.durability = Durability::kSync; }

  void AppendSome(int appends) {
    for (int i = 0; i < appends; ++i)
      Append("t", InRun("r"));
  }
  Status OpenStatus(const fs::path& folder) { return EventStore::Open(folder, options_).status(); }

  /// Refused by writer, view and doctor, for a reason that has `words`; no byte is changed.
  void ExpectRefused(StatusCode code, const std::string& words) {
    const FolderBytes before = BytesOfFolder(folder());
    const Status refused = OpenStatus(folder());
    EXPECT_EQ(refused.code(), code) << refused.ToString();
    EXPECT_THAT(std::string(refused.message()), HasSubstr(words));
    const Status view = StoreView::Open(folder(), options_).status();
    EXPECT_EQ(view.code(), code) << view.ToString();
    EXPECT_THAT(std::string(view.message()), HasSubstr(words));
    const Diagnosis diagnosis = Value(Diagnose(folder()));
    ASSERT_FALSE(diagnosis.findings.empty());
    EXPECT_EQ(diagnosis.findings.front().code, code);
    FolderBytes after = BytesOfFolder(folder());
    after["WRITER"] = before.at("WRITER");  // names the last holder
    EXPECT_EQ(after, before);
  }

  /// Opens with what is left; afterwards it opens as any store does.
  void ExpectAcceptedWith(std::uint64_t events) {
    options_.accept_loss = true;
    Open();
    EXPECT_EQ(ThreadSeqs("t").size(), events);
    EXPECT_EQ(Append("t", InRun("r")).epoch, 2U);
    options_.accept_loss = false;
    EXPECT_EQ(ReopenVerified().events, events + 1);
    EXPECT_EQ(Append("t", InRun("r")).epoch, 2U) << "an opening alone begins no epoch";
    Close();
    EXPECT_TRUE(fs::is_directory(folder() / "set-aside-2"));
  }
};

TEST_F(LossTest, AKilledStoreOpens) {
  WriteAndDie([this] { AppendSome(5); });
  EXPECT_TRUE(Value(Diagnose(folder())).findings.empty());
  Open();
  EXPECT_EQ(ThreadSeqs("t").size(), 5U);
  EXPECT_EQ(Append("t", InRun("r")).epoch, 1U);
}

TEST_F(LossTest, ADamagedRecordWithDurableOnesBehindItIsLoss) {
  WriteAndDie([this] { AppendSome(5); });
  const std::string log = Newest(".log");
  std::string bytes = ReadBytes(folder() / log);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  WriteBytes(folder() / log, bytes);
  ExpectRefused(StatusCode::kDataLoss, log);
  const Diagnosis diagnosis = Value(Diagnose(folder()));
  ASSERT_TRUE(diagnosis.have_commit);
  EXPECT_GT(*diagnosis.have_commit, 0U);
  EXPECT_LT(*diagnosis.have_commit, diagnosis.want_commit);
  ExpectAcceptedWith(*diagnosis.have_commit);
}

TEST_F(LossTest, TheLastRecordOfAClosedStoreIsMissed) {
  Open();
  AppendSome(5);
  Close();
  const std::string log = Newest(".log");
  std::string bytes = ReadBytes(folder() / log);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  WriteBytes(folder() / log, bytes);
  ExpectRefused(StatusCode::kDataLoss, log);
  ExpectAcceptedWith(5);  // the last record of a close has no event
}

TEST_F(LossTest, AMissingLogIsLoss) {
  Open();
  AppendSome(5);
  Close();
  fs::remove(folder() / Newest(".log"));
  ExpectRefused(StatusCode::kDataLoss, "commits 1 to 5");
  ExpectAcceptedWith(0);
}

TEST_F(LossTest, AnEmptyLogIsLoss) {
  Open();
  AppendSome(5);
  Close();
  const std::string log = Newest(".log");
  WriteBytes(folder() / log, "");
  ExpectRefused(StatusCode::kDataLoss, log);
}

TEST_F(LossTest, ATornTailOpens) {
  options_.durability = Durability::kBuffered;
  WriteAndDie([this] { AppendSome(5); });
  const std::string log = Newest(".log");
  const std::string bytes = ReadBytes(folder() / log);
  WriteBytes(folder() / log, bytes.substr(0, bytes.size() - 3));
  Open();
  EXPECT_EQ(ThreadSeqs("t").size(), 4U) << "of which the kernel had kept all but the last";
  EXPECT_EQ(ReopenVerified().events, 4U);
}

TEST_F(LossTest, NothingBehindAHoleThatAPowerCutLeftIsReplayed) {
  options_.durability = Durability::kBuffered;
  WriteAndDie([this] { AppendSome(9); });
  const std::string log = Newest(".log");
  std::string bytes = ReadBytes(folder() / log);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  WriteBytes(folder() / log, bytes);
  {
    const auto view = Value(StoreView::Open(folder(), options_));
    EXPECT_LT(view->last_commit(), 9U);
    EXPECT_GT(view->last_commit(), 0U);
  }
  EXPECT_THAT(StoreView::Open(folder(), options_, ViewUse::kFollow),
              FailsWith(StatusCode::kReadOnly));
  Open();
  const std::size_t left = ThreadSeqs("t").size();
  EXPECT_LT(left, 9U);
  EXPECT_EQ(ReopenVerified().events, left);
}

TEST_F(LossTest, ACopyOfAClosedStoreOpens) {
  Open();
  AppendSome(3);
  Close();
  fs::copy(folder(), folder().parent_path() / "copy");
  fs::permissions(folder().parent_path() / "copy", fs::perms::owner_all);
  EXPECT_OK(OpenStatus(folder().parent_path() / "copy"));
  EXPECT_OK(OpenStatus(folder()));
}

TEST_F(LossTest, ACopyOfAStoreInUseIsRefused) {
  WriteAndDie([this] {
    AppendSome(3);
    fs::copy(folder(), folder().parent_path() / "copy");
    fs::permissions(folder().parent_path() / "copy", fs::perms::owner_all);
  });
  const Status refused = OpenStatus(folder().parent_path() / "copy");
  EXPECT_EQ(refused.code(), StatusCode::kDataLoss);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("WRITER"));
  options_.accept_loss = true;
  EXPECT_OK(OpenStatus(folder().parent_path() / "copy"));
  options_.accept_loss = false;
  EXPECT_OK(OpenStatus(folder().parent_path() / "copy"));
  EXPECT_OK(OpenStatus(folder()));
}

TEST_F(LossTest, AStoreWithoutItsAnchorIsRefused) {
  Open();
  AppendSome(3);
  Close();
  fs::remove(folder() / "ANCHOR");
  ExpectRefused(StatusCode::kCorruption, "ANCHOR");
  ExpectAcceptedWith(3);
}

TEST_F(LossTest, OneDamagedSlotOfTheAnchorIsNoMatter) {
  Open();
  AppendSome(3);
  Close();
  const std::string bytes = ReadBytes(folder() / "ANCHOR");
  for (const std::size_t slot : {0U, 1U}) {
    std::string changed = bytes;
    changed[slot * 4096 + 70] = static_cast<char>(changed[slot * 4096 + 70] ^ 1);
    WriteBytes(folder() / "ANCHOR", changed);
    EXPECT_OK(StoreView::Open(folder(), options_));
  }
  std::string changed = bytes;
  changed[70] = static_cast<char>(changed[70] ^ 1);
  changed[4096 + 70] = static_cast<char>(changed[4096 + 70] ^ 1);
  WriteBytes(folder() / "ANCHOR", changed);
  ExpectRefused(StatusCode::kCorruption, "ANCHOR");
}

TEST_F(LossTest, TheAnchorOfAnotherStoreIsRefused) {
  Open();
  AppendSome(3);
  Close();
  const std::string anchor = ReadBytes(folder() / "ANCHOR");
  fs::remove_all(folder());
  Open();
  AppendSome(3);
  Close();
  WriteBytes(folder() / "ANCHOR", anchor);
  ExpectRefused(StatusCode::kCorruption, "ANCHOR");
}

TEST_F(LossTest, TheLogOfAnotherStoreIsRefused) {
  Open();
  AppendSome(3);
  Close();
  const std::string name = Newest(".log");
  const std::string log = ReadBytes(folder() / name);
  fs::remove_all(folder());
  Open();
  AppendSome(3);
  Close();
  ASSERT_EQ(Newest(".log"), name);
  WriteBytes(folder() / name, log);
  ExpectRefused(StatusCode::kCorruption, "another store");
}

TEST_F(LossTest, AStoreThatLostEveryFileOfItsDatabaseIsNotMadeAnew) {
  Open();
  AppendSome(3);
  Close();
  for (const auto& [name, bytes] : BytesOfFolder(folder())) {
    if (name != "FORMAT" && name != "ANCHOR" && name != "WRITER") fs::remove(folder() / name);
  }
  EXPECT_THAT(OpenStatus(folder()), FailsWith(StatusCode::kDataLoss));
  options_.accept_loss = true;
  EXPECT_THAT(OpenStatus(folder()), FailsWith(StatusCode::kDataLoss)) << "only a backup helps";
}

TEST_F(LossTest, AStoreWithoutFormatIsNotMadeAnew) {
  Open();
  AppendSome(3);
  Close();
  fs::remove(folder() / "FORMAT");
  const Status refused = OpenStatus(folder());
  EXPECT_EQ(refused.code(), StatusCode::kCorruption) << refused.ToString();
  EXPECT_THAT(std::string(refused.message()), HasSubstr("FORMAT"));
}

TEST_F(LossTest, WhatWasThereIsSetAside) {
  Open();
  AppendSome(3);
  Close();
  const std::string log = Newest(".log");
  std::string bytes = ReadBytes(folder() / log);
  bytes[bytes.size() - 100] = static_cast<char>(bytes[bytes.size() - 100] ^ 1);
  WriteBytes(folder() / log, bytes);
  const FolderBytes before = BytesOfFolder(folder());
  options_.accept_loss = true;
  Open();
  const FolderBytes aside = BytesOfFolder(folder() / "set-aside-2");
  for (const auto& [name, content] : before) {
    if (name == "FORMAT" || name == "WRITER" || name.starts_with("LO")) continue;
    ASSERT_EQ(aside.count(name), 1U) << name;
    EXPECT_EQ(aside.at(name), content) << name;
  }
}

}  // namespace
}  // namespace runlog::testing
