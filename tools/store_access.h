// How commands open a store, and the flags that say how.

#ifndef RUNLOG_TOOLS_STORE_ACCESS_H_
#define RUNLOG_TOOLS_STORE_ACCESS_H_

#include <memory>
#include <optional>
#include <string>

#include <runlog/event_store.h>
#include <runlog/status.h>
#include <runlog/store_view.h>

#include "tools/cli.h"
#include "tools/console.h"

namespace runlog::tools {

/// Declares DB.
void DeclareFolder(Flags& flags, std::string& folder);

/// `--durability`: what an acknowledged write survives.
struct DurabilityFlag {
  std::string level = "sync";
  void Declare(Flags& flags);
  Durability durability() const;
};

/// Opens for reading; says on stderr when the view is one beside a live writer.
Result<std::unique_ptr<StoreView>> OpenView(const std::string& folder, Console& console,
                                            ViewUse use = ViewUse::kRead);

/// Opens for writing and makes the store where there is none.
Result<std::unique_ptr<EventStore>> OpenStore(const std::string& folder, Console& console);

/// Closes; a failure to make everything durable turns `code` of success into a failure.
ExitCode CloseStore(EventStore& store, ExitCode code, Console& console);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_STORE_ACCESS_H_
