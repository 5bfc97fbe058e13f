// Runs in the shape of AFK's AgentRunEvents, each in an envelope: event_type is the event's type,
// content its data, `state` and `step` its own.

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tools/example_runs.h"
#include "tools/example_text.h"
#include "tools/json_line.h"

namespace runlog::tools {
namespace {

constexpr std::array<std::string_view, 5> kTools = {"bash", "read_file", "web_search", "list_files",
                                                    "query_table"};
constexpr std::array<std::string_view, 4> kChildNames = {"researcher", "reviewer", "tester",
                                                         "archivist"};

/// Who a run belongs to where it is a child of another.
struct Parent {
  std::string run_id;
  std::string correlation_id;
};

class AfkRun {
 public:
  AfkRun(const ExampleRun& run, std::string agent, ExampleText& text)
      : run_(run), agent_(std::move(agent)), text_(text), now_(run.start) {}

  std::vector<std::string> Write() {
    Emit("run_started", "trace",
         JsonLine().Text("agent_name", agent_).Bool("resumed", false).Take(),
         text_.Expand("Run started for the <noun> <part>"));
    const std::uint64_t steps = random().Between(1, 8);
    for (std::uint64_t i = 0; i < steps; ++i) {
      Step(i + 1 < steps);
      if (i + 1 < steps && random().Chance(4)) Resume();
    }
    End();
    return std::move(lines_);
  }

 private:
  ExampleRandom& random() { return text_.random(); }

  std::string Metadata(const std::string& message, bool relayed, std::string_view child) const {
    JsonLine line;
    line.Text("source", "afk").Text("schema_version", "v1").TextOrNull("message", message);
    if (relayed) line.Bool("relayed", true).Text("subagent_name", child);
    return line.Take();
  }

  void Emit(std::string_view type, std::string_view category, const std::string& data,
            const std::string& message = {}, bool is_volatile = false) {
    EmitWith(type, category, data, Metadata(message, false, {}), is_volatile);
  }

  void EmitWith(std::string_view type, std::string_view category, const std::string& data,
                const std::string& metadata, bool is_volatile) {
    JsonLine line;
    line.Text("thread_id", run_.thread_id)
        .Text("run_id", run_.run_id)
        .Text("event_type", type)
        .Text("category", category)
        .Raw("content", data)
        .Raw("metadata", metadata)
        .Text("created_at", FormatTimestamp(now_));
    if (run_.user_id) line.Text("user_id", *run_.user_id);
    line.Text("state", state_);
    if (step_ > 0) {
      line.Number("step", step_);
    } else {
      line.Null("step");
    }
    line.Number("segment", segment_);
    if (parent_) {
      line.Text("parent_run_id", parent_->run_id).Text("correlation_id", parent_->correlation_id);
    }
    if (is_volatile) line.Bool("volatile", true);
    lines_.push_back(line.Take());
    now_.microseconds += static_cast<std::int64_t>(random().Between(30, 900));
  }

  void Wait(std::uint64_t first_ms, std::uint64_t last_ms) {
    now_.microseconds +=
        static_cast<std::int64_t>(random().Between(first_ms * 1000, last_ms * 1000));
  }

  // True where it allows.
  bool Decide(std::string_view what) {
    const bool deny = what != "llm_before_execute" && random().Chance(5);
    JsonLine data;
    data.Text("event_type", what).Text("action", deny ? "deny" : "allow");
    if (deny) {
      data.Text("reason", text_.Expand("<reason>"))
          .Text("policy_id", text_.Expand("<package>-<part>"))
          .Raw("matched_rules", JsonList({JsonText(text_.Expand("<verb>-<noun>"))}));
    } else {
      data.Null("reason").Null("policy_id").Raw("matched_rules", "[]");
    }
    Emit("policy_decision", "middleware", data.Take());
    return !deny;
  }

  void Step(bool uses_tools) {
    ++step_;
    Emit("step_started", "trace", JsonLine().Number("step", step_).Text("state", state_).Take());
    if (!parent_ && random().Chance(12)) Delegate();
    Decide("llm_before_execute");
    Emit("llm_called", "trace",
         JsonLine().Text("model", "example-large").Text("provider", "example").Take());
    const std::string answer = uses_tools ? text_.Expand("<thought>")
                                          : text_.Prose("<answer>", 60 + text_.TextBytes() / 2);
    if (random().Chance(20)) Stream(answer);
    Wait(600, 12'000);
    const std::uint64_t calls = uses_tools ? random().Between(1, 2) : 0;
    Emit("llm_completed", "message",
         JsonLine()
             .Number("tool_call_count", calls)
             .Text("finish_reason", calls > 0 ? "tool_calls" : "stop")
             .Text("text", answer)
             .Take());
    if (calls > 0) RunTools(calls);
  }

  void Stream(std::string_view answer) {
    constexpr std::size_t kDeltas = 8;
    for (std::size_t i = 0; i < kDeltas && !answer.empty(); ++i) {
      std::size_t end = answer.find(' ', 12);
      end = end == answer.npos ? answer.size() : end;
      Wait(20, 90);
      Emit("text_delta", "trace", JsonLine().Text("delta", answer.substr(0, end)).Take(), {}, true);
      answer.remove_prefix(end);
    }
  }

  void RunTools(std::uint64_t calls) {
    std::vector<std::string> names;
    std::vector<std::string> name_texts;
    std::vector<std::string> ids;
    std::vector<std::string> id_texts;
    for (std::uint64_t i = 0; i < calls; ++i) {
      names.emplace_back(random().Pick(std::span(kTools)));
      name_texts.push_back(JsonText(names.back()));
      ids.push_back("call_" + text_.Hex(12));
      id_texts.push_back(JsonText(ids.back()));
    }
    Emit("tool_batch_started", "trace",
         JsonLine()
             .Number("tool_call_count", calls)
             .Raw("tool_names", JsonList(name_texts))
             .Raw("tool_call_ids", JsonList(id_texts))
             .Take());
    std::vector<bool> allowed;
    for (std::uint64_t i = 0; i < calls; ++i)
      allowed.push_back(Decide("tool_before_execute"));
    Wait(30, 9000);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (allowed[i]) CompleteTool(names[i], ids[i]);
    }
  }

  void CompleteTool(const std::string& name, const std::string& id) {
    if (random().Chance(5)) {
      Defer(name, id);
      return;
    }
    Emit("tool_completed", "message", ToolResult(name, id, agent_, parent_ ? 1 : 0, {}));
  }

  std::string ToolResult(std::string_view name, std::string_view id, std::string_view agent,
                         int depth, std::string_view child) {
    const bool fails = random().Chance(7);
    JsonLine data;
    data.Text("tool_name", name).Text("tool_call_id", id).Bool("success", !fails);
    if (fails) {
      data.Null("output").Text("error", text_.Expand("<error>"));
    } else {
      data.Text("output", text_.ToolOutput(name, text_.TextBytes())).Null("error");
    }
    data.Text("agent_name", agent).Number("agent_depth", depth).Text("agent_path", agent);
    if (!child.empty()) data.Text("subagent_name", child);
    return data.Take();
  }

  void Defer(const std::string& name, const std::string& id) {
    const std::string ticket = "ticket_" + text_.Hex(10);
    Emit("tool_deferred", "message",
         JsonLine()
             .Text("tool_name", name)
             .Text("tool_call_id", id)
             .Text("ticket_id", ticket)
             .Text("status", "running")
             .Text("summary", text_.Expand("<verb> the <noun> in the background"))
             .Null("resume_hint")
             .Take());
    Wait(2000, 20'000);
    Emit("tool_background_resolved", "message",
         JsonLine()
             .Text("tool_name", name)
             .Text("tool_call_id", id)
             .Text("ticket_id", ticket)
             .Bool("success", true)
             .Text("output", text_.ToolOutput(name, text_.TextBytes()))
             .Null("error")
             .Take());
  }

  // The child writes under its own run_id; its tool results come back here a second time.
  void Delegate() {
    const std::string child(random().Pick(std::span(kChildNames)));
    const std::string correlation = fmt::format("{}:{}:{}", run_.run_id, step_, child);
    Emit("subagent_started", "subagent",
         JsonLine().Text("subagent_name", child).Text("correlation_id", correlation).Take());
    if (!Decide("subagent_before_execute")) {
      Emit("subagent_completed", "subagent",
           JsonLine()
               .Text("subagent_name", child)
               .Bool("success", false)
               .Text("error", text_.Expand("<reason>"))
               .Take());
      return;
    }
    WriteChild(child, correlation);
    for (std::uint64_t i = random().Between(1, 3); i > 0; --i) {
      const std::string tool(random().Pick(std::span(kTools)));
      EmitWith("tool_completed", "subagent",
               ToolResult(tool, "call_" + text_.Hex(12), child, 1, child),
               Metadata({}, true, child), false);
    }
    Emit("subagent_completed", "subagent",
         JsonLine()
             .Text("subagent_name", child)
             .Bool("success", true)
             .Raw("latency_ms", text_.Expand("<400-60000>.<1-9>"))
             .Take());
  }

  void WriteChild(const std::string& child, const std::string& correlation) {
    ExampleRun run = run_;
    run.run_id = "run_" + text_.Hex(32);
    run.start = now_;
    AfkRun writer(run, child, text_);
    writer.parent_ = Parent{run_.run_id, correlation};
    for (std::string& line : writer.Write())
      lines_.push_back(std::move(line));
    now_ = writer.now_;
  }

  // The process went away and a person started the run again.
  void Resume() {
    Wait(60'000, 3'600'000);
    ++segment_;
    Emit("run_started", "trace", JsonLine().Text("agent_name", agent_).Bool("resumed", true).Take(),
         "Run resumed");
  }

  void End() {
    Wait(5, 200);
    const std::uint64_t draw = random().Below(100);
    if (draw < 82) {
      if (draw < 6) {
        state_ = "degraded";
        Emit("warning", "trace", "{}", text_.Expand("LLM failed: <error>"));
      } else {
        state_ = "completed";
      }
      step_ = 0;
      Emit("run_completed", "outputs", "{}", "Run finished");
    } else if (draw < 92) {
      state_ = "failed";
      Emit("run_failed", "error", "{}", text_.Expand("<error>"));
    } else {
      state_ = "cancelled";
      Emit(draw < 96 ? "run_interrupted" : "run_cancelled", "trace", "{}",
           text_.Expand("Stopped by <person>"));
    }
  }

  const ExampleRun run_;
  std::string agent_;
  ExampleText& text_;
  Timestamp now_;
  std::optional<Parent> parent_;
  std::string state_ = "running";
  std::uint64_t step_ = 0;  // 0: not in a step
  std::uint64_t segment_ = 1;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> WriteAfkRun(const ExampleRun& run, ExampleText& text) {
  return AfkRun(run, "lead", text).Write();
}

}  // namespace runlog::tools
