#include "format/event_class.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "format/json_text.h"

namespace runlog::format {
namespace {

constexpr std::pair<std::string_view, CategoryCode> kCategoryCodes[] = {
    {"message", CategoryCode::kMessage},       {"trace", CategoryCode::kTrace},
    {"outputs", CategoryCode::kOutputs},       {"error", CategoryCode::kError},
    {"middleware", CategoryCode::kMiddleware}, {"context", CategoryCode::kContext},
    {"subagent", CategoryCode::kSubagent},     {"workspace", CategoryCode::kWorkspace},
};

/// Statuses of the AFK types that end a run. `run.terminal` names its own.
constexpr std::pair<std::string_view, std::string_view> kEndingTypes[] = {
    {"run_completed", "completed"},
    {"run_failed", "failed"},
    {"run_interrupted", "interrupted"},
    {"run_cancelled", "cancelled"},
};

/// A status is copied into records that live in memory. What is longer than any id is no status.
constexpr std::size_t kStatusBytesMax = kIdBytesMax;

bool IsAiMessage(const ClassEvidence& evidence) {
  return evidence.content_type == "ai" || evidence.content_type == "assistant" ||
         evidence.content_role == "assistant";
}

CallerClass CallerClassOf(const ClassEvidence& evidence) {
  if (evidence.caller.starts_with("middleware:")) return CallerClass::kMiddleware;
  const bool subagent_ai = ClassNeedsContent(evidence.caller) && IsAiMessage(evidence) &&
                           CategoryCodeOf(evidence.category) == CategoryCode::kMessage;
  return subagent_ai ? CallerClass::kSubagentAi : CallerClass::kPlain;
}

RunTransition EndOf(const Content& terminal) {
  if (terminal.kind != ContentKind::kJson) return {};
  std::array<MemberCapture, 1> members = {{{.key = "status"}}};
  const Result<JsonScan> scan = ScanJson("content", terminal.bytes, members);
  std::optional<std::string>& status = members.front().value;
  if (!scan.ok() || !status || status->size() > kStatusBytesMax) return {};
  return {.kind = RunTransition::Kind::kEnds, .status = *std::move(status)};
}

}  // namespace

CategoryCode CategoryCodeOf(std::string_view category) {
  for (const auto& [name, code] : kCategoryCodes) {
    if (category == name) return code;
  }
  return CategoryCode::kOther;
}

bool ClassNeedsContent(std::string_view caller) {
  return caller.starts_with("subagent:");
}

EventClass ClassOf(const ClassEvidence& evidence) {
  const bool ai_response =
      evidence.event_type == "llm.ai.response" || evidence.event_type == "ai_message";
  return {CategoryCodeOf(evidence.category), CallerClassOf(evidence), ai_response,
          evidence.is_volatile};
}

RunTransition TransitionOf(std::string_view event_type, const Content& content) {
  if (!event_type.starts_with("run")) return {};
  if (event_type == "run.start" || event_type == "run_started") {
    return {.kind = RunTransition::Kind::kStarts, .status = {}};
  }
  if (event_type == "run.terminal") return EndOf(content);
  for (const auto& [type, status] : kEndingTypes) {
    if (event_type == type) {
      return {.kind = RunTransition::Kind::kEnds, .status = std::string(status)};
    }
  }
  return {};
}

}  // namespace runlog::format
