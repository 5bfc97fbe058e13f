// How long random tests go on: RUNLOG_TIER, and a variable of each test's own that wins over it.

#ifndef RUNLOG_TESTS_SUPPORT_TIER_H_
#define RUNLOG_TESTS_SUPPORT_TIER_H_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace runlog::testing {

/// The number in the environment variable `name`, or `absent`.
inline std::uint64_t NumberFrom(const char* name, std::uint64_t absent) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? absent : std::strtoull(text, nullptr, 10);
}

struct Amounts {
  std::uint64_t short_tier = 0;
  std::uint64_t nightly = 0;
  std::uint64_t release = 0;
};

/// What the variable `name` says, or what RUNLOG_TIER asks for; `short` where neither is set.
inline std::uint64_t AmountFrom(const char* name, const Amounts& amounts) {
  const char* const text = std::getenv("RUNLOG_TIER");
  const std::string_view tier = text == nullptr ? "" : text;
  if (tier == "nightly") return NumberFrom(name, amounts.nightly);
  if (tier == "release") return NumberFrom(name, amounts.release);
  return NumberFrom(name, amounts.short_tier);
}

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_SUPPORT_TIER_H_
