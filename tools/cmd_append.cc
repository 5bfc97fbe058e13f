// runlog append: lines in, a receipt line per append out.

#include <memory>

#include "tools/append_session.h"
#include "tools/commands.h"
#include "tools/event_lines.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

struct AppendFlags {
  std::string folder;
  std::optional<std::string> file;
  std::optional<std::int64_t> batch;
  DurabilityFlag durability;
  std::optional<std::string> idempotency_key;
  std::optional<std::int64_t> expected_seq;

  bool one_append() const { return idempotency_key || expected_seq; }
  AppendOptions options() const {
    AppendOptions options;
    options.durability = durability.durability();
    if (idempotency_key) options.idempotency_key = *idempotency_key;
    if (expected_seq) options.expected_seq = static_cast<std::uint64_t>(*expected_seq);
    return options;
  }
};

ExitCode RunAppend(const AppendFlags& flags, Console& console) {
  if (flags.idempotency_key && flags.idempotency_key->empty()) {
    return console.Fail(
        Status(StatusCode::kInvalidArgument, "--idempotency-key: an empty key is no key"));
  }
  Result<EventLines> lines = EventLines::Open(flags.file.value_or("-"), SeqKey::kRefused);
  if (!lines.ok()) return console.Fail(lines.status());
  const auto store = OpenStore(flags.folder, console);
  if (!store.ok()) return console.Fail(store.status());
  AppendSession session(
      lines.value(), **store, console,
      static_cast<std::size_t>(flags.batch.value_or(kBatchLinesDefault)),
      [&flags](const AppendGroup&) { return Result<AppendOptions>(flags.options()); });
  const Status appended = flags.one_append() ? session.AppendOnce() : session.AppendEach();
  const ExitCode code = appended.ok() ? ExitCode::kDone : console.Fail(appended);
  return CloseStore(**store, code, console);
}

}  // namespace

Runner DeclareAppend(Flags& flags) {
  auto parsed = std::make_shared<AppendFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.OptionalPositional("FILE", parsed->file, "lines of events; stdin if absent or -");
  flags.Number("--batch", parsed->batch, {1, kBatchLinesMax}, "the most lines of one append (100)");
  parsed->durability.Declare(flags);
  flags.Text("--idempotency-key", "K", parsed->idempotency_key,
             "the same input under the same key is appended once; one append");
  flags.Number("--expected-seq", parsed->expected_seq, {},
               "only if this is the thread's last seq, 0: only if it has no event; one append");
  return [parsed](Console& console) { return RunAppend(*parsed, console); };
}

}  // namespace runlog::tools
