#include "format/records.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "format/bytes.h"

// Each record's layout is written down once, as a Fields function that a writer and a reader both
// run: what one puts the other expects.

namespace runlog::format {
namespace {

constexpr std::uint8_t kVersion = 1;

/// Appends fields to a value.
class FieldWriter {
 public:
  template <typename T>
  using Ref = const T&;

  explicit FieldWriter(std::string& out) : out_(out) {}

  void Byte(std::uint8_t value) { AppendByte(out_, value); }
  void Fixed(std::uint32_t value) { AppendLittle32(out_, value); }
  void Fixed(RunNumber value) { AppendLittle32(out_, Raw(value)); }
  void Fixed(OwnerNumber value) { AppendLittle32(out_, Raw(value)); }
  void Fixed(std::uint64_t value) { AppendLittle64(out_, value); }
  void Fixed(const Digest128& value) {
    Fixed(value.low);
    Fixed(value.high);
  }
  void Number(std::uint64_t value) { AppendVarint(out_, value); }
  void Number(ThreadNumber value) { AppendVarint(out_, Raw(value)); }
  void Number(RunNumber value) { AppendVarint(out_, Raw(value)); }
  void Number(OwnerNumber value) { AppendVarint(out_, Raw(value)); }
  void Time(std::int64_t microseconds) { AppendZigzag(out_, microseconds); }
  void Text(const std::string& value) { AppendVarstr(out_, value); }
  void Flag(bool value) { Byte(value ? 1 : 0); }
  template <typename E>
  void Enum(E value, E /*last*/) {
    Byte(static_cast<std::uint8_t>(value));
  }
  void OptionalText(const std::optional<std::string>& value) {
    Flag(value.has_value());
    if (value) Text(*value);
  }
  template <typename T>
  void List(const std::vector<T>& list, std::size_t /*entry_bytes_min*/) {
    Number(list.size());
    for (const T& entry : list)
      Fields(*this, entry);
  }

 private:
  std::string& out_;
};

/// Takes fields off a value. Carries the first failure, so that a Fields function reads straight
/// down; finished() says whether all of it was there.
class FieldReader {
 public:
  template <typename T>
  using Ref = T&;

  explicit FieldReader(std::string_view bytes) : in_(bytes) {}
  bool finished() const { return in_.finished(); }
  void Fail() { in_.Fail(); }

  void Byte(std::uint8_t& value) { value = in_.Byte(); }
  void Fixed(std::uint32_t& value) { value = in_.Little32(); }
  void Fixed(RunNumber& value) { value = RunNumber{in_.Little32()}; }
  void Fixed(OwnerNumber& value) { value = OwnerNumber{in_.Little32()}; }
  void Fixed(std::uint64_t& value) { value = in_.Little64(); }
  void Fixed(Digest128& value) {
    Fixed(value.low);
    Fixed(value.high);
  }
  void Number(std::uint64_t& value) { value = in_.Varint(); }
  void Number(std::uint32_t& value) { value = in_.Varint32(); }
  void Number(ThreadNumber& value) { value = ThreadNumber{in_.Varint()}; }
  void Number(RunNumber& value) { value = RunNumber{in_.Varint32()}; }
  void Number(OwnerNumber& value) { value = OwnerNumber{in_.Varint32()}; }
  void Time(std::int64_t& microseconds) { microseconds = in_.Zigzag(); }
  void Text(std::string& value) { value = in_.Varstr(); }
  void Flag(bool& value) { value = ByteWithin(0, 1) == 1; }
  template <typename E>
  void Enum(E& value, E last) {
    value = static_cast<E>(ByteWithin(1, static_cast<std::uint8_t>(last)));
  }
  void OptionalText(std::optional<std::string>& value) {
    bool given = false;
    Flag(given);
    if (given) Text(value.emplace());
  }
  /// A count that the rest of the bytes cannot hold fails before anything is allocated for it.
  template <typename T>
  void List(std::vector<T>& list, std::size_t entry_bytes_min) {
    const std::uint64_t count = in_.Varint();
    if (count > in_.remaining() / entry_bytes_min) in_.Fail();
    for (std::uint64_t i = 0; i < count && in_.ok(); ++i)
      Fields(*this, list.emplace_back());
  }

 private:
  std::uint8_t ByteWithin(std::uint8_t min, std::uint8_t max) {
    const std::uint8_t value = in_.Byte();
    if (value < min || value > max) in_.Fail();
    return value;
  }

  ByteReader in_;
};

constexpr std::size_t kFiguresBytesMin = 8 + 2 * 16;
constexpr std::size_t kOwnerSliceBytesMin = 1 + kFiguresBytesMin;
constexpr std::size_t kSliceDeltaBytesMin = 2 + kFiguresBytesMin;
constexpr std::size_t kStateDeltaBytesMin = 4;
constexpr std::size_t kCommandBytesMin = 7;

template <typename Io>
void Fields(Io& io, typename Io::template Ref<Figures> figures) {
  io.Number(figures.events);
  io.Number(figures.messages);
  io.Number(figures.bytes);
  io.Number(figures.volatile_events);
  io.Number(figures.first_seq);
  io.Number(figures.last_seq);
  io.Time(figures.first_at_us);
  io.Time(figures.last_at_us);
  io.Fixed(figures.digest);
  io.Fixed(figures.volatile_digest);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<ThreadRecord> record) {
  io.Number(record.as_of);
  io.Text(record.thread_id);
  io.Flag(record.ended);
  io.Number(record.mark);
  io.Number(record.next_run);
  io.Number(record.next_owner);
  io.Number(record.events);
  io.Number(record.messages);
  io.Number(record.bytes);
  io.Time(record.first_at_us);
  io.Time(record.last_at_us);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<OwnerSlice> slice) {
  io.Number(slice.owner);
  Fields(io, slice.figures);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<RunRecord> record) {
  io.Number(record.as_of);
  io.Text(record.run_id);
  io.Enum(record.state, StoredRunState::kDeleted);
  io.Text(record.status);
  io.Number(record.status_seq);
  io.Number(record.retention_revision);
  io.List(record.slices, kOwnerSliceBytesMin);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<OwnerRecord> record) {
  io.Number(record.as_of);
  io.Number(record.owner);
  io.Number(record.events);
  io.Number(record.messages);
  io.Number(record.bytes);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<SliceDelta> slice) {
  io.Number(slice.run);
  io.Number(slice.owner);
  Fields(io, slice.figures);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<StateDelta> state) {
  io.Number(state.run);
  io.Enum(state.state, StoredRunState::kDeleted);
  io.Text(state.status);
  io.Number(state.status_seq);
}

template <typename Io>
void DeleteFields(Io& io, typename Io::template Ref<CommandRow> row) {
  io.Text(row.thread_id);
  io.Text(row.run_id);
  io.OptionalText(row.user_id);
  io.Number(row.run);
  io.Number(row.owner);
  io.Number(row.count);
  io.Flag(row.incarnation_ended);
}

template <typename Io>
void AppendFields(Io& io, typename Io::template Ref<CommandRow> row) {
  io.Number(row.first_seq);
  io.Number(row.count);
  io.List(row.slices, kSliceDeltaBytesMin);
  io.List(row.states, kStateDeltaBytesMin);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<CommandRow> row) {
  io.Enum(row.kind, StoredCommitKind::kDeleteThread);
  io.Time(row.at_us);
  io.Number(row.thread);
  if (row.kind == StoredCommitKind::kDeleteRun || row.kind == StoredCommitKind::kDeleteThread) {
    DeleteFields(io, row);
  } else {
    AppendFields(io, row);
  }
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<CommitRow> row) {
  io.Fixed(row.nonce);
  io.Number(row.replay_from);
  io.List(row.commands, kCommandBytesMin);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<GapRow> row) {
  io.Number(row.first_seq);
  io.Enum(row.reason, GapReason::kAbsentInSource);
  io.Number(row.run);
  io.Number(row.commit);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<HiddenRow> row) {
  io.Number(row.up_to_seq);
  io.Enum(row.reason, GapReason::kAbsentInSource);
  io.Number(row.commit);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<IdempotencyRecord> record) {
  io.Number(record.thread);
  io.Number(record.epoch);
  io.Byte(record.level);
  io.Fixed(record.digest);
  io.Number(record.first_seq);
  io.Number(record.count);
  io.Number(record.commit);
  io.Time(record.at_us);
}

template <typename Io>
void Fields(Io& io, typename Io::template Ref<MessageEntry> entry) {
  io.Fixed(entry.run);
  io.Fixed(entry.owner);
  io.Byte(entry.class_byte);
}

template <typename T>
std::string EncodeRecord(const T& record) {
  std::string out(1, char{kVersion});
  FieldWriter writer(out);
  Fields(writer, record);
  return out;
}

Status NoSuch(std::string_view what, std::string_view bytes) {
  return Status(StatusCode::kCorruption, fmt::format("{} bytes are no {}", bytes.size(), what));
}

template <typename T>
Result<T> DecodeRecord(std::string_view what, std::string_view bytes) {
  if (bytes.empty()) return NoSuch(what, bytes);
  const auto version = static_cast<std::uint8_t>(bytes.front());
  if (version != kVersion) {
    return Status(StatusCode::kCorruption,
                  fmt::format("{} has version {}, this build reads {}", what, version, kVersion));
  }
  FieldReader reader(bytes.substr(1));
  T record;
  Fields(reader, record);
  if (!reader.finished()) return NoSuch(what, bytes);
  return record;
}

template <typename T>
Result<T> DecodeFixed(std::string_view what, std::string_view bytes) {
  FieldReader reader(bytes);
  T value{};
  reader.Fixed(value);
  if (!reader.finished()) return NoSuch(what, bytes);
  return value;
}

}  // namespace

void Figures::Add(const Figures& other) {
  if (other.events == 0) return;
  const bool first = events == 0;
  first_seq = first ? other.first_seq : std::min(first_seq, other.first_seq);
  last_seq = first ? other.last_seq : std::max(last_seq, other.last_seq);
  first_at_us = first ? other.first_at_us : std::min(first_at_us, other.first_at_us);
  last_at_us = first ? other.last_at_us : std::max(last_at_us, other.last_at_us);
  events += other.events;
  messages += other.messages;
  bytes += other.bytes;
  volatile_events += other.volatile_events;
  digest += other.digest;
  volatile_digest += other.volatile_digest;
}

std::string Encode(const ThreadRecord& record) {
  return EncodeRecord(record);
}
std::string Encode(const RunRecord& record) {
  return EncodeRecord(record);
}
std::string Encode(const OwnerRecord& record) {
  return EncodeRecord(record);
}
std::string Encode(const CommitRow& row) {
  return EncodeRecord(row);
}
std::string Encode(const GapRow& row) {
  return EncodeRecord(row);
}
std::string Encode(const HiddenRow& row) {
  return EncodeRecord(row);
}
std::string Encode(const IdempotencyRecord& record) {
  return EncodeRecord(record);
}
std::string Encode(const MessageEntry& entry) {
  std::string out;  // a row of an index, without a version
  FieldWriter writer(out);
  Fields(writer, entry);
  return out;
}

Result<ThreadRecord> DecodeThreadRecord(std::string_view bytes) {
  return DecodeRecord<ThreadRecord>("thread record", bytes);
}
Result<RunRecord> DecodeRunRecord(std::string_view bytes) {
  return DecodeRecord<RunRecord>("run record", bytes);
}
Result<OwnerRecord> DecodeOwnerRecord(std::string_view bytes) {
  return DecodeRecord<OwnerRecord>("owner record", bytes);
}
Result<CommitRow> DecodeCommitRow(std::string_view bytes) {
  return DecodeRecord<CommitRow>("commit row", bytes);
}
Result<GapRow> DecodeGapRow(std::string_view bytes) {
  return DecodeRecord<GapRow>("gap row", bytes);
}
Result<HiddenRow> DecodeHiddenRow(std::string_view bytes) {
  return DecodeRecord<HiddenRow>("hidden row", bytes);
}
Result<IdempotencyRecord> DecodeIdempotencyRecord(std::string_view bytes) {
  return DecodeRecord<IdempotencyRecord>("idempotency record", bytes);
}
Result<MessageEntry> DecodeMessageEntry(std::string_view bytes) {
  FieldReader reader(bytes);
  MessageEntry entry;
  Fields(reader, entry);
  if (!reader.finished()) return NoSuch("message entry", bytes);
  return entry;
}

std::string EncodeU64(std::uint64_t value) {
  std::string out;
  AppendLittle64(out, value);
  return out;
}
std::string EncodeU32(std::uint32_t value) {
  std::string out;
  AppendLittle32(out, value);
  return out;
}
Result<std::uint64_t> DecodeU64(std::string_view bytes) {
  return DecodeFixed<std::uint64_t>("64-bit number", bytes);
}
Result<std::uint32_t> DecodeU32(std::string_view bytes) {
  return DecodeFixed<std::uint32_t>("32-bit number", bytes);
}

}  // namespace runlog::format
