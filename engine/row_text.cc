#include "engine/row_text.h"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <runlog/event.h>

#include "format/event_codec.h"
#include "format/keys.h"
#include "format/records.h"
#include "format/utf8.h"
#include "index/posting_chunk.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Figures;
using format::Raw;

constexpr std::string_view kNotDecodable = "(does not decode)";

std::string TimeOf(std::int64_t at_us) {
  return FormatTimestamp(Timestamp{at_us});
}

std::string CutMark(std::size_t bytes) {
  return bytes > kTextBytesMax ? fmt::format("...({} bytes)", bytes) : std::string();
}

std::string Describe(const Figures& figures) {
  return fmt::format(
      "events={} messages={} bytes={} volatile={} seqs={}..{} times={}..{} "
      "digest={:016x}{:016x} volatile_digest={:016x}{:016x}",
      figures.events, figures.messages, figures.bytes, figures.volatile_events, figures.first_seq,
      figures.last_seq, TimeOf(figures.first_at_us), TimeOf(figures.last_at_us),
      figures.digest.high, figures.digest.low, figures.volatile_digest.high,
      figures.volatile_digest.low);
}

std::string Describe(const format::ThreadRecord& record) {
  return fmt::format(
      "as_of={} thread_id={} ended={} mark={} next_run={} next_owner={} events={} "
      "messages={} bytes={} times={}..{}",
      record.as_of, Quote(record.thread_id), record.ended, record.mark, record.next_run,
      record.next_owner, record.events, record.messages, record.bytes, TimeOf(record.first_at_us),
      TimeOf(record.last_at_us));
}

std::string Describe(const format::RunRecord& record) {
  std::string text =
      fmt::format("as_of={} run_id={} state={} status={} status_seq={} revision={}", record.as_of,
                  Quote(record.run_id), static_cast<unsigned>(record.state), Quote(record.status),
                  record.status_seq, record.retention_revision);
  for (const format::OwnerSlice& slice : record.slices) {
    text += fmt::format(" [U={} {}]", Raw(slice.owner), Describe(slice.figures));
  }
  return text;
}

std::string Describe(const format::OwnerRecord& record) {
  return fmt::format("as_of={} U={} events={} messages={} bytes={}", record.as_of,
                     Raw(record.owner), record.events, record.messages, record.bytes);
}

std::string Describe(const format::CommandRow& command) {
  std::string text =
      fmt::format(" [kind={} at={} T={} first_seq={} count={}", static_cast<unsigned>(command.kind),
                  TimeOf(command.at_us), Raw(command.thread), command.first_seq, command.count);
  if (!command.thread_id.empty()) {
    text +=
        fmt::format(" thread_id={} run_id={} user_id={} R={} ended={}", Quote(command.thread_id),
                    Quote(command.run_id), command.user_id ? Quote(*command.user_id) : "none",
                    Raw(command.run), command.incarnation_ended);
  }
  for (const format::SliceDelta& slice : command.slices) {
    text +=
        fmt::format(" (R={} U={} {})", Raw(slice.run), Raw(slice.owner), Describe(slice.figures));
  }
  for (const format::StateDelta& state : command.states) {
    text += fmt::format(" (R={} state={} status={} status_seq={})", Raw(state.run),
                        static_cast<unsigned>(state.state), Quote(state.status), state.status_seq);
  }
  return text + "]";
}

std::string Describe(const format::CommitRow& row) {
  std::string text = fmt::format("nonce={:016x} replay_from={}", row.nonce, row.replay_from);
  for (const format::CommandRow& command : row.commands)
    text += Describe(command);
  return text;
}

std::string Describe(const format::GapRow& row) {
  return fmt::format("first_seq={} reason={} R={} commit={}", row.first_seq,
                     static_cast<unsigned>(row.reason), Raw(row.run), row.commit);
}

std::string Describe(const format::HiddenRow& row) {
  return fmt::format("up_to={} reason={} commit={}", row.up_to_seq,
                     static_cast<unsigned>(row.reason), row.commit);
}

std::string Describe(const format::IdempotencyRecord& record) {
  return fmt::format(
      "T={} epoch={} level={} digest={:016x}{:016x} first_seq={} count={} "
      "commit={} at={}",
      Raw(record.thread), record.epoch, record.level, record.digest.high, record.digest.low,
      record.first_seq, record.count, record.commit, TimeOf(record.at_us));
}

std::string Describe(const format::MessageEntry& entry) {
  return fmt::format("R={} U={} class={:#04x}", Raw(entry.run), Raw(entry.owner), entry.class_byte);
}

std::string Describe(std::uint64_t number) {
  return fmt::format("{}", number);
}

template <typename T>
std::string Decoded(const Result<T>& record) {
  return record.ok() ? Describe(*record) : std::string(kNotDecodable);
}

std::string DescribeChunk(Family family, std::string_view key, std::string_view value) {
  const auto parts = family == Family::kRunIndex ? format::DecodeRunPostingKey(key)
                                                 : format::DecodeNamedPostingKey(key);
  std::vector<index::Posting> postings;
  if (!parts || !index::DecodeChunk(value, parts->last_seq, postings).ok()) {
    return std::string(kNotDecodable);
  }
  std::string text;
  for (const index::Posting& posting : postings) {
    if (text.size() > kTextBytesMax) return text + fmt::format("...({} postings)", postings.size());
    text += fmt::format("{}{}:{:#04x}", text.empty() ? "" : " ", posting.seq,
                        posting.event_class.byte());
  }
  return text;
}

std::string DescribePostingKey(const std::optional<format::PostingKeyParts>& parts, bool named) {
  if (!parts) return std::string(kNotDecodable);
  const std::string name = named ? fmt::format(" {}", Quote(parts->name)) : std::string();
  return fmt::format("T={} R={}{} S_last={}", Raw(parts->thread), Raw(parts->run), name,
                     parts->last_seq);
}

std::string DescribeNameKey(const std::optional<format::NameKey>& key) {
  if (!key) return std::string(kNotDecodable);
  return fmt::format("name T={} {}", Raw(key->thread), Quote(key->name));
}

std::string DescribeThreadKey(std::string_view key) {
  if (const auto name = format::DecodeThreadNameKey(key)) return "name " + Quote(*name);
  const auto thread = format::DecodeThreadRecordKey(key);
  return thread ? fmt::format("T={}", Raw(*thread)) : std::string(kNotDecodable);
}

std::string DescribeRunKey(std::string_view key) {
  if (const auto run = format::DecodeRunRecordKey(key)) {
    return fmt::format("T={} R={}", Raw(run->thread), Raw(run->run));
  }
  return DescribeNameKey(format::DecodeRunNameKey(key));
}

std::string DescribeOwnerKey(std::string_view key) {
  if (const auto owner = format::DecodeOwnerNumberKey(key)) {
    return fmt::format("T={} U={}", Raw(owner->thread), Raw(owner->owner));
  }
  return DescribeNameKey(format::DecodeOwnerNameKey(key));
}

std::string DescribeSeqKey(const std::optional<format::EventKey>& key, std::string_view seq) {
  if (!key) return std::string(kNotDecodable);
  return fmt::format("T={} {}={}", Raw(key->thread), seq, key->seq);
}

std::string DescribeMessageKey(std::string_view bytes) {
  const auto key = format::DecodeMessageKey(bytes);
  if (!key) return std::string(kNotDecodable);
  return fmt::format("T={} K={} S={}", Raw(key->thread), static_cast<unsigned>(key->visibility),
                     key->seq);
}

std::string DescribeHiddenKey(std::string_view bytes) {
  const auto key = format::DecodeHiddenKey(bytes);
  if (!key) return std::string(kNotDecodable);
  return fmt::format("T={} scope={} R={} U={}", Raw(key->thread), static_cast<unsigned>(key->scope),
                     Raw(key->run), Raw(key->owner));
}

std::string DescribeMeta(std::string_view value) {
  return Decoded(format::DecodeU64(value));
}

}  // namespace

std::string DescribeEvent(std::string_view key_bytes, std::string_view value,
                          std::string_view thread_id) {
  const auto key = format::DecodeEventKey(key_bytes);
  const Result<format::EventHeader> header = format::PeekEventHeader(value);
  if (!key || !header.ok()) return std::string(kNotDecodable);
  std::string text = fmt::format("R={} U={} class={:#04x} commit={} body_bytes={}",
                                 Raw(header->run), Raw(header->owner), header->event_class.byte(),
                                 header->commit, header->body_bytes);
  const Result<EventView> view = EventDecoder::Decode(value, *key, thread_id);
  if (!view.ok()) return fmt::format("{} ({})", text, view.status().message());
  text += fmt::format(" run_id={} type={} category={} at={}", Quote(view->run_id()),
                      Quote(view->event_type()), Quote(view->category()),
                      FormatTimestamp(view->created_at()));
  if (view->user_id()) text += " user_id=" + Quote(*view->user_id());
  return text + fmt::format(" content={}:{} metadata={}",
                            static_cast<unsigned>(view->content().kind),
                            Quote(view->content().bytes), Quote(view->metadata()));
}

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes.substr(0, kTextBytesMax)) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text + CutMark(bytes.size());
}

std::string Quote(std::string_view text) {
  std::string_view shown = text.substr(0, kTextBytesMax);
  const bool is_text = !format::InvalidUtf8At(text);
  if (is_text && shown.size() < text.size()) {
    // Not in the middle of a character.
    shown = shown.substr(0, format::InvalidUtf8At(shown).value_or(shown.size()));
  }
  const bool plain = is_text && !format::ControlCharacterAt(shown);
  std::string quoted = "\"";
  for (const char character : shown) {
    const auto byte = static_cast<unsigned char>(character);
    const bool escape = plain ? false : byte < 0x20U || byte >= 0x7fU;
    if (character == '"' || character == '\\') quoted += '\\';
    quoted += escape ? fmt::format("\\x{:02x}", byte) : std::string(1, character);
  }
  return quoted + '"' + CutMark(text.size());
}

std::string DescribeKey(Family family, std::string_view key) {
  switch (family) {
    case Family::kMeta:
    case Family::kEvidence:
      return Quote(key);
    case Family::kIdempotency:
      return Quote(key);
    case Family::kThreads:
      return DescribeThreadKey(key);
    case Family::kRuns:
      return DescribeRunKey(key);
    case Family::kOwners:
      return DescribeOwnerKey(key);
    case Family::kEvents:
      return DescribeSeqKey(format::DecodeEventKey(key), "S");
    case Family::kRunIndex:
      return DescribePostingKey(format::DecodeRunPostingKey(key), /*named=*/false);
    case Family::kTypeIndex:
    case Family::kTaskIndex:
      return DescribePostingKey(format::DecodeNamedPostingKey(key), /*named=*/true);
    case Family::kMessageIndex:
      return DescribeMessageKey(key);
    case Family::kCommits: {
      const auto commit = format::DecodeCommitKey(key);
      return commit ? fmt::format("N={}", *commit) : std::string(kNotDecodable);
    }
    case Family::kGaps:
      return DescribeSeqKey(format::DecodeGapKey(key), "S_last");
    case Family::kHidden:
      return DescribeHiddenKey(key);
  }
  return std::string(kNotDecodable);
}

std::string DescribeValue(Family family, std::string_view key, std::string_view value) {
  switch (family) {
    case Family::kMeta:
      return DescribeMeta(value);
    case Family::kThreads:
      return format::DecodeThreadRecordKey(key) ? Decoded(format::DecodeThreadRecord(value))
                                                : Decoded(format::DecodeU64(value));
    case Family::kRuns:
      if (format::DecodeRunRecordKey(key)) return Decoded(format::DecodeRunRecord(value));
      if (const auto number = format::DecodeU32(value); number.ok()) return Describe(*number);
      return std::string(kNotDecodable);
    case Family::kOwners:
      return format::DecodeOwnerNumberKey(key) ? Quote(value)
                                               : Decoded(format::DecodeOwnerRecord(value));
    case Family::kEvents:
      break;  // DescribeEvent
    case Family::kRunIndex:
    case Family::kTypeIndex:
    case Family::kTaskIndex:
      return DescribeChunk(family, key, value);
    case Family::kMessageIndex:
      return Decoded(format::DecodeMessageEntry(value));
    case Family::kCommits:
      return Decoded(format::DecodeCommitRow(value));
    case Family::kGaps:
      return Decoded(format::DecodeGapRow(value));
    case Family::kHidden:
      return Decoded(format::DecodeHiddenRow(value));
    case Family::kIdempotency:
      return Decoded(format::DecodeIdempotencyRecord(value));
    case Family::kEvidence:
      return Quote(value);
  }
  return std::string(kNotDecodable);
}

}  // namespace runlog::engine
