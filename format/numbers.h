// The numbers keys are made of. Strong types: a run number where an owner number belongs does not
// compile. FORMAT.md, "The runlog format", has the letters.

#ifndef RUNLOG_FORMAT_NUMBERS_H_
#define RUNLOG_FORMAT_NUMBERS_H_

#include <cstdint>

namespace runlog::format {

enum class ThreadNumber : std::uint64_t { kNone = 0 };  // T
enum class RunNumber : std::uint32_t { kNone = 0 };     // R
enum class OwnerNumber : std::uint32_t { kNone = 0 };   // U; kNone: no owner

constexpr std::uint64_t Raw(ThreadNumber number) {
  return static_cast<std::uint64_t>(number);
}
constexpr std::uint32_t Raw(RunNumber number) {
  return static_cast<std::uint32_t>(number);
}
constexpr std::uint32_t Raw(OwnerNumber number) {
  return static_cast<std::uint32_t>(number);
}

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_NUMBERS_H_
