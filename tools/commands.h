// The commands of `runlog`, in files named cmd_<name>.cc.

#ifndef RUNLOG_TOOLS_COMMANDS_H_
#define RUNLOG_TOOLS_COMMANDS_H_

#include "tools/cli.h"

namespace runlog::tools {

Runner DeclareAppend(Flags& flags);
Runner DeclarePutIfAbsent(Flags& flags);
Runner DeclareImport(Flags& flags);
Runner DeclareExport(Flags& flags);
Runner DeclareThreads(Flags& flags);
Runner DeclareRuns(Flags& flags);
Runner DeclareEvents(Flags& flags);
Runner DeclareMessages(Flags& flags);
Runner DeclareTail(Flags& flags);
Runner DeclareChanges(Flags& flags);
Runner DeclareDeleteRun(Flags& flags);
Runner DeclareDeleteThread(Flags& flags);
Runner DeclareVerify(Flags& flags);
Runner DeclareDoctor(Flags& flags);
Runner DeclareStats(Flags& flags);
Runner DeclareDump(Flags& flags);
Runner DeclareCompact(Flags& flags);
Runner DeclareExamples(Flags& flags);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_COMMANDS_H_
