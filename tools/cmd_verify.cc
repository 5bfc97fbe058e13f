// runlog verify: one line a fault, then the summary.

#include <memory>

#include "tools/commands.h"
#include "tools/json_line.h"
#include "tools/progress.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

std::string FormatFault(const Fault& fault) {
  return JsonLine()
      .Text("fault", fault.kind)
      .Text("family", fault.family)
      .Text("thread_id", fault.thread_id)
      .Number("seq", fault.seq)
      .Text("detail", fault.detail)
      .Take();
}

std::string FormatSummary(const VerifySummary& summary) {
  return JsonLine()
      .Number("events", summary.events)
      .Number("threads", summary.threads)
      .Number("runs", summary.runs)
      .Number("index_entries", summary.index_entries)
      .Number("pending_purge", summary.pending_purge)
      .Number("faults", summary.faults)
      .Take();
}

ExitCode RunVerify(const std::string& folder, Console& console) {
  const auto view = OpenView(folder, console);
  if (!view.ok()) return console.Fail(view.status());
  Progress progress(console, "events checked");
  const auto summary =
      (*view)->Verify([&](const Fault& fault) { console.PrintLine(FormatFault(fault)); },
                      [&](std::uint64_t events) { progress.Set(events); });
  if (!summary.ok()) return console.Fail(summary.status());
  console.PrintLine(FormatSummary(*summary));
  return summary->faults > 0 ? ExitCode::kFound : ExitCode::kDone;
}

}  // namespace

Runner DeclareVerify(Flags& flags) {
  auto folder = std::make_shared<std::string>();
  DeclareFolder(flags, *folder);
  return [folder](Console& console) { return RunVerify(*folder, console); };
}

}  // namespace runlog::tools
