#include "benchmarks/support/baseline.h"

#include <unordered_map>
#include <utility>

#include <rocksdb/write_batch.h>

#include "benchmarks/support/check.h"
#include "benchmarks/support/scratch_store.h"
#include "format/event_codec.h"

namespace runlog::bench {
namespace {

rocksdb::Slice SliceOf(const format::EventKeyBytes& key) {
  return {key.data(), key.size()};
}

PlainRow Encode(const std::string& thread_id, const Event& event, const format::EventKey& key) {
  const format::EncodedEvent encoded =
      Take(format::EncodeEvent(thread_id, event, Timestamp{}, Limits()));
  const format::EventHeader header =
      format::HeaderOf(encoded, format::RunNumber{1}, format::OwnerNumber::kNone, key.seq);
  const format::EventHeaderBytes bytes = format::EncodeEventHeader(header, key, thread_id);
  return {format::Encode(key), std::string(bytes.data(), bytes.size()) + encoded.body};
}

}  // namespace

std::vector<PlainDeck> EncodeDecks(const std::vector<Deck>& decks) {
  std::unordered_map<std::string, format::EventKey> last_keys;
  std::vector<PlainDeck> plain_decks;
  for (const Deck& deck : decks) {
    PlainDeck& plain = plain_decks.emplace_back();
    plain.reserve(deck.size());
    for (const DeckAppend& append : deck) {
      const format::EventKey first{format::ThreadNumber{last_keys.size() + 1}, 0};
      format::EventKey& last = last_keys.try_emplace(append.thread_id, first).first->second;
      PlainAppend rows;
      rows.reserve(append.events.size());
      for (const Event& event : append.events) {
        ++last.seq;
        rows.push_back(Encode(append.thread_id, event, last));
      }
      plain.push_back(std::move(rows));
    }
  }
  return plain_decks;
}

std::uint64_t ValueBytes(const std::vector<PlainDeck>& decks) {
  std::uint64_t bytes = 0;
  for (const PlainDeck& deck : decks) {
    for (const PlainAppend& append : deck) {
      for (const PlainRow& row : append)
        bytes += row.value.size();
    }
  }
  return bytes;
}

PlainStore::PlainStore(const std::filesystem::path& folder, const StoreOptions& options)
    : rocks_(OpenRocks(folder, options)) {}

void PlainStore::Append(const PlainAppend& rows, bool sync) const {
  rocksdb::WriteBatch batch;
  for (const PlainRow& row : rows) {
    Check(batch.Put(rocks_->family(format::Family::kEvents), SliceOf(row.key), row.value));
  }
  rocksdb::WriteOptions options;
  options.sync = sync;
  Check(rocks_->db().Write(options, &batch));
}

void PlainStore::CheckHolds(const std::vector<PlainDeck>& decks) const {
  std::string value;
  for (const PlainDeck& deck : decks) {
    for (const PlainAppend& append : deck) {
      Check(rocks_->db().Get(engine::Rocks::Reading(), rocks_->family(format::Family::kEvents),
                             SliceOf(append.back().key), &value));
      Check(value == append.back().value, "the baseline holds another value");
    }
  }
}

}  // namespace runlog::bench
