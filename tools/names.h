// What enumerations are called in lines of output.

#ifndef RUNLOG_TOOLS_NAMES_H_
#define RUNLOG_TOOLS_NAMES_H_

#include <string_view>

#include <runlog/listing.h>
#include <runlog/store_view.h>
#include <runlog/tail.h>

namespace runlog::tools {

std::string_view RunStateName(RunState state);
std::string_view HoleReasonName(HoleReason reason);
std::string_view CommitKindName(CommitKind kind);
std::string_view TailEndName(TailEnd end);
std::string_view ViewKindName(ViewKind kind);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_NAMES_H_
