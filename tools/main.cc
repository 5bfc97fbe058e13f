// The `runlog` binary: the table of its commands.

#include <signal.h>
#include <unistd.h>

#include <span>

#include "tools/cli.h"
#include "tools/commands.h"
#include "tools/console.h"

namespace runlog::tools {
namespace {

// tools/README.md has the same rows; a test compares them.
constexpr Command kCommands[] = {
    {"append", "DB [FILE]", "append events, one a line; a receipt line per append", DeclareAppend},
    {"put-if-absent", "DB [FILE]", "append each event unless its thread, run and type has one",
     DeclarePutIfAbsent},
    {"import", "DB --from FMT PATH...", "append events and keep the seqs they have", DeclareImport},
    {"export", "DB --to FMT [-o FILE]", "write events out", DeclareExport},
    {"threads", "DB", "list the threads", DeclareThreads},
    {"runs", "DB THREAD", "list a thread's runs", DeclareRuns},
    {"events", "DB THREAD [RUN]", "print events of a thread or a run", DeclareEvents},
    {"messages", "DB THREAD", "print the latest messages of a thread or a run", DeclareMessages},
    {"tail", "DB THREAD [RUN]", "print events and wait for more", DeclareTail},
    {"changes", "DB", "list the commits of the store", DeclareChanges},
    {"delete-run", "DB THREAD RUN", "delete a run's events", DeclareDeleteRun},
    {"delete-thread", "DB THREAD", "delete a thread's events", DeclareDeleteThread},
    {"verify", "DB", "check every checksum, index, count and record", DeclareVerify},
    {"doctor", "DB", "say why a store does not open, and what each way on would lose",
     DeclareDoctor},
    {"stats", "DB", "count what the store holds", DeclareStats},
    {"dump", "DB", "print every key and value as it is stored", DeclareDump},
    {"compact", "DB", "finish deletes and give their space back", DeclareCompact},
    {"examples", "", "make up lifelike runs, as lines for append", DeclareExamples},
};

constexpr Program kProgram{"runlog", "an append-only store for the events of agent runs",
                           kCommands};

}  // namespace
}  // namespace runlog::tools

int main(int argc, char** argv) {
  using namespace runlog::tools;
  // A reader that has had enough shows as EPIPE, which the console answers with a quiet end.
  ::signal(SIGPIPE, SIG_IGN);
  Console console(STDOUT_FILENO, STDERR_FILENO);
  const std::span<const char* const> arguments(argv, static_cast<std::size_t>(argc));
  const ExitCode code = RunProgram(kProgram, arguments.subspan(argc > 0 ? 1 : 0), console);
  return static_cast<int>(console.Finish(code));
}
