#include "index/posting_chunk.h"

#include <cassert>
#include <cstddef>

#include "format/bytes.h"

namespace runlog::index {
namespace {

Status NoChunk(std::string_view why, std::uint64_t last_seq) {
  return Status(StatusCode::kCorruption,
                "posting chunk under seq " + std::to_string(last_seq) + ": " + std::string(why));
}

/// Fills in the seqs. False where a delta leads out of [1, last_seq] or does not ascend.
bool ReadSeqs(format::ByteReader& in, std::uint64_t last_seq, std::vector<Posting>& out) {
  const std::uint64_t below_last = in.Varint();
  if (below_last >= last_seq) return false;
  std::uint64_t seq = last_seq - below_last;
  out.front().seq = seq;
  for (std::size_t i = 1; i < out.size(); ++i) {
    const std::uint64_t step = in.Varint();
    if (step == 0 || step > last_seq - seq) return false;
    seq += step;
    out[i].seq = seq;
  }
  return in.ok();
}

}  // namespace

std::string EncodeChunk(std::span<const Posting> postings, std::uint64_t last_seq) {
  assert(!postings.empty() && postings.size() <= kPostingsPerChunkMax);
  assert(postings.back().seq <= last_seq);
  std::string value;
  if (postings.size() > 1) value.reserve(8 + 3 * postings.size());
  format::AppendVarint(value, postings.size());
  format::AppendVarint(value, last_seq - postings.front().seq);
  for (std::size_t i = 1; i < postings.size(); ++i) {
    assert(postings[i - 1].seq < postings[i].seq);
    format::AppendVarint(value, postings[i].seq - postings[i - 1].seq);
  }
  for (const Posting& posting : postings)
    format::AppendByte(value, posting.event_class.byte());
  return value;
}

Status DecodeChunk(std::string_view value, std::uint64_t last_seq, std::vector<Posting>& out) {
  out.clear();
  format::ByteReader in(value);
  const std::uint64_t count = in.Varint();
  if (count == 0 || count > kPostingsPerChunkMax) return NoChunk("bad count", last_seq);
  if (in.remaining() / 2 < count) return NoChunk("cut short", last_seq);
  out.resize(static_cast<std::size_t>(count));
  const bool seqs_read = ReadSeqs(in, last_seq, out);
  if (!seqs_read || in.remaining() != out.size()) {
    out.clear();
    return NoChunk(seqs_read ? "wrong length" : "bad delta", last_seq);
  }
  for (Posting& posting : out)
    posting.event_class = format::EventClass(in.Byte());
  return {};
}

}  // namespace runlog::index
