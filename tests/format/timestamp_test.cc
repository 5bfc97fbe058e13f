// Goal: created_at is read as the source framework reads it and written in one form.
// Method: texts and the moments Python 3.11's datetime.fromisoformat gives for them, written down.

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/event.h>

#include "tests/support/seeded_random.h"
#include "tests/support/status_matchers.h"

namespace runlog {
namespace {

using runlog::testing::FailsWith;
using std::string_literals::operator""s;
using ::testing::HasSubstr;

constexpr std::int64_t kFirst = -62'135'596'800'000'000;  // 0001-01-01T00:00:00Z
constexpr std::int64_t kLast = 253'402'300'799'999'999;   // 9999-12-31T23:59:59.999999Z

/// `text` read and written again, or the reason it was refused.
std::string Rewritten(std::string_view text) {
  const Result<Timestamp> at = ParseTimestamp(text);
  return at.ok() ? FormatTimestamp(*at) : at.status().ToString();
}

bool IsRefused(std::string_view text) {
  const Result<Timestamp> at = ParseTimestamp(text);
  return !at.ok() && at.status().code() == StatusCode::kInvalidArgument;
}

TEST(ParseTimestampTest, CountsMicrosecondsFromTheEpoch) {
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00Z")->microseconds, 0);
  EXPECT_EQ(ParseTimestamp("1969-12-31T23:59:59.999999+00:00")->microseconds, -1);
  EXPECT_EQ(ParseTimestamp("2024-02-29T12:34:56.789012+00:00")->microseconds,
            1'709'210'096'789'012);
}

TEST(ParseTimestampTest, ATimeWithoutAZoneIsUtc) {
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56"), "2024-02-29T12:34:56+00:00");
}

TEST(ParseTimestampTest, OffsetsAreTakenOff) {
  EXPECT_EQ(Rewritten("2024-02-29T10:00:00+08:00"), "2024-02-29T02:00:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T23:30:00-01:00"), "2024-03-01T00:30:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T10:00+0530"), "2024-02-29T04:30:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T10:00-05"), "2024-02-29T15:00:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T10:00:00+01:02:03"), "2024-02-29T08:57:57+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T10:00:00+05:30:15.5"), "2024-02-29T04:29:44.500000+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T10:00:00-23:59:59.999999"), "2024-03-01T09:59:59.999999+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T10:00:00+00:99"), "2024-02-29T08:21:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T10:00:00-00:00"), "2024-02-29T10:00:00+00:00");
}

TEST(ParseTimestampTest, AnOffsetOfADayIsRefused) {
  EXPECT_TRUE(IsRefused("2024-02-29T10:00:00+24:00"));
  EXPECT_TRUE(IsRefused("2024-02-29T10:00:00-24:00"));
  EXPECT_TRUE(IsRefused("2024-02-29T10:00:00+23:60"));
}

TEST(ParseTimestampTest, DigitsPastTheSixthAreCut) {
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56.123456789Z"), "2024-02-29T12:34:56.123456+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56.1234569"), "2024-02-29T12:34:56.123456+00:00");
  EXPECT_EQ(Rewritten("1969-12-31T23:59:59.9999999Z"), "1969-12-31T23:59:59.999999+00:00");
}

TEST(ParseTimestampTest, FractionsOfAnyLengthBehindAPointOrAComma) {
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56.5"), "2024-02-29T12:34:56.500000+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56,25"), "2024-02-29T12:34:56.250000+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56.000001Z"), "2024-02-29T12:34:56.000001+00:00");
  EXPECT_EQ(Rewritten("20240229T123456,5+01"), "2024-02-29T11:34:56.500000+00:00");
}

TEST(ParseTimestampTest, DatesAloneAreMidnight) {
  EXPECT_EQ(Rewritten("2024-02-29"), "2024-02-29T00:00:00+00:00");
  EXPECT_EQ(Rewritten("20240229"), "2024-02-29T00:00:00+00:00");
}

TEST(ParseTimestampTest, BasicFormAndShortTimes) {
  EXPECT_EQ(Rewritten("20240229T123456"), "2024-02-29T12:34:56+00:00");
  EXPECT_EQ(Rewritten("20240229T123456Z"), "2024-02-29T12:34:56+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T1234"), "2024-02-29T12:34:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T12:34"), "2024-02-29T12:34:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T12"), "2024-02-29T12:00:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T12Z"), "2024-02-29T12:00:00+00:00");
}

TEST(ParseTimestampTest, AnyCharacterSeparatesDateAndTime) {
  for (const std::string& separator :
       {" "s, "t"s, "_"s, "-"s, "5"s, "\xc3\xa9"s, "\xe4\xb8\xad"s, "\xf0\x9f\x98\x80"s, "\0"s}) {
    EXPECT_EQ(Rewritten("2024-02-29" + separator + "12:34:56"), "2024-02-29T12:34:56+00:00")
        << separator;
  }
}

TEST(ParseTimestampTest, WeekDates) {
  EXPECT_EQ(Rewritten("2024-W09-4"), "2024-02-29T00:00:00+00:00");
  EXPECT_EQ(Rewritten("2024W094"), "2024-02-29T00:00:00+00:00");
  EXPECT_EQ(Rewritten("2024-W09"), "2024-02-26T00:00:00+00:00");
  EXPECT_EQ(Rewritten("2024W09"), "2024-02-26T00:00:00+00:00");
  EXPECT_EQ(Rewritten("2024-W09-4T12:34"), "2024-02-29T12:34:00+00:00");
  EXPECT_EQ(Rewritten("2024W094T12"), "2024-02-29T12:00:00+00:00");
  EXPECT_EQ(Rewritten("2024W09T1234"), "2024-02-26T12:34:00+00:00");
}

TEST(ParseTimestampTest, WeekDatesReachIntoTheYearsBeside) {
  EXPECT_EQ(Rewritten("2020-W01-1"), "2019-12-30T00:00:00+00:00");
  EXPECT_EQ(Rewritten("2020-W53-7"), "2021-01-03T00:00:00+00:00");
  EXPECT_TRUE(IsRefused("2021-W53"));
  EXPECT_TRUE(IsRefused("2021-W00"));
  EXPECT_TRUE(IsRefused("2021-W01-0"));
  EXPECT_TRUE(IsRefused("2021-W01-8"));
  EXPECT_EQ(Rewritten("0001-W01-1"), "0001-01-01T00:00:00+00:00");
  EXPECT_EQ(Rewritten("9999-W52-5"), "9999-12-31T00:00:00+00:00");
  EXPECT_TRUE(IsRefused("9999-W52-6"));
}

TEST(ParseTimestampTest, WeekDatesAreToldFromTheirTimesByTheDigits) {
  EXPECT_EQ(Rewritten("2020-W01-10"), "2019-12-30T10:00:00+00:00");    // week, -, hour
  EXPECT_EQ(Rewritten("2020W0110111"), "2019-12-30T01:11:00+00:00");   // week, 1, 01, 11
  EXPECT_EQ(Rewritten("2020W01101112"), "2019-12-30T11:12:00+00:00");  // week, day, 0, 11, 12
}

TEST(ParseTimestampTest, RangesAreHeld) {
  for (const std::string_view text :
       {"2024-02-30", "2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32",
        "0000-01-01", "0000-W01-1", "2024-02-29T24:00", "2024-02-29T24:00:00Z", "2024-02-29T12:60",
        "2024-06-30T23:59:60Z", "2024-06-30T23:59:61"}) {
    EXPECT_TRUE(IsRefused(text)) << text;
  }
}

TEST(ParseTimestampTest, OnlyAnUpperCaseZIsAZone) {
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56Z"), "2024-02-29T12:34:56+00:00");
  EXPECT_TRUE(IsRefused("2024-02-29T12:34:56z"));
  EXPECT_TRUE(IsRefused("2024-02-29T12:34:56Z+01:00"));
  EXPECT_TRUE(IsRefused("2024-02-29T12:34:56ZZ"));
}

TEST(ParseTimestampTest, TextsThatAreNoneAreRefused) {
  for (const std::string_view text : {"",
                                      "1709210096",
                                      "1709210096.5",
                                      "now",
                                      "2024",
                                      "2024-02",
                                      "202402",
                                      "2024-2-9",
                                      "2024-060",
                                      "2024060",
                                      "24-02-29",
                                      "+2024-02-29",
                                      "2024-02-29T",
                                      "2024-02-29T1",
                                      "2024-02-29T12:",
                                      "2024-02-29T12:3",
                                      "2024-02-29T12:34:56.",
                                      "2024-02-29T12:34:56+",
                                      "2024-02-29T12:3456",
                                      "2024-02-29T1234:56",
                                      "2024-02-29T12:34:56x",
                                      "2024-02-29 12:34 UTC",
                                      "2024/02/29",
                                      "Thu, 29 Feb 2024 12:34:56 GMT",
                                      "2024-02-29T12:34:56+1",
                                      " 2024-02-29",
                                      "2024-02-2912:34",
                                      "\xd9\xa2\xd9\xa0\xd9\xa2\xd9\xa4-02-29"}) {
    EXPECT_TRUE(IsRefused(text)) << text;
  }
}

TEST(ParseTimestampTest, WhatPythonOverlooksBeforeAZoneIsOverlooked) {
  EXPECT_EQ(Rewritten("2024-02-29T12:34:+00:00"), "2024-02-29T12:34:00+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56.Z"), "2024-02-29T12:34:56+00:00");
  EXPECT_EQ(Rewritten("2024-02-29T12:34:56.123456xyz+00:00"), "2024-02-29T12:34:56.123456+00:00");
}

TEST(ParseTimestampTest, TheYearsOneTo9999InUtc) {
  EXPECT_EQ(ParseTimestamp("0001-01-01")->microseconds, kFirst);
  EXPECT_EQ(ParseTimestamp("9999-12-31T23:59:59.999999")->microseconds, kLast);
  EXPECT_EQ(ParseTimestamp("0001-01-01T01:00+01:00")->microseconds, kFirst);
  EXPECT_TRUE(IsRefused("0001-01-01T00:00+00:01"));
  EXPECT_TRUE(IsRefused("9999-12-31T23:59-00:01"));
}

TEST(ParseTimestampTest, TheErrorSaysTextAndReason) {
  EXPECT_THAT(ParseTimestamp("2024-02-30"),
              FailsWith(StatusCode::kInvalidArgument, HasSubstr("'2024-02-30'")));
  EXPECT_THAT(ParseTimestamp("2024-02-29T24:00"),
              FailsWith(StatusCode::kInvalidArgument, HasSubstr("hour 24 of 0 to 23")));
}

TEST(ParseTimestampTest, TheErrorStaysShortAndUtf8) {
  std::string text(1000, 'x');
  text.replace(63, 2, "\xc3\xa9");
  EXPECT_THAT(ParseTimestamp(text),
              FailsWith(StatusCode::kInvalidArgument,
                        ::testing::StartsWith("'" + std::string(63, 'x') + "'... (1000 bytes)")));
  EXPECT_THAT(ParseTimestamp("2024-02-29\xff"),
              FailsWith(StatusCode::kInvalidArgument, HasSubstr("byte 10")));
}

TEST(FormatTimestampTest, AFractionOfZeroIsLeftOut) {
  EXPECT_EQ(FormatTimestamp({0}), "1970-01-01T00:00:00+00:00");
  EXPECT_EQ(FormatTimestamp({1}), "1970-01-01T00:00:00.000001+00:00");
  EXPECT_EQ(FormatTimestamp({100'000}), "1970-01-01T00:00:00.100000+00:00");
  EXPECT_EQ(FormatTimestamp({1'000'000}), "1970-01-01T00:00:01+00:00");
}

TEST(FormatTimestampTest, TimesBeforeTheEpochRoundDown) {
  EXPECT_EQ(FormatTimestamp({-1}), "1969-12-31T23:59:59.999999+00:00");
  EXPECT_EQ(FormatTimestamp({-1'000'000}), "1969-12-31T23:59:59+00:00");
  EXPECT_EQ(FormatTimestamp({-86'400'000'000}), "1969-12-31T00:00:00+00:00");
}

TEST(FormatTimestampTest, YearsHaveFourDigits) {
  EXPECT_EQ(FormatTimestamp({kFirst}), "0001-01-01T00:00:00+00:00");
  EXPECT_EQ(FormatTimestamp({kLast}), "9999-12-31T23:59:59.999999+00:00");
}

TEST(FormatTimestampTest, WhatIsWrittenReadsAsItself) {
  constexpr std::uint64_t kSeed = 3;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  runlog::testing::SeededRandom random(kSeed);
  for (int i = 0; i < 100'000; ++i) {
    const auto span = static_cast<std::uint64_t>(kLast - kFirst) + 1;
    const Timestamp at{kFirst + static_cast<std::int64_t>(random.Below(span))};
    ASSERT_EQ(ParseTimestamp(FormatTimestamp(at))->microseconds, at.microseconds);
  }
}

}  // namespace
}  // namespace runlog
