// Runs in the shape of DeerFlow's run journal: what the lead agent, its middlewares and its
// subagents write, in the order in which they write it.

#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tools/example_payloads.h"
#include "tools/example_runs.h"
#include "tools/example_text.h"
#include "tools/json_line.h"

namespace runlog::tools {
namespace {

constexpr std::array<std::string_view, 6> kTools = {"bash",       "bash",       "read_file",
                                                    "web_search", "list_files", "query_table"};
constexpr std::string_view kLead = "lead_agent";
constexpr std::size_t kStepCharactersMax =
    8192;  // longer subagent texts are cut where they are made

class DeerflowRun {
 public:
  DeerflowRun(const ExampleRun& run, ExampleText& text) : run_(run), text_(text), now_(run.start) {}

  std::vector<std::string> Write() {
    Start();
    const std::uint64_t steps = random().Between(2, 11);
    bool ended = false;
    for (std::uint64_t step = 0; step < steps && !ended; ++step)
      ended = !Step();
    if (ended) {
      Fail();
    } else {
      Finish();
    }
    return std::move(lines_);
  }

 private:
  ExampleRandom& random() { return text_.random(); }

  void Emit(std::string_view type, std::string_view category, const std::string& content,
            const std::string& metadata) {
    JsonLine line;
    line.Text("thread_id", run_.thread_id)
        .Text("run_id", run_.run_id)
        .Text("event_type", type)
        .Text("category", category)
        .Raw("content", content)
        .Raw("metadata", metadata)
        .Text("created_at", FormatTimestamp(now_));
    if (run_.user_id) line.Text("user_id", *run_.user_id);
    lines_.push_back(line.Take());
    now_.microseconds += static_cast<std::int64_t>(random().Between(30, 900));
  }

  void Wait(std::uint64_t first_ms, std::uint64_t last_ms) {
    now_.microseconds +=
        static_cast<std::int64_t>(random().Between(first_ms * 1000, last_ms * 1000));
  }

  static std::string Caller(std::string_view caller) {
    return JsonLine().Text("caller", caller).Take();
  }

  void Start() {
    Emit("run.start", "trace", R"({"chain":"LangGraph"})",
         JsonLine().Text("caller", kLead).Text("graph_id", "lead_agent").Take());
    Wait(1, 20);
    std::string request = text_.Expand("<request> ");
    request += text_.Prose("<background>", random().Between(0, 700));
    Emit("llm.human.input", "message",
         JsonLine()
             .Text("type", "human")
             .Text("content", request)
             .Text("id", text_.Uuid())
             .Raw("additional_kwargs", "{}")
             .Take(),
         Caller(kLead));
    if (random().Chance(30)) {
      Emit("context:memory", "context", JsonLine().Text("content_sha256", text_.Hex(64)).Take(),
           "{}");
    }
    if (random().Chance(15)) {
      Audit("skill_activation", "before_agent", "activate", ExampleSkillActivation(text_));
    }
  }

  void Audit(std::string_view tag, std::string_view hook, std::string_view action,
             const std::string& changes) {
    Emit(fmt::format("middleware:{}", tag), "middleware",
         JsonLine()
             .Text("name", tag)
             .Text("hook", hook)
             .Text("action", action)
             .Raw("changes", changes)
             .Take(),
         "{}");
  }

  // One turn of the lead agent. False where the run breaks off.
  bool Step() {
    if (random().Chance(4)) {
      Emit("llm.error", "trace", JsonText(text_.Expand("APIConnectionError after <n> s")), "{}");
      if (random().Chance(40)) return false;
      Wait(500, 4000);
    }
    if (random().Chance(18)) {
      Delegate();
      return true;
    }
    const std::uint64_t calls = random().Chance(20) ? random().Between(2, 3) : 1;
    std::vector<std::string> ids;
    std::vector<std::string> tools;
    for (std::uint64_t i = 0; i < calls; ++i) {
      ids.push_back("call_" + text_.Hex(12));
      tools.emplace_back(random().Pick(std::span(kTools)));
    }
    Respond(kLead, text_.Expand("<thought>"), ids, tools);
    if (random().Chance(8)) {
      Audit("guardrail", "wrap_tool_call", "deny_tool_call",
            ExampleDenial(text_, ids.front(), tools.front()));
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
      ToolResult(ids[i], tools[i]);
    if (random().Chance(5)) {
      Audit("loop_detection", "after_model", "warn", ExampleLoopWarning(tools.front()));
    }
    return true;
  }

  std::string ToolCalls(const std::vector<std::string>& ids,
                        const std::vector<std::string>& tools) {
    std::vector<std::string> calls;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      calls.push_back(JsonLine()
                          .Text("name", tools[i])
                          .Raw("args", ExampleToolArguments(text_, tools[i]))
                          .Text("id", ids[i])
                          .Text("type", "tool_call")
                          .Take());
    }
    return JsonList(calls);
  }

  void Respond(std::string_view caller, const std::string& answer,
               const std::vector<std::string>& ids, const std::vector<std::string>& tools) {
    const std::uint64_t latency_ms = random().Between(600, 14'000);
    now_.microseconds += static_cast<std::int64_t>(latency_ms) * 1000;
    const std::string thinking = random().Chance(35) ? text_.Prose("<reasoning>", 300) : "";
    std::string calls = ToolCalls(ids, tools);
    const std::uint64_t input = context_tokens_ + random().Between(20, 200);
    const std::uint64_t output = 12 + (answer.size() + thinking.size() + calls.size()) / 4;
    context_tokens_ = input + output;
    Emit("llm.ai.response", "message",
         JsonLine()
             .Text("type", "ai")
             .Text("content", answer)
             .Raw("additional_kwargs",
                  thinking.empty() ? "{}" : JsonLine().Text("reasoning_content", thinking).Take())
             .Raw("response_metadata",
                  JsonLine()
                      .Text("finish_reason", ids.empty() ? "stop" : "tool_calls")
                      .Text("model_name", "example-large")
                      .Take())
             .Text("id", "run--" + text_.Uuid())
             .Raw("tool_calls", calls)
             .Take(),
         JsonLine()
             .Text("caller", caller)
             .Raw("usage", JsonLine()
                               .Number("input_tokens", input)
                               .Number("output_tokens", output)
                               .Number("total_tokens", input + output)
                               .Take())
             .Number("latency_ms", latency_ms)
             .Number("llm_call_index", ++llm_calls_)
             .Take());
  }

  void ToolResult(std::string_view id, std::string_view tool) {
    Wait(20, 9000);
    const bool fails = random().Chance(6);
    const std::string output =
        fails ? text_.Expand("Error: <error>") : text_.ToolOutput(tool, text_.TextBytes());
    context_tokens_ += output.size() / 4;
    Emit("llm.tool.result", "message",
         JsonLine()
             .Text("type", "tool")
             .Text("content", output)
             .Text("tool_call_id", id)
             .Text("name", tool)
             .Text("status", fails ? "error" : "success")
             .Take(),
         "{}");
  }

  // Subagents work at the same time: their steps interleave, and their results come back one by
  // one.
  void Delegate() {
    const std::uint64_t tasks = random().Between(1, 3);
    std::vector<std::string> ids;
    for (std::uint64_t i = 0; i < tasks; ++i)
      ids.push_back("call_" + text_.Hex(12));
    Respond(kLead, text_.Expand("<thought>"), ids, std::vector<std::string>(ids.size(), "task"));
    for (const std::string& id : ids) {
      Subagent(
          "subagent.start", id,
          JsonLine().Text("task_id", id).Text("description", text_.Expand("<thought>")).Take());
    }
    const std::uint64_t steps = random().Between(2, 8);
    for (std::uint64_t index = 0; index < steps; ++index) {
      for (const std::string& id : ids)
        SubagentStep(id, index);
    }
    for (const std::string& id : ids)
      SubagentEnd(id);
    for (const std::string& id : ids)
      ToolResult(id, "task");
  }

  void Subagent(std::string_view type, std::string_view task_id, const std::string& content) {
    Emit(type, "subagent", content, JsonLine().Text("task_id", task_id).Take());
  }

  void SubagentStep(const std::string& task_id, std::uint64_t index) {
    Wait(300, 5000);
    const bool is_tool = index % 2 == 1;
    const std::string tool(random().Pick(std::span(kTools)));
    const std::string text =
        is_tool ? text_.ToolOutput(tool, text_.TextBytes()) : text_.Prose("<reasoning>", 120);
    JsonLine content;
    content.Text("task_id", task_id)
        .Number("message_index", index)
        .Text("kind", is_tool ? "tool" : "ai")
        .Text("text", std::string_view(text).substr(0, CutBefore(text)))
        .Bool("truncated", text.size() > kStepCharactersMax);
    if (is_tool) {
      content.Text("tool_name", tool);
    } else {
      content.Raw("tool_calls", JsonList({JsonLine()
                                              .Text("name", tool)
                                              .Raw("args", ExampleToolArguments(text_, tool))
                                              .Take()}));
    }
    Emit("subagent.step", "subagent", content.Take(),
         JsonLine().Text("task_id", task_id).Number("message_index", index).Take());
    if (!is_tool && random().Chance(30)) {
      Respond("subagent:general-purpose", text_.Expand("<thought>"), {}, {});
    }
  }

  // Where a step's text ends: at the limit, or before the character that spans it.
  static std::size_t CutBefore(const std::string& text) {
    if (text.size() <= kStepCharactersMax) return text.size();
    std::size_t end = kStepCharactersMax;
    while ((static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
      --end;
    return end;
  }

  void SubagentEnd(const std::string& task_id) {
    JsonLine content;
    content.Text("task_id", task_id);
    if (random().Chance(12)) {
      content.Text("status", random().Chance(50) ? "failed" : "timed_out")
          .Text("error", text_.Expand("<error>"));
    } else {
      const std::uint64_t input = random().Between(900, 30'000);
      content.Text("status", "completed")
          .Text("model_name", "example-small")
          .Raw("usage", JsonLine()
                            .Number("input_tokens", input)
                            .Number("output_tokens", input / 9)
                            .Number("total_tokens", input + input / 9)
                            .Take())
          .Text("result", text_.Prose("<answer>", text_.TextBytes() / 2));
    }
    Subagent("subagent.end", task_id, content.Take());
  }

  void Finish() {
    const std::string answer = text_.Prose("<answer>", 60 + text_.TextBytes() / 2);
    Respond(kLead, answer, {}, {});
    if (run_.first_in_thread) Respond("middleware:title", text_.Expand("<title>"), {}, {});
    Emit("run.end", "outputs",
         JsonLine()
             .Text("title", text_.Expand("<title>"))
             .Number("messages", lines_.size())
             .Raw("artifacts", "[]")
             .Take(),
         R"({"status":"success"})");
    if (random().Chance(35)) {
      const ExampleWorkspaceChanges changes = MakeWorkspaceChanges(text_);
      Emit("workspace_changes", "workspace", JsonText(changes.summary), changes.metadata);
    }
    Wait(5, 300);
    if (random().Chance(50)) Deliver();
    Terminal(random().Chance(6) ? "interrupted" : "success");
  }

  void Fail() {
    Emit("run.error", "error", JsonText(text_.Expand("<error>")),
         JsonLine().Text("error_type", "APIConnectionError").Take());
    Wait(5, 300);
    Terminal(random().Chance(25) ? "timeout" : "error");
  }

  void Terminal(std::string_view status) {
    Emit("run.terminal", "trace", JsonLine().Text("status", status).Take(),
         R"({"protocol_version":1,"recovered":false})");
  }

  void Deliver() {
    Emit("run.delivery", "outputs",
         JsonLine()
             .Number("presented", 1)
             .Raw("paths", JsonList({JsonText(text_.Expand("/sandbox/outputs/<noun>.md"))}))
             .Raw("by_tool", R"({"present_files":1})")
             .Take(),
         "{}");
  }

  const ExampleRun& run_;
  ExampleText& text_;
  Timestamp now_;
  std::uint64_t context_tokens_ = 1200;
  std::uint64_t llm_calls_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> WriteDeerflowRun(const ExampleRun& run, ExampleText& text) {
  return DeerflowRun(run, text).Write();
}

}  // namespace runlog::tools
