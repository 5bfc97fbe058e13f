// What the killed process tells the test: one line, one write, so that a kill never cuts one.

#ifndef RUNLOG_TESTS_CRASH_REPORT_H_
#define RUNLOG_TESTS_CRASH_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/crash/action.h"

namespace runlog::testing {

enum class ReportKind : std::uint64_t {
  kIntent = 1,    ///< The worker is about to do the action.
  kAppended = 2,  ///< The store returned a receipt.
  kPut = 3,       ///< `found` is the stored event; `commit` 0 where it was there already.
  kDeleted = 4,   ///< `count` events; `commit` 0 where there were none.
};

struct Report {
  ReportKind kind = ReportKind::kIntent;
  std::uint64_t seed = 0;  ///< Of the action.
  std::uint64_t first_seq = 0;
  std::uint64_t count = 0;
  std::uint64_t commit = 0;
  bool replayed = false;
  Origin found;

  std::string Line() const;
};

/// Nothing where `line` is no whole report.
std::optional<Report> ParseReport(std::string_view line);

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_CRASH_REPORT_H_
