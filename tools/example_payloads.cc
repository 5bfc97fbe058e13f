#include "tools/example_payloads.h"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "tools/json_line.h"

namespace runlog::tools {
namespace {

struct LineCounts {
  std::uint64_t added = 0;
  std::uint64_t deleted = 0;
};

std::string ChangedFile(ExampleText& text, LineCounts& totals) {
  const std::uint64_t added = text.random().Between(1, 60);
  const std::uint64_t deleted = text.random().Below(20);
  totals.added += added;
  totals.deleted += deleted;
  return JsonLine()
      .Text("path", text.Expand("<path>"))
      .Text("root", "workspace")
      .Text("status", "modified")
      .Bool("binary", false)
      .Bool("sensitive", false)
      .Text("sha256_before", text.Hex(64))
      .Text("sha256_after", text.Hex(64))
      .Text("diff", text.Diff(text.random().Between(200, 2400)))
      .Bool("diff_truncated", false)
      .Number("additions", added)
      .Number("deletions", deleted)
      .Take();
}

}  // namespace

std::string ExampleToolArguments(ExampleText& text, std::string_view tool) {
  if (tool == "bash") return JsonLine().Text("command", text.Expand("<command>")).Take();
  if (tool == "web_search") {
    return JsonLine()
        .Text("query", text.Expand("<noun> <part> <place> 2026"))
        .Number("max_results", text.random().Between(3, 10))
        .Take();
  }
  if (tool == "query_table") {
    return JsonLine()
        .Text("sql", text.Expand("select place, sum(amount) from <noun> where <part> > <N> "
                                 "group by place order by 2 desc limit <n>"))
        .Take();
  }
  if (tool == "task") {
    return JsonLine()
        .Text("description", text.Expand("<verb> the <noun> <part>"))
        .Text("prompt", text.Prose("<background>", 200))
        .Text("subagent_type", "general-purpose")
        .Take();
  }
  return JsonLine().Text("path", text.Expand("<path>")).Take();
}

std::string ExampleSkillActivation(ExampleText& text) {
  return JsonLine()
      .Text("skill_name", text.Expand("<verb>-<noun>"))
      .Text("category", "public")
      .Text("path", text.Expand("/skills/<package>/SKILL.md"))
      .Text("content_hash", text.Hex(64))
      .Take();
}

std::string ExampleDenial(ExampleText& text, std::string_view call_id, std::string_view tool) {
  return JsonLine()
      .Text("tool_name", tool)
      .Text("tool_call_id", call_id)
      .Null("agent_id")
      .Bool("is_subagent", false)
      .Bool("allow", false)
      .Text("policy_id", text.Expand("<package>-<part>"))
      .Raw("reason_codes", R"(["not_allowed"])")
      .Raw("reason_messages", JsonList({JsonText(text.Expand("<reason>"))}))
      .Bool("fail_closed", true)
      .Null("provider_error")
      .Take();
}

std::string ExampleLoopWarning(std::string_view tool) {
  return JsonLine()
      .Text("detection_layer", "hash")
      .Raw("tool_names", JsonList({JsonText(tool)}))
      .Number("count", 3)
      .Number("threshold", 3)
      .Bool("is_subagent", false)
      .Null("agent_id")
      .Take();
}

ExampleWorkspaceChanges MakeWorkspaceChanges(ExampleText& text) {
  const std::uint64_t count = text.random().Between(1, 3);
  LineCounts totals;
  std::vector<std::string> files;
  for (std::uint64_t i = 0; i < count; ++i)
    files.push_back(ChangedFile(text, totals));
  const std::string summary = JsonLine()
                                  .Number("created", 0)
                                  .Number("modified", count)
                                  .Number("deleted", 0)
                                  .Number("additions", totals.added)
                                  .Number("deletions", totals.deleted)
                                  .Bool("truncated", false)
                                  .Take();
  const std::string changes =
      JsonLine().Number("version", 1).Raw("summary", summary).Raw("files", JsonList(files)).Take();
  return {fmt::format("{} file{} changed +{} -{}", count, count == 1 ? "" : "s", totals.added,
                      totals.deleted),
          JsonLine().Raw("workspace_changes", changes).Take()};
}

}  // namespace runlog::tools
