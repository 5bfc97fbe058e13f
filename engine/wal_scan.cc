#include "engine/wal_scan.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <isa-l/crc.h>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "format/bytes.h"

namespace runlog::engine {
namespace {

// RocksDB's log format: blocks, in them physical records, of which one or several make a record.
constexpr std::size_t kBlockSize = 32768;
constexpr std::size_t kHeaderSize = 7;  // CRC32C u32, length u16, type u8
constexpr std::uint32_t kMaskDelta = 0xa282ead8U;

enum class PhysicalType : std::uint8_t { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

constexpr std::size_t kBatchHeaderSize = 12;  // sequence u64, count u32
constexpr char kLogDataTag = 3;               // WriteBatch's, of an entry that PutLogData made
/// A mark is the last entry: tag, length, bytes.
constexpr std::size_t kMarkEntrySize = 2 + format::kWalMarkSize;

std::uint32_t MaskedCrc(std::string_view bytes) {
  // ISA-L takes a pointer to non-const and does not write through it.
  auto* start = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
  const std::uint32_t crc = ~crc32_iscsi(start, static_cast<int>(bytes.size()), 0xffffffffU);
  return ((crc >> 15U) | (crc << 17U)) + kMaskDelta;
}

struct PhysicalRecord {
  PhysicalType type = PhysicalType::kFull;
  std::string_view payload;
};

/// The physical record at the front of `bytes`, or nothing where they are none.
std::optional<PhysicalRecord> ParsePhysical(std::string_view bytes) {
  if (bytes.size() < kHeaderSize) return std::nullopt;
  format::ByteReader reader(bytes);
  const std::uint32_t crc = reader.Little32();
  const std::size_t low = reader.Byte();
  const std::size_t length = low | std::size_t{reader.Byte()} << 8U;
  const std::uint8_t type = reader.Byte();
  if (type < static_cast<std::uint8_t>(PhysicalType::kFull) ||
      type > static_cast<std::uint8_t>(PhysicalType::kLast)) {
    return std::nullopt;
  }
  if (kHeaderSize + length > bytes.size()) return std::nullopt;
  if (MaskedCrc(bytes.substr(kHeaderSize - 1, 1 + length)) != crc) return std::nullopt;
  return PhysicalRecord{static_cast<PhysicalType>(type), bytes.substr(kHeaderSize, length)};
}

/// Keeps of a record that comes in pieces what is looked at: its head and its end.
class RecordAssembler {
 public:
  void Clear() {
    head_.clear();
    end_.clear();
  }
  void Add(std::string_view piece) {
    if (head_.size() < kBatchHeaderSize) {
      head_.append(piece.substr(0, kBatchHeaderSize - head_.size()));
    }
    end_.append(piece.substr(piece.size() - std::min(piece.size(), kMarkEntrySize)));
    if (end_.size() > kMarkEntrySize) end_.erase(0, end_.size() - kMarkEntrySize);
  }
  /// Nothing where the record is too short for a batch.
  std::optional<WalRecord> Take() const {
    format::ByteReader reader(head_);
    WalRecord record;
    record.sequence = reader.Little64();
    record.count = reader.Little32();
    if (!reader.ok()) return std::nullopt;
    const std::string_view end = end_;
    if (end.size() == kMarkEntrySize && end[0] == kLogDataTag &&
        static_cast<std::uint8_t>(end[1]) == format::kWalMarkSize) {
      record.mark = format::DecodeWalMark(end.substr(2));
    }
    return record;
  }

 private:
  std::string head_;
  std::string end_;
};

class Scanner {
 public:
  explicit Scanner(const WalVisitor& visitor) : visitor_(visitor) {}

  void ScanBlock(std::string_view block, std::uint64_t offset) {
    std::size_t at = 0;
    // A full block's last bytes are left empty where no header fits.
    while (block.size() - at >= kHeaderSize || (at < block.size() && block.size() < kBlockSize)) {
      const std::optional<PhysicalRecord> record = ParsePhysical(block.substr(at));
      if (!record) {
        Damage(offset + at);
        at = NextStart(block, at + 1);
        continue;
      }
      Take(*record, offset + at);
      at += kHeaderSize + record->payload.size();
    }
  }

  void End() {
    if (assembling_) Damage(started_at_);
  }

 private:
  /// Where in `block`, from `at` on, a record starts. Damage may hide where the next one does.
  static std::size_t NextStart(std::string_view block, std::size_t at) {
    for (; at + kHeaderSize <= block.size(); ++at) {
      const std::optional<PhysicalRecord> record = ParsePhysical(block.substr(at));
      if (record && (record->type == PhysicalType::kFull || record->type == PhysicalType::kFirst)) {
        return at;
      }
    }
    return block.size();
  }

  void Damage(std::uint64_t offset) {
    visitor_.on_damage(assembling_ ? started_at_ : offset);
    assembling_ = false;
    pieces_lost_ = true;
  }

  void Take(const PhysicalRecord& physical, std::uint64_t offset) {
    const bool starts =
        physical.type == PhysicalType::kFull || physical.type == PhysicalType::kFirst;
    if (starts) {
      if (assembling_) Damage(started_at_);
      pieces_lost_ = false;
      assembling_ = true;
      started_at_ = offset;
      assembler_.Clear();
    } else if (!assembling_) {
      if (!pieces_lost_) Damage(offset);
      return;  // the rest of a record whose front is damaged
    }
    assembler_.Add(physical.payload);
    if (physical.type == PhysicalType::kFirst || physical.type == PhysicalType::kMiddle) return;
    assembling_ = false;
    const std::optional<WalRecord> record = assembler_.Take();
    if (record) {
      visitor_.on_record(*record);
    } else {
      visitor_.on_damage(started_at_);
    }
  }

  const WalVisitor& visitor_;
  RecordAssembler assembler_;
  bool assembling_ = false;
  bool pieces_lost_ = false;  // what continues a record belongs to damage already told of
  std::uint64_t started_at_ = 0;
};

Status IoError(std::string_view doing, const std::filesystem::path& path, int error) {
  return Status(StatusCode::kIoError, fmt::format("{} {}: {}", doing, path.string(),
                                                  std::generic_category().message(error)));
}

/// Fills `block` as far as the file goes. Returns the bytes, or -1 with errno.
ssize_t ReadBlock(int descriptor, std::string& block, std::uint64_t offset) {
  std::size_t filled = 0;
  while (filled < kBlockSize) {
    const ssize_t size = ::pread(descriptor, block.data() + filled, kBlockSize - filled,
                                 static_cast<off_t>(offset + filled));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return -1;
    if (size == 0) break;
    filled += static_cast<std::size_t>(size);
  }
  return static_cast<ssize_t>(filled);
}

}  // namespace

Status ScanWal(const std::filesystem::path& path, const WalVisitor& visitor) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return IoError("cannot open", path, errno);
  Scanner scanner(visitor);
  std::string block(kBlockSize, '\0');
  Status failed;
  for (std::uint64_t offset = 0;; offset += kBlockSize) {
    const ssize_t size = ReadBlock(descriptor, block, offset);
    if (size < 0) failed = IoError("cannot read", path, errno);
    if (size <= 0) break;
    scanner.ScanBlock(std::string_view(block).substr(0, static_cast<std::size_t>(size)), offset);
    if (static_cast<std::size_t>(size) < kBlockSize) break;
  }
  ::close(descriptor);
  if (failed.ok()) scanner.End();
  return failed;
}

}  // namespace runlog::engine
