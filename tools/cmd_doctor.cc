// runlog doctor: one line a finding, then what opening would give and each way on would lose.

#include <memory>

#include <fmt/format.h>

#include <runlog/doctor.h>

#include "tools/commands.h"
#include "tools/json_line.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

std::string FormatFinding(const Finding& finding) {
  return JsonLine()
      .Text("finding", StatusCodeName(finding.code))
      .Text("file", finding.file)
      .Text("what", finding.what)
      .Bool("can_be_accepted", finding.can_be_accepted)
      .Take();
}

std::string FormatDiagnosis(const Diagnosis& diagnosis) {
  JsonLine line;
  line.Bool("opens", diagnosis.findings.empty());
  line.Bool("is_held", diagnosis.is_held);
  if (diagnosis.is_held) return line.Take();
  line.Bool("closed_clean", diagnosis.closed_clean).Number("epoch", diagnosis.epoch);
  if (diagnosis.have_commit) line.Number("have_commit", *diagnosis.have_commit);
  line.Number("want_commit", diagnosis.want_commit);
  if (!diagnosis.findings.empty()) line.Bool("can_be_accepted", diagnosis.can_be_accepted);
  return line.Take();
}

void SayWaysOn(const std::string& folder, const Diagnosis& diagnosis, Console& console) {
  console.Say("a backup taken before the damage loses what was written after it");
  if (!diagnosis.can_be_accepted) {
    console.Say("nothing else: --accept-loss cannot do without a file named above");
    return;
  }
  std::string lost = "what the findings name; how much is not known";
  if (diagnosis.have_commit && *diagnosis.have_commit < diagnosis.want_commit) {
    lost = fmt::format("commits {} to {}", *diagnosis.have_commit + 1, diagnosis.want_commit);
  }
  console.Say(
      fmt::format("runlog doctor {} --accept-loss loses {}, keeps today's files in {}/"
                  "set-aside-N and begins a new epoch",
                  folder, lost, folder));
}

ExitCode AcceptLoss(const std::string& folder, Console& console) {
  StoreOptions options;
  options.create_if_missing = false;
  options.accept_loss = true;
  const auto store = EventStore::Open(folder, options);
  if (!store.ok()) return console.Fail(store.status());
  if (const Status closed = (*store)->Close(); !closed.ok()) return console.Fail(closed);
  const Result<Diagnosis> after = Diagnose(folder);
  if (!after.ok()) return console.Fail(after.status());
  console.PrintLine(FormatDiagnosis(*after));
  return ExitCode::kDone;
}

ExitCode RunDoctor(const std::string& folder, bool accept_loss, Console& console) {
  const Result<Diagnosis> diagnosis = Diagnose(folder);
  if (!diagnosis.ok()) return console.Fail(diagnosis.status());
  for (const Finding& finding : diagnosis->findings)
    console.PrintLine(FormatFinding(finding));
  if (accept_loss && !diagnosis->findings.empty()) return AcceptLoss(folder, console);
  console.PrintLine(FormatDiagnosis(*diagnosis));
  if (diagnosis->findings.empty()) return ExitCode::kDone;
  SayWaysOn(folder, *diagnosis, console);
  return ExitCode::kFound;
}

}  // namespace

Runner DeclareDoctor(Flags& flags) {
  auto folder = std::make_shared<std::string>();
  auto accept_loss = std::make_shared<bool>(false);
  DeclareFolder(flags, *folder);
  flags.Switch("--accept-loss", *accept_loss,
               "open with what is left: keeps today's files in set-aside-N, begins a new epoch");
  return
      [folder, accept_loss](Console& console) { return RunDoctor(*folder, *accept_loss, console); };
}

}  // namespace runlog::tools
