// runlog delete-run and delete-thread: events go, the high-water mark stays.

#include <memory>

#include "tools/commands.h"
#include "tools/json_line.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

struct DeleteFlags {
  std::string folder;
  std::string thread_id;
  std::optional<std::string> run_id;
  std::optional<std::string> user_id;
  DurabilityFlag durability;
};

Result<DeleteReceipt> Delete(const DeleteFlags& flags, EventStore& store) {
  DeleteOptions options;
  if (flags.user_id) options.user_id = *flags.user_id;
  options.durability = flags.durability.durability();
  if (flags.run_id) return store.DeleteRun(flags.thread_id, *flags.run_id, options);
  return store.DeleteThread(flags.thread_id, options);
}

ExitCode RunDelete(const DeleteFlags& flags, Console& console) {
  const auto store = OpenStore(flags.folder, console);
  if (!store.ok()) return console.Fail(store.status());
  const Result<DeleteReceipt> receipt = Delete(flags, **store);
  if (receipt.ok()) console.PrintLine(JsonLine().Number("deleted", receipt->deleted).Take());
  const ExitCode code = receipt.ok() ? ExitCode::kDone : console.Fail(receipt.status());
  return CloseStore(**store, code, console);
}

void DeclareScope(Flags& flags, DeleteFlags& parsed) {
  flags.Text("--user", "U", parsed.user_id, "only events of this owner");
  parsed.durability.Declare(flags);
}

}  // namespace

Runner DeclareDeleteRun(Flags& flags) {
  auto parsed = std::make_shared<DeleteFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.Positional("THREAD", parsed->thread_id, "thread_id");
  flags.Positional("RUN", parsed->run_id.emplace(), "run_id");
  DeclareScope(flags, *parsed);
  return [parsed](Console& console) { return RunDelete(*parsed, console); };
}

Runner DeclareDeleteThread(Flags& flags) {
  auto parsed = std::make_shared<DeleteFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.Positional("THREAD", parsed->thread_id, "thread_id");
  DeclareScope(flags, *parsed);
  return [parsed](Console& console) { return RunDelete(*parsed, console); };
}

}  // namespace runlog::tools
