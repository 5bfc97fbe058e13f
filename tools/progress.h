// How far bulk work has come, for a person who waits.

#ifndef RUNLOG_TOOLS_PROGRESS_H_
#define RUNLOG_TOOLS_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "tools/console.h"

namespace runlog::tools {

/// Shows a count on stderr when that is a terminal, a few times a second.
class Progress {
 public:
  /// `what` names the things counted, for example "events appended".
  Progress(Console& console, std::string what);
  void Add(std::uint64_t count) { Set(count_ + count); }
  void Set(std::uint64_t count);

 private:
  Console& console_;
  std::string what_;
  std::uint64_t count_ = 0;
  std::chrono::steady_clock::time_point shown_;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_PROGRESS_H_
