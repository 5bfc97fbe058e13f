#include "format/utf8.h"

#include <cstdint>
#include <cstring>

namespace runlog::format {
namespace {

/// What a lead byte asks for: how many bytes the character has, and the range of its second one,
/// which is where overlong forms, surrogates and numbers above U+10FFFF show.
struct LeadByte {
  std::size_t length;  // 0: no character starts so
  std::uint8_t second_min = 0x80;
  std::uint8_t second_max = 0xbf;
};

LeadByte ReadLead(std::uint8_t byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xc2) return {0};
  if (byte < 0xe0) return {2};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0};
}

std::uint8_t ByteAt(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

bool IsContinuation(std::uint8_t byte) {
  return (byte & 0xc0U) == 0x80U;
}

/// The length of the character at `at`, or 0 where there is none.
std::size_t CharacterAt(std::string_view text, std::size_t at) {
  const LeadByte lead = ReadLead(ByteAt(text, at));
  if (lead.length <= 1) return lead.length;
  if (text.size() - at < lead.length) return 0;
  const std::uint8_t second = ByteAt(text, at + 1);
  if (second < lead.second_min || second > lead.second_max) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if (!IsContinuation(ByteAt(text, at + i))) return 0;
  }
  return lead.length;
}

bool StartsWithEightAsciiBytes(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  if (text.size() - at < sizeof word) return false;
  std::memcpy(&word, text.data() + at, sizeof word);
  return (word & 0x8080808080808080U) == 0;
}

}  // namespace

std::optional<std::size_t> InvalidUtf8At(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (StartsWithEightAsciiBytes(text, at)) {
      at += 8;
      continue;
    }
    const std::size_t length = CharacterAt(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

std::size_t CountCharacters(std::string_view utf8) {
  std::size_t count = 0;
  for (const char c : utf8) {
    if (!IsContinuation(static_cast<std::uint8_t>(c))) ++count;
  }
  return count;
}

std::optional<std::size_t> ControlCharacterAt(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    const std::uint8_t byte = ByteAt(utf8, at);
    if (byte < 0x20 || byte == 0x7f) return at;
    // C1, U+0080 to U+009F, is 0xC2 and a byte below 0xA0.
    if (byte == 0xc2 && at + 1 < utf8.size() && ByteAt(utf8, at + 1) < 0xa0) return at;
  }
  return std::nullopt;
}

}  // namespace runlog::format
