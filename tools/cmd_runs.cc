// runlog runs: one line a run of a thread, in the order of their first events.

#include <memory>
#include <string>
#include <vector>

#include "tools/commands.h"
#include "tools/json_line.h"
#include "tools/names.h"
#include "tools/store_access.h"
#include "tools/table.h"

namespace runlog::tools {
namespace {

struct RunsFlags {
  std::string folder;
  std::string thread_id;
  bool deleted = false;
  FormatFlag format;
};

std::string FormatRun(const RunSummary& run) {
  return JsonLine()
      .Text("run_id", run.run_id)
      .Text("state", RunStateName(run.state))
      .TextOrNull("status", run.status)
      .Number("first_seq", run.first_seq)
      .Number("last_seq", run.last_seq)
      .Number("events", run.live.events)
      .Number("messages", run.live.messages)
      .Take();
}

void PrintTable(const std::vector<RunSummary>& runs, Console& console) {
  Table table(console,
              {"run_id", "state", "status", "first_seq", "last_seq", "events", "messages"});
  for (const RunSummary& run : runs) {
    table.Row({run.run_id, std::string(RunStateName(run.state)), run.status,
               std::to_string(run.first_seq), std::to_string(run.last_seq),
               std::to_string(run.live.events), std::to_string(run.live.messages)});
  }
  table.End();
}

ExitCode RunRuns(const RunsFlags& flags, Console& console) {
  const auto view = OpenView(flags.folder, console);
  if (!view.ok()) return console.Fail(view.status());
  const auto runs = (*view)->reader().Runs(flags.thread_id, flags.deleted);
  if (!runs.ok()) return console.Fail(runs.status());
  if (flags.format.table()) {
    PrintTable(*runs, console);
  } else {
    for (const RunSummary& run : *runs)
      console.PrintLine(FormatRun(run));
  }
  return ExitCode::kDone;
}

}  // namespace

Runner DeclareRuns(Flags& flags) {
  auto parsed = std::make_shared<RunsFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.Positional("THREAD", parsed->thread_id, "thread_id");
  flags.Switch("--deleted", parsed->deleted, "also runs whose events were all deleted");
  parsed->format.Declare(flags);
  return [parsed](Console& console) { return RunRuns(*parsed, console); };
}

}  // namespace runlog::tools
