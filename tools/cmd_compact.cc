// runlog compact: finish pending purges, flush, compact every family.

#include <memory>

#include "tools/commands.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

ExitCode RunCompact(const std::string& folder, Console& console) {
  const auto store = OpenStore(folder, console);
  if (!store.ok()) return console.Fail(store.status());
  console.ShowProgress("compacting");
  const Status compacted = (*store)->Compact();
  const ExitCode code = compacted.ok() ? ExitCode::kDone : console.Fail(compacted);
  return CloseStore(**store, code, console);
}

}  // namespace

Runner DeclareCompact(Flags& flags) {
  auto folder = std::make_shared<std::string>();
  DeclareFolder(flags, *folder);
  return [folder](Console& console) { return RunCompact(*folder, console); };
}

}  // namespace runlog::tools
