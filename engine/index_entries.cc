#include "engine/index_entries.h"

#include <optional>

#include <fmt/format.h>

#include <runlog/limits.h>

#include "format/event_codec.h"
#include "format/keys.h"
#include "format/records.h"
#include "index/posting_chunk.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Raw;

constexpr std::size_t kEntryBytes = 18;

Status BadKey(Family family) {
  return Status(StatusCode::kCorruption,
                fmt::format("{}: a key that is none", format::FamilyName(family)));
}

Status MessageEntryOf(std::string_view key, std::string_view value,
                      std::vector<IndexEntry>& entries) {
  const auto parts = format::DecodeMessageKey(key);
  if (!parts) return BadKey(Family::kMessageIndex);
  const Result<format::MessageEntry> row = format::DecodeMessageEntry(value);
  if (!row.ok()) return row.status();
  entries.push_back({parts->seq,
                     Raw(row->run),
                     Raw(row->owner),
                     row->class_byte,
                     static_cast<std::uint8_t>(parts->visibility),
                     {}});
  return {};
}

}  // namespace

format::Digest128 DigestOf(const IndexEntry& entry) {
  std::string bytes;
  bytes.reserve(kEntryBytes + entry.name.size());
  bytes.append(format::EncodeU64(entry.seq));
  bytes.append(format::EncodeU32(entry.run));
  bytes.append(format::EncodeU32(entry.owner));
  bytes.push_back(static_cast<char>(entry.class_byte));
  bytes.push_back(static_cast<char>(entry.visibility));
  bytes.append(entry.name);
  return format::Hash128(bytes);
}

bool EntryOf(Family family, const StoredEvent& event, const EventView& view, IndexEntry& entry) {
  const format::EventHeader& header = event.header;
  entry = {event.seq, Raw(header.run), 0, header.event_class.byte(), 0, {}};
  switch (family) {
    case Family::kRunIndex:
      return true;
    case Family::kTypeIndex:
      entry.name = view.event_type();
      return true;
    case Family::kTaskIndex:
      entry.name = view.task_id();
      return !entry.name.empty() && entry.name.size() <= kIndexedTaskIdBytesMax;
    default:
      entry.owner = Raw(header.owner);
      entry.visibility = static_cast<std::uint8_t>(header.event_class.visibility());
      return header.event_class.message();
  }
}

Status EntriesOf(Family family, std::string_view key, std::string_view value,
                 std::vector<IndexEntry>& entries) {
  entries.clear();
  if (family == Family::kMessageIndex) return MessageEntryOf(key, value, entries);
  const auto parts = family == Family::kRunIndex ? format::DecodeRunPostingKey(key)
                                                 : format::DecodeNamedPostingKey(key);
  if (!parts) return BadKey(family);
  std::vector<index::Posting> postings;
  if (Status s = index::DecodeChunk(value, parts->last_seq, postings); !s.ok()) return s;
  for (const index::Posting& posting : postings) {
    entries.push_back(
        {posting.seq, Raw(parts->run), 0, posting.event_class.byte(), 0, std::string(parts->name)});
  }
  return {};
}

std::string Describe(const IndexEntry& entry) {
  return fmt::format("seq {} run {} owner {} class {:#04x} visibility {} name \"{}\"", entry.seq,
                     entry.run, entry.owner, entry.class_byte, entry.visibility, entry.name);
}

}  // namespace runlog::engine
