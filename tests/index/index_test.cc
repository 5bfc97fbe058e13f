#include "tests/index/index_test.h"

#include <stdexcept>

#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include "format/keys.h"
#include "tests/support/status_matchers.h"

namespace runlog::index {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

void Require(const rocksdb::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

}  // namespace

IndexTest::IndexTest() {
  Open();
}

IndexTest::~IndexTest() {
  Close();
}

void IndexTest::Open() {
  rocksdb::ColumnFamilyOptions plain;
  plain.compression = rocksdb::kNoCompression;  // a test alters bytes of the files
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const char* name : {"default", "run_index", "type_index", "task_index", "message_index"}) {
    descriptors.emplace_back(name, plain);
  }
  statistics_ = rocksdb::CreateDBStatistics();
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.statistics = statistics_;
  rocksdb::DB* db = nullptr;
  Require(rocksdb::DB::Open(options, folder().string(), descriptors, &handles_, &db));
  db_.reset(db);
  families_ = {handles_[1], handles_[2], handles_[3], handles_[4]};
}

void IndexTest::Close() {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  }
  handles_.clear();
  db_.reset();
}

void IndexTest::Reopen() {
  Close();
  Open();
}

void IndexTest::Flush(rocksdb::ColumnFamilyHandle* family) {
  Require(db_->Flush(rocksdb::FlushOptions(), family));
}

void IndexTest::Put(rocksdb::ColumnFamilyHandle* family, std::string_view key,
                    std::string_view value) {
  rocksdb::WriteOptions options;
  options.disableWAL = true;
  Require(db_->Put(options, family, ToSlice(key), ToSlice(value)));
}

void IndexTest::PutChunk(std::initializer_list<std::uint64_t> seqs, std::uint64_t last_seq) {
  PutChunk(families_.run_index, format::PostingPrefix(kThread, kRun), seqs, last_seq);
}

void IndexTest::PutChunk(rocksdb::ColumnFamilyHandle* family, std::string_view prefix,
                         const std::vector<std::uint64_t>& seqs, std::uint64_t last_seq) {
  std::vector<Posting> postings;
  for (const std::uint64_t seq : seqs)
    postings.push_back({seq, ClassOf(seq)});
  Put(family, format::PostingKey(prefix, last_seq), EncodeChunk(postings, last_seq));
}

PostingCursor IndexTest::RunCursor(SeqWindow window, Direction direction,
                                   const rocksdb::Snapshot* snapshot) const {
  return {Source(snapshot), families_.run_index, format::PostingPrefix(kThread, kRun), window,
          direction};
}

MessageCursor IndexTest::Messages(bool include_hidden, SeqWindow window,
                                  Direction direction) const {
  return {Source(), families_.message_index, kThread, include_hidden, window, direction};
}

std::vector<std::uint64_t> IndexTest::Rest(PostingCursor& cursor) {
  std::vector<std::uint64_t> seqs;
  for (;;) {
    const Result<bool> next = cursor.Next();
    EXPECT_OK(next);
    if (!next.ok() || !*next) return seqs;
    EXPECT_EQ(cursor.posting().event_class, ClassOf(cursor.posting().seq));
    seqs.push_back(cursor.posting().seq);
  }
}

std::vector<std::uint64_t> IndexTest::Rest(MessageCursor&& cursor) {
  std::vector<std::uint64_t> seqs;
  for (;;) {
    const Result<bool> next = cursor.Next();
    EXPECT_OK(next);
    if (!next.ok() || !*next) return seqs;
    seqs.push_back(cursor.posting().seq);
  }
}

}  // namespace runlog::index
