// The ways a number is laid into bytes: big-endian in keys, little-endian and LEB128 varints in
// values. FORMAT.md, "The runlog format". Inline, because chunks and records are made of these.

#ifndef RUNLOG_FORMAT_BYTES_H_
#define RUNLOG_FORMAT_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace runlog::format {

static_assert(std::endian::native == std::endian::little, "little-endian values are copied as is");

inline void StoreBig32(char* to, std::uint32_t value) {
  value = __builtin_bswap32(value);
  std::memcpy(to, &value, sizeof value);
}
inline void StoreBig64(char* to, std::uint64_t value) {
  value = __builtin_bswap64(value);
  std::memcpy(to, &value, sizeof value);
}
/// Requires: four, or eight, readable bytes at `from`.
inline std::uint32_t LoadBig32(const char* from) {
  std::uint32_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return __builtin_bswap32(value);
}
inline std::uint64_t LoadBig64(const char* from) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return __builtin_bswap64(value);
}

inline void AppendByte(std::string& out, std::uint8_t value) {
  out.push_back(static_cast<char>(value));
}
inline void AppendBig32(std::string& out, std::uint32_t value) {
  char bytes[sizeof value];
  StoreBig32(bytes, value);
  out.append(bytes, sizeof bytes);
}
inline void AppendBig64(std::string& out, std::uint64_t value) {
  char bytes[sizeof value];
  StoreBig64(bytes, value);
  out.append(bytes, sizeof bytes);
}
inline void AppendLittle32(std::string& out, std::uint32_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof bytes);
}
inline void AppendLittle64(std::string& out, std::uint64_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof bytes);
}
inline void AppendVarint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    AppendByte(out, static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  AppendByte(out, static_cast<std::uint8_t>(value));
}
inline void AppendZigzag(std::string& out, std::int64_t value) {
  const std::uint64_t sign = value < 0 ? ~std::uint64_t{0} : 0;
  AppendVarint(out, static_cast<std::uint64_t>(value) << 1 ^ sign);
}
inline void AppendVarstr(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out.append(text);
}

/// Takes numbers off the front of a value. A read past the end, or of a number that is not in its
/// shortest form, answers zero and so does every read after it; look at ok() before using anything.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool finished() const { return ok_ && rest_.empty(); }
  std::size_t remaining() const { return rest_.size(); }

  /// Makes ok() false: for a field that was read and has no such value.
  void Fail() {
    ok_ = false;
    rest_ = {};
  }

  std::string_view Bytes(std::uint64_t count) {
    if (count > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view Varstr() { return Bytes(Varint()); }

  std::uint8_t Byte() {
    const std::string_view taken = Bytes(1);
    return taken.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(taken.front());
  }
  std::uint32_t Little32() {
    std::uint32_t value = 0;
    const std::string_view taken = Bytes(sizeof value);
    if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  std::uint64_t Little64() {
    std::uint64_t value = 0;
    const std::string_view taken = Bytes(sizeof value);
    if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  std::uint64_t Varint() {
    if (!rest_.empty() && static_cast<std::uint8_t>(rest_.front()) < 0x80) return Byte();
    return LongVarint();
  }
  std::uint32_t Varint32() {
    const std::uint64_t value = Varint();
    if (value <= std::numeric_limits<std::uint32_t>::max()) {
      return static_cast<std::uint32_t>(value);
    }
    Fail();
    return 0;
  }
  std::int64_t Zigzag() {
    const std::uint64_t value = Varint();
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }

 private:
  std::uint64_t LongVarint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = Byte();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) != 0) continue;
      const bool padded = byte == 0 && shift > 0;
      const bool too_large = shift == 63 && byte > 1;
      if (ok_ && !padded && !too_large) return value;
      break;
    }
    Fail();
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_BYTES_H_
