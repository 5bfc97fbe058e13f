// Index entries, once as the events demand them and once as the indexes hold them: verify compares
// the two.

#ifndef RUNLOG_ENGINE_INDEX_ENTRIES_H_
#define RUNLOG_ENGINE_INDEX_ENTRIES_H_

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/event.h>
#include <runlog/status.h>

#include "engine/event_fetch.h"
#include "format/checksum.h"
#include "format/key_space.h"
#include "format/numbers.h"

namespace runlog::engine {

inline constexpr std::array kIndexFamilies = {format::Family::kRunIndex, format::Family::kTypeIndex,
                                              format::Family::kTaskIndex,
                                              format::Family::kMessageIndex};

/// What one family says of one event of a thread.
struct IndexEntry {
  std::uint64_t seq = 0;
  std::uint32_t run = 0;
  std::uint32_t owner = 0;  // of messages
  std::uint8_t class_byte = 0;
  std::uint8_t visibility = 0;  // of messages: K
  std::string name;             // type or task
  friend auto operator<=>(const IndexEntry&, const IndexEntry&) = default;
};

/// Adds up to the same for the same entries in any order.
format::Digest128 DigestOf(const IndexEntry& entry);

/// The entry that `family` must have of the event; false where it must have none.
bool EntryOf(format::Family family, const StoredEvent& event, const EventView& view,
             IndexEntry& entry);

/// Replaces `entries` by those of one row. Errors: kCorruption.
Status EntriesOf(format::Family family, std::string_view key, std::string_view value,
                 std::vector<IndexEntry>& entries);

/// For a fault's detail.
std::string Describe(const IndexEntry& entry);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_INDEX_ENTRIES_H_
