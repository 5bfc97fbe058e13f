// runlog threads: one line a thread, in the order of their creation.

#include <algorithm>
#include <memory>
#include <optional>

#include "tools/commands.h"
#include "tools/json_line.h"
#include "tools/store_access.h"
#include "tools/table.h"

namespace runlog::tools {
namespace {

constexpr std::int64_t kListedThreads = 1000;

struct ThreadsFlags {
  std::string folder;
  std::optional<std::int64_t> limit;
  FormatFlag format;
};

std::string TimeCell(const std::optional<Timestamp>& at) {
  return at ? FormatTimestamp(*at) : std::string();
}

std::string FormatThread(const ThreadSummary& thread) {
  return JsonLine()
      .Text("thread_id", thread.thread_id)
      .Number("last_seq", thread.last_seq)
      .Number("events", thread.live.events)
      .Number("messages", thread.live.messages)
      .Number("runs", thread.runs)
      .TextOrNull("first_at", TimeCell(thread.first_at))
      .TextOrNull("last_at", TimeCell(thread.last_at))
      .Take();
}

ExitCode RunThreads(const ThreadsFlags& flags, Console& console) {
  const auto view = OpenView(flags.folder, console);
  if (!view.ok()) return console.Fail(view.status());
  std::optional<Table> table;
  if (flags.format.table()) {
    table.emplace(console, std::vector<std::string>{"thread_id", "last_seq", "events", "messages",
                                                    "runs", "first_at", "last_at"});
  }
  std::int64_t left = flags.limit.value_or(std::numeric_limits<std::int64_t>::max());
  for (std::uint64_t behind = 0; left > 0 && console.out_status().ok();) {
    const auto threads =
        (*view)->reader().Threads(behind, static_cast<std::size_t>(std::min(left, kListedThreads)));
    if (!threads.ok()) return console.Fail(threads.status());
    if (threads->empty()) break;
    for (const ThreadSummary& thread : *threads) {
      if (table) {
        table->Row({thread.thread_id, std::to_string(thread.last_seq),
                    std::to_string(thread.live.events), std::to_string(thread.live.messages),
                    std::to_string(thread.runs), TimeCell(thread.first_at),
                    TimeCell(thread.last_at)});
      } else {
        console.PrintLine(FormatThread(thread));
      }
    }
    left -= static_cast<std::int64_t>(threads->size());
    behind = threads->back().incarnation;
  }
  if (table) table->End();
  return ExitCode::kDone;
}

}  // namespace

Runner DeclareThreads(Flags& flags) {
  auto parsed = std::make_shared<ThreadsFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.Number("--limit", parsed->limit, {}, "at most so many (all)");
  parsed->format.Declare(flags);
  return [parsed](Console& console) { return RunThreads(*parsed, console); };
}

}  // namespace runlog::tools
