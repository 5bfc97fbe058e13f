// runlog changes: the commits of the store, deletes included.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "tools/commands.h"
#include "tools/json_line.h"
#include "tools/names.h"
#include "tools/store_access.h"
#include "tools/table.h"

namespace runlog::tools {
namespace {

constexpr std::int64_t kListedChanges = 1000;

struct ChangesFlags {
  std::string folder;
  std::optional<std::int64_t> after_commit;
  std::optional<std::int64_t> limit;
  FormatFlag format;
};

bool IsDelete(const Change& change) {
  return change.kind == CommitKind::kDeleteRun || change.kind == CommitKind::kDeleteThread;
}

std::string FormatChange(const Change& change) {
  JsonLine line;
  line.Number("commit", change.commit)
      .Text("kind", CommitKindName(change.kind))
      .Text("at", FormatTimestamp(change.at))
      .Text("thread_id", change.thread_id)
      .Number("incarnation", change.incarnation);
  if (!IsDelete(change)) line.Number("first_seq", change.first_seq);
  if (change.kind == CommitKind::kDeleteRun) line.Text("run_id", change.run_id);
  if (change.user_id) line.Text("user_id", *change.user_id);
  line.Number("count", change.count);
  if (IsDelete(change)) line.Bool("incarnation_ended", change.incarnation_ended);
  return line.Take();
}

void AddRow(Table& table, const Change& change) {
  table.Row({std::to_string(change.commit), std::string(CommitKindName(change.kind)),
             FormatTimestamp(change.at), change.thread_id, std::to_string(change.incarnation),
             IsDelete(change) ? "" : std::to_string(change.first_seq), std::to_string(change.count),
             change.run_id, change.user_id.value_or("")});
}

ExitCode RunChanges(const ChangesFlags& flags, Console& console) {
  const auto view = OpenView(flags.folder, console);
  if (!view.ok()) return console.Fail(view.status());
  std::optional<Table> table;
  if (flags.format.table()) {
    table.emplace(console,
                  std::vector<std::string>{"commit", "kind", "at", "thread_id", "incarnation",
                                           "first_seq", "count", "run_id", "user_id"});
  }
  auto behind = static_cast<std::uint64_t>(flags.after_commit.value_or(0));
  std::int64_t left = flags.limit.value_or(std::numeric_limits<std::int64_t>::max());
  for (bool has_more = true; has_more && left > 0 && console.out_status().ok();) {
    const auto page =
        (*view)->reader().Changes(behind, static_cast<std::size_t>(std::min(left, kListedChanges)));
    if (!page.ok()) return console.Fail(page.status());
    for (const Change& change : page->changes) {
      if (table) {
        AddRow(*table, change);
      } else {
        console.PrintLine(FormatChange(change));
      }
    }
    left -= static_cast<std::int64_t>(page->changes.size());
    behind = page->last_commit;
    has_more = page->has_more;
  }
  if (table) table->End();
  return ExitCode::kDone;
}

}  // namespace

Runner DeclareChanges(Flags& flags) {
  auto parsed = std::make_shared<ChangesFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.Number("--after-commit", parsed->after_commit, {}, "only commits behind this one (0)");
  flags.Number("--limit", parsed->limit, {}, "at most so many (all)");
  parsed->format.Declare(flags);
  return [parsed](Console& console) { return RunChanges(*parsed, console); };
}

}  // namespace runlog::tools
