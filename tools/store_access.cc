#include "tools/store_access.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace runlog::tools {

void DeclareFolder(Flags& flags, std::string& folder) {
  flags.Positional("DB", folder, "folder of the store");
}

void DurabilityFlag::Declare(Flags& flags) {
  flags.Choice("--durability", level, {"sync", "buffered"},
               "what a receipt survives: a power cut (sync, the default) or a killed process");
}

Durability DurabilityFlag::durability() const {
  return level == "buffered" ? Durability::kBuffered : Durability::kSync;
}

Result<std::unique_ptr<StoreView>> OpenView(const std::string& folder, Console& console,
                                            ViewUse use) {
  Result<std::unique_ptr<StoreView>> view = StoreView::Open(folder, {}, use);
  if (view.ok() && (*view)->kind() == ViewKind::kSecondary) {
    console.Say(fmt::format("view: secondary, as of commit {}", (*view)->last_commit()));
  }
  return view;
}

Result<std::unique_ptr<EventStore>> OpenStore(const std::string& folder, Console& console) {
  StoreOptions options;
  options.on_warning = [&console](std::string_view warning) {
    console.Say(fmt::format("warning: {}", warning));
  };
  return EventStore::Open(folder, options);
}

ExitCode CloseStore(EventStore& store, ExitCode code, Console& console) {
  const Status closed = store.Close();
  if (closed.ok() || code != ExitCode::kDone) return code;
  return console.Fail(closed);
}

}  // namespace runlog::tools
