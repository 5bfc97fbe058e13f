// What the process says when it ends. tools/README.md, "Exit codes".

#ifndef RUNLOG_TOOLS_EXIT_CODE_H_
#define RUNLOG_TOOLS_EXIT_CODE_H_

#include <runlog/status.h>

namespace runlog::tools {

enum class ExitCode : int {
  kDone = 0,    // an empty answer is an answer
  kFound = 1,   // a check found something
  kUsage = 2,   // wrong usage or bad input
  kFailed = 3,  // everything else
};

/// kUsage for kInvalidArgument and kTooLarge, whichever layer found it; kDone for OK.
ExitCode ExitCodeOf(const Status& status);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EXIT_CODE_H_
