// crash_writer as a child process, and its end.

#ifndef RUNLOG_TESTS_CRASH_WRITER_PROCESS_H_
#define RUNLOG_TESTS_CRASH_WRITER_PROCESS_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "tests/crash/report.h"

namespace runlog::testing {

/// When the writer is killed.
struct KillMoment {
  /// Counted from the first receipt; where absent, from the start of the process, so that opening
  /// is hit too.
  bool after_first_receipt = true;
  std::chrono::microseconds delay{0};
};

/// Starts a writer, kills it with SIGKILL and answers with everything it reported. Fails the test
/// where it ended by itself, or where a report is cut.
std::vector<Report> WriteUntilKilled(const std::filesystem::path& folder, std::uint64_t seed,
                                     const KillMoment& moment);

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_CRASH_WRITER_PROCESS_H_
