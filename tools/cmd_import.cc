// runlog import: events that keep the seqs they have. A store gives out seqs itself, so a line's
// seq is kept where it is the one the store would give.

#include <memory>
#include <vector>

#include <fmt/format.h>

#include "tools/append_session.h"
#include "tools/commands.h"
#include "tools/event_lines.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

struct ImportFlags {
  std::string folder;
  std::string source = "";
  std::vector<std::string> paths;
  std::optional<std::int64_t> batch;
  DurabilityFlag durability;
};

Status CheckSeqs(const AppendGroup& group, std::uint64_t mark) {
  std::uint64_t next = mark;
  for (const EventLine& line : group.lines()) {
    ++next;
    if (!line.seq || *line.seq == next) continue;
    return Status(StatusCode::kConflict,
                  fmt::format("line {}: seq {} of thread '{}' cannot be kept: its last seq is {}, "
                              "so the store would give it {}",
                              line.line_number, *line.seq, line.thread_id, mark, next));
  }
  return {};
}

// Nobody else writes: the mark that was read is still the mark when the append is committed.
Result<AppendOptions> ConditionsOf(const AppendGroup& group, EventStore& store,
                                   Durability durability) {
  const auto thread = store.reader().Thread(group.front().thread_id);
  if (!thread.ok()) return thread.status();
  const std::uint64_t mark = *thread ? (**thread).last_seq : 0;
  if (Status s = CheckSeqs(group, mark); !s.ok()) return s;
  AppendOptions options;
  options.durability = durability;
  options.expected_seq = mark;
  return options;
}

Status ImportFile(const ImportFlags& flags, const std::string& path, EventStore& store,
                  Console& console) {
  Result<EventLines> lines = EventLines::Open(path, SeqKey::kKept);
  if (!lines.ok()) return lines.status();
  AppendSession session(lines.value(), store, console,
                        static_cast<std::size_t>(flags.batch.value_or(kBatchLinesDefault)),
                        [&](const AppendGroup& group) {
                          return ConditionsOf(group, store, flags.durability.durability());
                        });
  return session.AppendEach();
}

ExitCode RunImport(const ImportFlags& flags, Console& console) {
  const auto store = OpenStore(flags.folder, console);
  if (!store.ok()) return console.Fail(store.status());
  ExitCode code = ExitCode::kDone;
  for (const std::string& path : flags.paths) {
    if (code != ExitCode::kDone) break;
    const Status imported = ImportFile(flags, path, **store, console);
    if (!imported.ok()) code = console.Fail(imported);
  }
  return CloseStore(**store, code, console);
}

}  // namespace

Runner DeclareImport(Flags& flags) {
  auto parsed = std::make_shared<ImportFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.Positionals("PATH", parsed->paths, "files of events; - is stdin");
  flags.RequiredChoice("--from", parsed->source, {"jsonl"}, "what the files hold");
  flags.Number("--batch", parsed->batch, {1, kBatchLinesMax}, "the most lines of one append (100)");
  parsed->durability.Declare(flags);
  return [parsed](Console& console) { return RunImport(*parsed, console); };
}

}  // namespace runlog::tools
