// Goal: what counts as UTF-8, as a character and as a control character.
// Method: the edges of every length of encoding, and every sequence of one and two bytes and every
// code point against an encoder of its own.

#include "format/utf8.h"

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace runlog::format {
namespace {

using std::string_literals::operator""s;

/// The textbook encoding, for any number that has one in form.
std::string Encoded(unsigned point) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xc0 | point >> 6), byte(0x80 | (point & 0x3f))};
  if (point < 0x10000) {
    return {byte(0xe0 | point >> 12), byte(0x80 | (point >> 6 & 0x3f)),
            byte(0x80 | (point & 0x3f))};
  }
  return {byte(0xf0 | point >> 18), byte(0x80 | (point >> 12 & 0x3f)),
          byte(0x80 | (point >> 6 & 0x3f)), byte(0x80 | (point & 0x3f))};
}

TEST(Utf8Test, EveryCodePointButTheSurrogatesIsValid) {
  for (unsigned point = 0; point < 0x110000; ++point) {
    const bool surrogate = point >= 0xd800 && point < 0xe000;
    ASSERT_EQ(InvalidUtf8At(Encoded(point)).has_value(), surrogate) << std::hex << point;
  }
}

TEST(Utf8Test, NumbersAboveTheLastCodePointAreRefused) {
  EXPECT_EQ(InvalidUtf8At("a\xf4\x90\x80\x80"), 1U);
  EXPECT_EQ(InvalidUtf8At("\xf5\x80\x80\x80"), 0U);
  EXPECT_EQ(InvalidUtf8At("\xff"), 0U);
}

TEST(Utf8Test, OverlongFormsAreRefused) {
  EXPECT_EQ(InvalidUtf8At("\xc0\x80"), 0U);
  EXPECT_EQ(InvalidUtf8At("\xc1\xbf"), 0U);
  EXPECT_EQ(InvalidUtf8At("\xe0\x9f\xbf"), 0U);
  EXPECT_EQ(InvalidUtf8At("\xf0\x8f\xbf\xbf"), 0U);
}

TEST(Utf8Test, EverySequenceOfTwoBytesIsJudgedByItsParts) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const bool two_ascii = first < 0x80 && second < 0x80;
      const bool one_pair = first >= 0xc2 && first < 0xe0 && second >= 0x80 && second < 0xc0;
      ASSERT_EQ(!InvalidUtf8At(text), two_ascii || one_pair) << first << ' ' << second;
    }
  }
}

TEST(Utf8Test, CharactersCutShortAreRefused) {
  for (const std::string_view whole : {"\xc3\xa9", "\xe4\xb8\xad", "\xf0\x9f\x98\x80"}) {
    for (std::size_t size = 1; size < whole.size(); ++size) {
      EXPECT_EQ(InvalidUtf8At("ab" + std::string(whole.substr(0, size))), 2U);
      EXPECT_EQ(InvalidUtf8At("ab" + std::string(whole.substr(0, size)) + "c"), 2U);
    }
  }
}

TEST(Utf8Test, TheFaultIsFoundAtAnyPlaceOfALongText) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '\x80';
    EXPECT_EQ(InvalidUtf8At(text), at);
  }
  EXPECT_EQ(InvalidUtf8At(std::string(40, 'x')), std::nullopt);
  EXPECT_EQ(InvalidUtf8At(""), std::nullopt);
}

TEST(CountCharactersTest, CountsCodePointsNotBytes) {
  EXPECT_EQ(CountCharacters(""), 0U);
  EXPECT_EQ(CountCharacters("run.end"), 7U);
  EXPECT_EQ(CountCharacters("\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80"), 3U);
  EXPECT_EQ(CountCharacters("e\xcc\x81"), 2U);  // a letter and its accent
  EXPECT_EQ(CountCharacters("a\0b"s), 3U);
}

TEST(ControlCharacterTest, FindsC0DelAndC1) {
  EXPECT_EQ(ControlCharacterAt("plain \xc3\xa9 text\xe2\x80\xa8"), std::nullopt);
  EXPECT_EQ(ControlCharacterAt("a\tb"), 1U);
  EXPECT_EQ(ControlCharacterAt("\0"s), 0U);
  EXPECT_EQ(ControlCharacterAt("ab\x1f"), 2U);
  EXPECT_EQ(ControlCharacterAt("ab\x7f"), 2U);
  EXPECT_EQ(ControlCharacterAt("ab\xc2\x80"), 2U);
  EXPECT_EQ(ControlCharacterAt("ab\xc2\x9f"), 2U);
  EXPECT_EQ(ControlCharacterAt("ab\xc2\xa0"), std::nullopt);
  EXPECT_EQ(ControlCharacterAt(" ~"), std::nullopt);
}

}  // namespace
}  // namespace runlog::format
