#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <runlog/event.h>

#include "format/utf8.h"

// What the source framework stored has to come in, so this reads what Python 3.11's
// datetime.fromisoformat reads, its leniencies included. One is left out: Python also takes a NUL
// for the end of the text.

namespace runlog {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kMicrosPerDay = 86'400 * kMicrosPerSecond;
constexpr sys_days kFirstDay{std::chrono::year{1} / 1 / 1};
constexpr sys_days kLastDay{std::chrono::year{9999} / 12 / 31};
constexpr std::size_t kQuotedBytesMax = 64;

Status Malformed(std::string why) {
  return Status(StatusCode::kInvalidArgument, std::move(why));
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Reads a text from the left.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : rest_(text) {}

  std::size_t remaining() const { return rest_.size(); }
  bool empty() const { return rest_.empty(); }
  bool At(char c) const { return !rest_.empty() && rest_.front() == c; }

  void Skip() { rest_.remove_prefix(1); }
  bool Take(char c) {
    const bool found = At(c);
    if (found) Skip();
    return found;
  }
  /// A number of exactly `count` digits, or nullopt.
  std::optional<int> Digits(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (!IsDigit(c)) return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  void SkipDigits() {
    while (!empty() && IsDigit(rest_.front()))
      Skip();
  }

 private:
  std::string_view rest_;
};

/// How long the date is, and so where the separator stands. Any character may separate, a digit or
/// a `-` too, so only the date's own form can tell.
std::size_t DateLength(std::string_view text) {
  if (text.size() <= 7) return text.size();
  const bool extended = text[4] == '-';
  const bool week = text[extended ? 5 : 4] == 'W';
  if (!week) return extended ? 10 : 8;
  if (extended) {
    // YYYY-Www-D, or YYYY-Www and a time behind a `-`: of two digits there the first is no day.
    const bool day_or_time = text.size() > 8 && text[8] == '-';
    const bool time = text.size() > 10 && IsDigit(text[10]);
    return day_or_time && !time ? 10 : 8;
  }
  // YYYYWww or YYYYWwwD: the fields of a time are pairs of digits, so their parity tells.
  std::size_t digits_end = 7;
  while (digits_end < text.size() && IsDigit(text[digits_end]))
    ++digits_end;
  if (digits_end < 9) return digits_end;
  return digits_end % 2 == 0 ? 7 : 8;
}

/// The Monday of ISO week 1, which is the week that holds January 4th.
sys_days FirstMonday(int year) {
  const sys_days fourth{std::chrono::year{year} / 1 / 4};
  return fourth - (std::chrono::weekday{fourth} - std::chrono::Monday);
}

Result<sys_days> ReadWeekDate(TextReader& in, int year, bool extended) {
  const std::optional<int> week = in.Digits(2);
  if (!week) return Malformed("the week is not two digits");
  std::optional<int> weekday = 1;
  if (!in.empty()) {
    if (extended && !in.Take('-')) return Malformed("no '-' before the day of the week");
    weekday = in.Digits(1);
    if (!weekday) return Malformed("the day of the week is not one digit");
  }
  const sys_days monday = FirstMonday(year);
  const auto weeks = (FirstMonday(year + 1) - monday).count() / 7;
  if (*week < 1 || *week > weeks) return Malformed(fmt::format("week {} of 1 to {}", *week, weeks));
  if (*weekday < 1 || *weekday > 7) return Malformed(fmt::format("day {} of 1 to 7", *weekday));
  const sys_days date = monday + days{(*week - 1) * 7 + *weekday - 1};
  if (date < kFirstDay || date > kLastDay) return Malformed("the day is outside years 1 to 9999");
  return date;
}

Result<sys_days> ReadMonthDate(TextReader& in, int year, bool extended) {
  const std::optional<int> month = in.Digits(2);
  if (!month) return Malformed("the month is not two digits");
  if (extended && !in.Take('-')) return Malformed("no '-' before the day");
  const std::optional<int> day = in.Digits(2);
  if (!day) return Malformed("the day is not two digits");
  const year_month_day date{std::chrono::year{year},
                            std::chrono::month{static_cast<unsigned>(*month)},
                            std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return Malformed(fmt::format("no day {} in month {}", *day, *month));
  return sys_days{date};
}

Result<sys_days> ReadDate(std::string_view text) {
  TextReader in(text);
  const std::optional<int> year = in.Digits(4);
  if (!year) return Malformed("the year is not four digits");
  if (*year == 0) return Malformed("year 0 of 1 to 9999");
  const bool extended = in.Take('-');
  Result<sys_days> date =
      in.Take('W') ? ReadWeekDate(in, *year, extended) : ReadMonthDate(in, *year, extended);
  if (date.ok() && !in.empty()) return Malformed("characters behind the date");
  return date;
}

/// A time of day or the size of an offset: HH[[:]MM[[:]SS[(.|,)f+]]].
struct Clock {
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::int64_t fraction_us = 0;
  bool whole_text_read = true;

  std::int64_t InMicros() const {
    return ((hour * 60 + minute) * 60 + second) * kMicrosPerSecond + fraction_us;
  }
};

Result<Clock> ReadFraction(TextReader& in, Clock clock) {
  const std::size_t count = std::min<std::size_t>(in.remaining(), 6);
  const std::optional<int> fraction = in.Digits(count);
  if (!fraction) return Malformed("the fraction is not digits");
  clock.fraction_us = *fraction;
  for (std::size_t i = count; i < 6; ++i)
    clock.fraction_us *= 10;
  in.SkipDigits();
  clock.whole_text_read = in.empty();
  return clock;
}

Result<Clock> ReadClock(std::string_view text) {
  TextReader in(text);
  Clock clock;
  bool extended = false;
  for (int* const field : {&clock.hour, &clock.minute, &clock.second}) {
    const std::optional<int> value = in.Digits(2);
    if (!value) return Malformed("a field of the time is not two digits");
    *field = *value;
    if (field == &clock.hour) extended = in.At(':');
    if (in.remaining() <= 1) {
      clock.whole_text_read = in.empty();
      return clock;
    }
    if (extended && in.Take(':')) continue;
    if (in.Take('.') || in.Take(',')) break;
    if (extended) return Malformed("no ':' between the fields of the time");
  }
  return ReadFraction(in, clock);
}

Result<std::int64_t> ReadOffset(std::string_view zone) {
  if (zone == "Z") return std::int64_t{0};
  if (zone.front() == 'Z') return Malformed("characters behind 'Z'");
  const Result<Clock> clock = ReadClock(zone.substr(1));
  if (!clock.ok()) return clock.status();
  if (!clock->whole_text_read) return Malformed("characters behind the offset");
  const std::int64_t size = clock->InMicros();
  if (size >= kMicrosPerDay) return Malformed("the offset is not below 24 hours");
  if (size < kMicrosPerSecond) return std::int64_t{0};  // as Python has it
  return zone.front() == '-' ? -size : size;
}

/// Microseconds from the start of the named day to the moment, in UTC.
Result<std::int64_t> ReadTime(std::string_view text) {
  const std::size_t zone_at = std::min(text.find_first_of("+-Z"), text.size());
  const bool has_zone = zone_at < text.size();
  const Result<Clock> clock = ReadClock(text.substr(0, zone_at));
  if (!clock.ok()) return clock.status();
  // Python drops what stands between the time it could read and a zone.
  if (!clock->whole_text_read && !has_zone) return Malformed("characters behind the time");
  if (clock->hour > 23) return Malformed(fmt::format("hour {} of 0 to 23", clock->hour));
  if (clock->minute > 59) return Malformed(fmt::format("minute {} of 0 to 59", clock->minute));
  if (clock->second > 59) return Malformed(fmt::format("second {} of 0 to 59", clock->second));
  if (!has_zone) return clock->InMicros();
  const Result<std::int64_t> offset = ReadOffset(text.substr(zone_at));
  if (!offset.ok()) return offset;
  return clock->InMicros() - *offset;
}

/// `text` without the character at its front.
std::string_view WithoutFirstCharacter(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) {
    ++length;
  }
  return text.substr(length);
}

Result<Timestamp> Read(std::string_view text) {
  const std::size_t date_length = std::min(DateLength(text), text.size());
  const Result<sys_days> date = ReadDate(text.substr(0, date_length));
  if (!date.ok()) return date.status();
  std::int64_t time_us = 0;
  if (date_length < text.size()) {
    const Result<std::int64_t> time = ReadTime(WithoutFirstCharacter(text.substr(date_length)));
    if (!time.ok()) return time.status();
    time_us = *time;
  }
  const std::int64_t at = date->time_since_epoch().count() * kMicrosPerDay + time_us;
  const std::int64_t first = kFirstDay.time_since_epoch().count() * kMicrosPerDay;
  const std::int64_t end = (kLastDay + days{1}).time_since_epoch().count() * kMicrosPerDay;
  if (at < first || at >= end) return Malformed("in UTC it is outside years 1 to 9999");
  return Timestamp{at};
}

/// The front of `text`, cut between characters if it is long.
std::string Quoted(std::string_view text) {
  if (text.size() <= kQuotedBytesMax) return fmt::format("'{}'", text);
  std::size_t end = kQuotedBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
    --end;
  return fmt::format("'{}'... ({} bytes)", text.substr(0, end), text.size());
}

}  // namespace

Result<Timestamp> ParseTimestamp(std::string_view text) {
  if (const auto at = format::InvalidUtf8At(text)) {
    return Malformed(fmt::format("the timestamp is not UTF-8 at byte {}", *at));
  }
  Result<Timestamp> read = Read(text);
  if (read.ok()) return read;
  return Malformed(fmt::format("{} is no timestamp: {}", Quoted(text), read.status().message()));
}

std::string FormatTimestamp(Timestamp at) {
  const std::chrono::sys_time<std::chrono::microseconds> moment{
      std::chrono::microseconds{at.microseconds}};
  const sys_days day = std::chrono::floor<days>(moment);
  const year_month_day date{day};
  const std::int64_t in_day = (moment - day).count();
  const std::int64_t fraction = in_day % kMicrosPerSecond;
  const std::int64_t second = in_day / kMicrosPerSecond;
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  second / 3600, second / 60 % 60, second % 60);
  if (fraction != 0) text += fmt::format(".{:06}", fraction);
  return text + "+00:00";
}

}  // namespace runlog
