// Which runlog this is.

#ifndef RUNLOG_TOOLS_VERSION_H_
#define RUNLOG_TOOLS_VERSION_H_

#include <string>
#include <string_view>

namespace runlog::tools {

/// "<program> <version>, store format <n>".
std::string VersionLine(std::string_view program);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_VERSION_H_
