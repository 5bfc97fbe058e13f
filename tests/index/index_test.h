// The index families of a RocksDB on a scratch folder, for tests of what writes and reads them.

#ifndef RUNLOG_TESTS_INDEX_INDEX_TEST_H_
#define RUNLOG_TESTS_INDEX_INDEX_TEST_H_

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/statistics.h>

#include "index/index_writer.h"
#include "index/posting_chunk.h"
#include "index/posting_cursor.h"
#include "tests/support/scratch_dir.h"

namespace runlog::index {

class IndexTest : public ::testing::Test {
 protected:
  static constexpr format::ThreadNumber kThread{258};
  static constexpr format::RunNumber kRun{3};

  IndexTest();
  ~IndexTest() override;

  /// The database again, from what is on disk.
  void Reopen();
  void Flush(rocksdb::ColumnFamilyHandle* family);

  void Put(rocksdb::ColumnFamilyHandle* family, std::string_view key, std::string_view value);
  /// One chunk of `kRun`'s list under S_last; class bytes are the low bytes of the seqs.
  void PutChunk(std::initializer_list<std::uint64_t> seqs, std::uint64_t last_seq);
  /// A chunk of any list, S_last being its last seq.
  void PutChunk(rocksdb::ColumnFamilyHandle* family, std::string_view prefix,
                const std::vector<std::uint64_t>& seqs, std::uint64_t last_seq);

  PostingCursor RunCursor(SeqWindow window, Direction direction,
                          const rocksdb::Snapshot* snapshot = nullptr) const;
  MessageCursor Messages(bool include_hidden, SeqWindow window, Direction direction) const;

  /// The seqs the cursor still yields; fails the test on an error or a wrong class byte.
  static std::vector<std::uint64_t> Rest(PostingCursor& cursor);
  static std::vector<std::uint64_t> Rest(PostingCursor&& cursor) { return Rest(cursor); }
  static std::vector<std::uint64_t> Rest(MessageCursor&& cursor);

  std::uint64_t Ticks(rocksdb::Tickers ticker) const { return statistics_->getTickerCount(ticker); }
  rocksdb::DB& db() const { return *db_; }
  const std::filesystem::path& folder() const { return scratch_.path(); }
  IndexSource Source(const rocksdb::Snapshot* snapshot = nullptr) const {
    return {db_.get(), snapshot};
  }

  IndexFamilies families_;

 private:
  void Open();
  void Close();

  testing::ScratchDir scratch_;
  std::shared_ptr<rocksdb::Statistics> statistics_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
};

/// The class byte PutChunk gives a seq.
inline format::EventClass ClassOf(std::uint64_t seq) {
  return format::EventClass(static_cast<std::uint8_t>(seq));
}

}  // namespace runlog::index

#endif  // RUNLOG_TESTS_INDEX_INDEX_TEST_H_
