#include "format/keys.h"

#include <algorithm>

#include "format/bytes.h"

namespace runlog::format {
namespace {

constexpr char kThreadNameTag = 'n';
constexpr char kThreadRecordTag = 't';
constexpr char kRunNameTag = 'i';
constexpr char kRunRecordTag = 'r';
constexpr char kOwnerNameTag = 'n';
constexpr char kOwnerNumberTag = 'u';

constexpr std::size_t kThreadBytes = 8;
constexpr std::size_t kNumberBytes = 4;  // R or U
constexpr std::size_t kSeqBytes = 8;
constexpr std::size_t kLengthBytes = 2;  // of a str16

void AppendStr16(std::string& key, std::string_view name) {
  // A name this long is stored nowhere. Its key is well-formed under no length, so looking it up
  // finds nothing.
  const std::size_t length = std::min<std::size_t>(name.size(), 0xffff);
  AppendByte(key, static_cast<std::uint8_t>(length >> 8));
  AppendByte(key, static_cast<std::uint8_t>(length & 0xff));
  key.append(name);
}

/// The str16 at the front of `bytes`, or nullopt where it is cut off.
std::optional<std::string_view> ReadStr16(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) return std::nullopt;
  const std::size_t length =
      std::size_t{static_cast<std::uint8_t>(bytes[0])} << 8 | static_cast<std::uint8_t>(bytes[1]);
  if (bytes.size() - kLengthBytes < length) return std::nullopt;
  return bytes.substr(kLengthBytes, length);
}

std::string TaggedThread(char tag, ThreadNumber thread, std::size_t reserve = 0) {
  std::string key;
  key.reserve(1 + kThreadBytes + reserve);
  key.push_back(tag);
  AppendBig64(key, Raw(thread));
  return key;
}

std::string TaggedName(char tag, ThreadNumber thread, std::string_view name) {
  std::string key = TaggedThread(tag, thread, kLengthBytes + name.size());
  AppendStr16(key, name);
  return key;
}

std::string TaggedNumber(char tag, ThreadNumber thread, std::uint32_t number) {
  std::string key = TaggedThread(tag, thread, kNumberBytes);
  AppendBig32(key, number);
  return key;
}

ThreadNumber ReadThread(std::string_view bytes, std::size_t at) {
  return ThreadNumber{LoadBig64(bytes.data() + at)};
}
RunNumber ReadRun(std::string_view bytes, std::size_t at) {
  return RunNumber{LoadBig32(bytes.data() + at)};
}
OwnerNumber ReadOwner(std::string_view bytes, std::size_t at) {
  return OwnerNumber{LoadBig32(bytes.data() + at)};
}

bool HasTag(std::string_view bytes, char tag, std::size_t size) {
  return bytes.size() == size && bytes.front() == tag;
}

std::optional<NameKey> DecodeTaggedName(char tag, std::string_view bytes) {
  constexpr std::size_t kNameAt = 1 + kThreadBytes;
  if (bytes.size() < kNameAt || bytes.front() != tag) return std::nullopt;
  const std::optional<std::string_view> name = ReadStr16(bytes.substr(kNameAt));
  if (!name || bytes.size() != kNameAt + kLengthBytes + name->size()) return std::nullopt;
  return NameKey{ReadThread(bytes, 1), *name};
}

}  // namespace

EventKeyBytes Encode(const EventKey& key) {
  EventKeyBytes bytes;
  StoreBig64(bytes.data(), Raw(key.thread));
  StoreBig64(bytes.data() + kThreadBytes, key.seq);
  return bytes;
}

std::optional<EventKey> DecodeEventKey(std::string_view bytes) {
  if (bytes.size() != kThreadBytes + kSeqBytes) return std::nullopt;
  return EventKey{ReadThread(bytes, 0), LoadBig64(bytes.data() + kThreadBytes)};
}

std::string ThreadNameKey(std::string_view thread_id) {
  std::string key;
  key.reserve(1 + kLengthBytes + thread_id.size());
  key.push_back(kThreadNameTag);
  AppendStr16(key, thread_id);
  return key;
}

std::string ThreadRecordKey(ThreadNumber thread) {
  return TaggedThread(kThreadRecordTag, thread);
}

std::optional<ThreadNumber> DecodeThreadRecordKey(std::string_view bytes) {
  if (!HasTag(bytes, kThreadRecordTag, 1 + kThreadBytes)) return std::nullopt;
  return ReadThread(bytes, 1);
}

std::optional<std::string_view> DecodeThreadNameKey(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != kThreadNameTag) return std::nullopt;
  const std::optional<std::string_view> name = ReadStr16(bytes.substr(1));
  if (!name || bytes.size() != 1 + kLengthBytes + name->size()) return std::nullopt;
  return name;
}

std::string RunNameKey(ThreadNumber thread, std::string_view run_id) {
  return TaggedName(kRunNameTag, thread, run_id);
}

std::string RunRecordKey(ThreadNumber thread, RunNumber run) {
  return TaggedNumber(kRunRecordTag, thread, Raw(run));
}

std::optional<RunKey> DecodeRunRecordKey(std::string_view bytes) {
  if (!HasTag(bytes, kRunRecordTag, 1 + kThreadBytes + kNumberBytes)) return std::nullopt;
  return RunKey{ReadThread(bytes, 1), ReadRun(bytes, 1 + kThreadBytes)};
}

std::optional<NameKey> DecodeRunNameKey(std::string_view bytes) {
  return DecodeTaggedName(kRunNameTag, bytes);
}

std::string RunRecordPrefix(ThreadNumber thread) {
  return TaggedThread(kRunRecordTag, thread);
}

std::string RunNamePrefix(ThreadNumber thread) {
  return TaggedThread(kRunNameTag, thread);
}

std::string OwnerNameKey(ThreadNumber thread, std::string_view user_id) {
  return TaggedName(kOwnerNameTag, thread, user_id);
}

std::string OwnerNumberKey(ThreadNumber thread, OwnerNumber owner) {
  return TaggedNumber(kOwnerNumberTag, thread, Raw(owner));
}

std::optional<NameKey> DecodeOwnerNameKey(std::string_view bytes) {
  return DecodeTaggedName(kOwnerNameTag, bytes);
}

std::optional<OwnerKey> DecodeOwnerNumberKey(std::string_view bytes) {
  if (!HasTag(bytes, kOwnerNumberTag, 1 + kThreadBytes + kNumberBytes)) return std::nullopt;
  return OwnerKey{ReadThread(bytes, 1), ReadOwner(bytes, 1 + kThreadBytes)};
}

std::string OwnerNamePrefix(ThreadNumber thread) {
  return TaggedThread(kOwnerNameTag, thread);
}

std::string OwnerNumberPrefix(ThreadNumber thread) {
  return TaggedThread(kOwnerNumberTag, thread);
}

std::string PostingPrefix(ThreadNumber thread, RunNumber run) {
  std::string prefix;
  prefix.reserve(kThreadBytes + kNumberBytes);
  AppendBig64(prefix, Raw(thread));
  AppendBig32(prefix, Raw(run));
  return prefix;
}

std::string PostingPrefix(ThreadNumber thread, RunNumber run, std::string_view name) {
  std::string prefix;
  prefix.reserve(kThreadBytes + kNumberBytes + kLengthBytes + name.size());
  AppendBig64(prefix, Raw(thread));
  AppendBig32(prefix, Raw(run));
  AppendStr16(prefix, name);
  return prefix;
}

std::string PostingKey(std::string_view prefix, std::uint64_t last_seq) {
  std::string key;
  key.reserve(prefix.size() + kSeqBytes);
  key.append(prefix);
  AppendBig64(key, last_seq);
  return key;
}

std::optional<PostingKeyParts> DecodeRunPostingKey(std::string_view bytes) {
  constexpr std::size_t kSeqAt = kThreadBytes + kNumberBytes;
  if (bytes.size() != kSeqAt + kSeqBytes) return std::nullopt;
  return PostingKeyParts{
      ReadThread(bytes, 0), ReadRun(bytes, kThreadBytes), {}, LoadBig64(bytes.data() + kSeqAt)};
}

std::optional<PostingKeyParts> DecodeNamedPostingKey(std::string_view bytes) {
  constexpr std::size_t kNameAt = kThreadBytes + kNumberBytes;
  if (bytes.size() < kNameAt) return std::nullopt;
  const std::optional<std::string_view> name = ReadStr16(bytes.substr(kNameAt));
  if (!name) return std::nullopt;
  const std::size_t seq_at = kNameAt + kLengthBytes + name->size();
  if (bytes.size() != seq_at + kSeqBytes) return std::nullopt;
  return PostingKeyParts{ReadThread(bytes, 0), ReadRun(bytes, kThreadBytes), *name,
                         LoadBig64(bytes.data() + seq_at)};
}

MessageKeyBytes Encode(const MessageKey& key) {
  MessageKeyBytes bytes;
  StoreBig64(bytes.data(), Raw(key.thread));
  bytes[kThreadBytes] = static_cast<char>(key.visibility);
  StoreBig64(bytes.data() + kThreadBytes + 1, key.seq);
  return bytes;
}

std::optional<MessageKey> DecodeMessageKey(std::string_view bytes) {
  if (bytes.size() != kThreadBytes + 1 + kSeqBytes) return std::nullopt;
  const auto visibility = static_cast<std::uint8_t>(bytes[kThreadBytes]);
  if (visibility > static_cast<std::uint8_t>(MessageVisibility::kHidden)) return std::nullopt;
  return MessageKey{ReadThread(bytes, 0), MessageVisibility{visibility},
                    LoadBig64(bytes.data() + kThreadBytes + 1)};
}

CommitKeyBytes CommitKey(std::uint64_t commit) {
  CommitKeyBytes bytes;
  StoreBig64(bytes.data(), commit);
  return bytes;
}

std::optional<std::uint64_t> DecodeCommitKey(std::string_view bytes) {
  if (bytes.size() != sizeof(std::uint64_t)) return std::nullopt;
  return LoadBig64(bytes.data());
}

GapKeyBytes GapKey(ThreadNumber thread, std::uint64_t last_seq) {
  return Encode(EventKey{thread, last_seq});
}

std::optional<EventKey> DecodeGapKey(std::string_view bytes) {
  return DecodeEventKey(bytes);
}

HiddenKeyBytes Encode(const HiddenKey& key) {
  HiddenKeyBytes bytes;
  StoreBig64(bytes.data(), Raw(key.thread));
  bytes[kThreadBytes] = static_cast<char>(key.scope);
  StoreBig32(bytes.data() + kThreadBytes + 1, Raw(key.run));
  StoreBig32(bytes.data() + kThreadBytes + 1 + kNumberBytes, Raw(key.owner));
  return bytes;
}

std::optional<HiddenKey> DecodeHiddenKey(std::string_view bytes) {
  if (bytes.size() != kThreadBytes + 1 + 2 * kNumberBytes) return std::nullopt;
  const auto scope = static_cast<std::uint8_t>(bytes[kThreadBytes]);
  if (scope < static_cast<std::uint8_t>(HiddenScope::kThread) ||
      scope > static_cast<std::uint8_t>(HiddenScope::kOwnerInRun)) {
    return std::nullopt;
  }
  const HiddenKey key{ReadThread(bytes, 0), HiddenScope{scope}, ReadRun(bytes, kThreadBytes + 1),
                      ReadOwner(bytes, kThreadBytes + 1 + kNumberBytes)};
  const bool of_run = key.scope == HiddenScope::kRun || key.scope == HiddenScope::kOwnerInRun;
  const bool of_owner = key.scope == HiddenScope::kOwner || key.scope == HiddenScope::kOwnerInRun;
  if (!of_run && key.run != RunNumber::kNone) return std::nullopt;
  if (!of_owner && key.owner != OwnerNumber::kNone) return std::nullopt;
  return key;
}

std::string IdempotencyKey(std::string_view thread_id, std::string_view key) {
  std::string bytes;
  bytes.reserve(kLengthBytes + thread_id.size() + key.size());
  AppendStr16(bytes, thread_id);
  bytes.append(key);
  return bytes;
}

std::array<char, 8> ThreadPrefix(ThreadNumber thread) {
  std::array<char, 8> bytes;
  StoreBig64(bytes.data(), Raw(thread));
  return bytes;
}

std::string PrefixEnd(std::string_view prefix) {
  const std::size_t last = prefix.find_last_not_of('\xff');
  if (last == std::string_view::npos) return {};
  std::string end(prefix.substr(0, last + 1));
  end.back() = static_cast<char>(static_cast<std::uint8_t>(end.back()) + 1);
  return end;
}

}  // namespace runlog::format
