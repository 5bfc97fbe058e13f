// runlog dump: every key and value, decoded and in hex.

#include <memory>
#include <ostream>

#include "tools/commands.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

ExitCode RunDump(const std::string& folder, Console& console) {
  const auto view = OpenView(folder, console);
  if (!view.ok()) return console.Fail(view.status());
  ConsoleStreamBuffer buffer(console);
  std::ostream out(&buffer);
  const Status dumped = (*view)->Dump(out);
  // What stopped the dump was stdout: Finish says what there is to say about that.
  if (!console.out_status().ok()) return ExitCode::kDone;
  return dumped.ok() ? ExitCode::kDone : console.Fail(dumped);
}

}  // namespace

Runner DeclareDump(Flags& flags) {
  auto folder = std::make_shared<std::string>();
  DeclareFolder(flags, *folder);
  return [folder](Console& console) { return RunDump(*folder, console); };
}

}  // namespace runlog::tools
