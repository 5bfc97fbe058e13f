// The FlatBuffer inside an event value: schema/event.fbs. The only user of the generated code is
// the .cc.

#ifndef RUNLOG_FORMAT_EVENT_BODY_H_
#define RUNLOG_FORMAT_EVENT_BODY_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include <runlog/event.h>

namespace runlog::format {

class StoredFields;

/// The body of an event that passed CheckEnvelope. Equal events give equal bytes, in every store:
/// run digests and archives compare by them.
std::string BuildBody(std::string_view thread_id, const Event& event, const StoredFields& fields,
                      Timestamp at);

/// Whether `body` is a well-formed Event of the schema, whoever made it. Copies it.
bool VerifyBody(std::string_view body);

/// The place of a field in the schema, from 0. The .cc holds them to the generated numbers.
enum class BodyField : std::uint16_t {
  kThreadId = 0,
  kRunId = 1,
  kEventType = 2,
  kCategory = 3,
  kContentKind = 4,
  kContent = 5,
  kMetadata = 6,
  kCreatedAt = 7,
  kUserId = 8,
  kTaskId = 9,
  kCaller = 10,
  kState = 11,
  kStep = 12,
  kSegment = 13,
  kParentRunId = 14,
  kCorrelationId = 15,
  kWriter = 17,
  kWriterSeq = 18,
  kIsVolatile = 19,
  kExtra = 20,
};

/// Where a table's vtable has the offset of `field`.
constexpr std::size_t VtableOffset(BodyField field) {
  return 4 + 2 * static_cast<std::size_t>(field);
}

/// Reads single fields of a body. The generated accessors need an aligned buffer and trust every
/// offset in it; a body lies wherever RocksDB's block has it, and a hash that anyone can compute is
/// no licence to read outside of it. What does not fit reads as absent.
class BodyReader {
 public:
  explicit BodyReader(std::string_view body) : body_(body) {}

  bool Has(BodyField field) const { return Find(field) != 0; }

  template <typename T>
  T Scalar(BodyField field) const {
    const std::size_t at = Find(field);
    return at == 0 ? T{} : Load<T>(at);
  }

  /// Of a string or a vector of bytes.
  std::string_view Bytes(BodyField field) const {
    const std::size_t at = Find(field);
    if (at == 0) return {};
    const std::size_t vector = at + Load<std::uint32_t>(at);
    const std::size_t length = Load<std::uint32_t>(vector);
    const std::size_t first = vector + sizeof(std::uint32_t);
    if (first > body_.size() || length > body_.size() - first) return {};
    return body_.substr(first, length);
  }

 private:
  /// Where the field's own bytes are, or 0.
  std::size_t Find(BodyField field) const {
    const std::size_t table = Load<std::uint32_t>(0);
    const auto back = static_cast<std::int64_t>(Load<std::int32_t>(table));
    const std::size_t vtable = table - static_cast<std::size_t>(back);
    if (VtableOffset(field) >= Load<std::uint16_t>(vtable)) return 0;
    const std::size_t offset = Load<std::uint16_t>(vtable + VtableOffset(field));
    return offset == 0 ? 0 : table + offset;
  }

  template <typename T>
  T Load(std::size_t at) const {
    static_assert(std::is_trivially_copyable_v<T> && std::endian::native == std::endian::little);
    T value{};
    if (at > body_.size() || body_.size() - at < sizeof(T)) return value;
    std::memcpy(&value, body_.data() + at, sizeof(T));
    return value;
  }

  std::string_view body_;
};

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_EVENT_BODY_H_
