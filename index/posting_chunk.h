// A posting chunk: which seqs belong to a run, a run's type or a run's task, with a class byte
// each. FORMAT.md, "Posting chunks".

#ifndef RUNLOG_INDEX_POSTING_CHUNK_H_
#define RUNLOG_INDEX_POSTING_CHUNK_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/status.h>

#include "format/event_codec.h"

namespace runlog::index {

inline constexpr std::size_t kPostingsPerChunkMax = 1024;

struct Posting {
  std::uint64_t seq = 0;
  format::EventClass event_class;
  friend bool operator==(const Posting&, const Posting&) = default;
};

/// The value of the chunk whose key ends in `last_seq`.
/// Requires: 1 to 1 024 postings, ascending, none above `last_seq`.
std::string EncodeChunk(std::span<const Posting> postings, std::uint64_t last_seq);

/// Replaces `out` by the chunk's postings, ascending.
/// Errors: kCorruption where the bytes are no chunk of that key.
Status DecodeChunk(std::string_view value, std::uint64_t last_seq, std::vector<Posting>& out);

}  // namespace runlog::index

#endif  // RUNLOG_INDEX_POSTING_CHUNK_H_
