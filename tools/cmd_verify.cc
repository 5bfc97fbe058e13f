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

/// A store that does not open because of what is in it fails the check, not the command.
ExitCode FailToOpen(const Status& status, Console& console) {
  const ExitCode failed = console.Fail(status);
  if (status.code() != StatusCode::kCorruption && status.code() != StatusCode::kDataLoss) {
    return failed;
  }
  console.PrintLine(
      FormatFault({.kind = "does_not_open", .detail = std::string(status.message())}));
  return ExitCode::kFound;
}

ExitCode RunVerify(const std::string& folder, Console& console) {
  const auto view = OpenView(folder, console);
  if (!view.ok()) return FailToOpen(view.status(), console);
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
