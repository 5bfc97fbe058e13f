// runlog stats: what the store holds, as one JSON object.

#include <memory>

#include "tools/commands.h"
#include "tools/json_line.h"
#include "tools/names.h"
#include "tools/store_access.h"
#include "tools/table.h"

namespace runlog::tools {
namespace {

constexpr std::size_t kListedThreads = 1000;

struct StatsFlags {
  std::string folder;
  FormatFlag format;
};

struct Totals {
  std::uint64_t threads = 0;
  std::uint64_t runs = 0;
  Counts live;
};

Result<Totals> CountAll(const Reader& reader) {
  Totals totals;
  for (std::uint64_t behind = 0;;) {
    const auto threads = reader.Threads(behind, kListedThreads);
    if (!threads.ok()) return threads.status();
    if (threads->empty()) return totals;
    for (const ThreadSummary& thread : *threads) {
      ++totals.threads;
      totals.runs += thread.runs;
      totals.live.events += thread.live.events;
      totals.live.messages += thread.live.messages;
      totals.live.bytes += thread.live.bytes;
    }
    behind = threads->back().incarnation;
  }
}

void PrintTable(const Totals& totals, const StoreView& view, Console& console) {
  Table table(console, {"what", "count"});
  table.Row({"threads", std::to_string(totals.threads)});
  table.Row({"runs", std::to_string(totals.runs)});
  table.Row({"events", std::to_string(totals.live.events)});
  table.Row({"messages", std::to_string(totals.live.messages)});
  table.Row({"bytes", std::to_string(totals.live.bytes)});
  table.Row({"last_commit", std::to_string(view.last_commit())});
  table.End();
}

ExitCode RunStats(const StatsFlags& flags, Console& console) {
  const auto view = OpenView(flags.folder, console);
  if (!view.ok()) return console.Fail(view.status());
  const Result<Totals> totals = CountAll((*view)->reader());
  if (!totals.ok()) return console.Fail(totals.status());
  if (flags.format.table()) {
    PrintTable(*totals, **view, console);
    return ExitCode::kDone;
  }
  console.PrintLine(JsonLine()
                        .Number("threads", totals->threads)
                        .Number("runs", totals->runs)
                        .Number("events", totals->live.events)
                        .Number("messages", totals->live.messages)
                        .Number("bytes", totals->live.bytes)
                        .Number("last_commit", (*view)->last_commit())
                        .Text("view", ViewKindName((*view)->kind()))
                        .Take());
  return ExitCode::kDone;
}

}  // namespace

Runner DeclareStats(Flags& flags) {
  auto parsed = std::make_shared<StatsFlags>();
  DeclareFolder(flags, parsed->folder);
  parsed->format.Declare(flags);
  return [parsed](Console& console) { return RunStats(*parsed, console); };
}

}  // namespace runlog::tools
