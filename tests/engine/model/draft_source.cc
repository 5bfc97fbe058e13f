#include "tests/engine/model/draft_source.h"

#include <array>
#include <string_view>

namespace runlog::testing {
namespace {

// Ids that are prefixes of each other, sort oddly, or hold bytes a careless key would split at.
constexpr std::array<std::string_view, 6> kThreads = {
    "t", "t1", "t:1", "T/x y", "\xc3\xa9t\xc3\xa9", "\xf0\x9f\xa7\xb5"};
constexpr std::array<std::string_view, 4> kRuns = {"r", "r1", "r:1", "\xe2\x80\xa8run"};
constexpr std::array<std::string_view, 3> kUsers = {"alice", "al",
                                                    "b\xc3\xb6"
                                                    "b"};
constexpr std::array<std::string_view, 14> kTypes = {"run.start",        "run.end",
                                                     "run.terminal",     "llm.ai.response",
                                                     "ai_message",       "run_started",
                                                     "run_completed",    "run_failed",
                                                     "run_cancelled",    "run_interrupted",
                                                     "subagent.step",    "text_delta",
                                                     "middleware:title", "x"};
constexpr std::array<std::string_view, 10> kCategories = {
    "message", "message",  "trace",      "outputs",   "error",
    "context", "subagent", "middleware", "workspace", "messages"};
constexpr std::array<std::string_view, 3> kTasks = {"a", "ab", ""};
constexpr std::array<std::string_view, 3> kCallers = {"middleware:title", "subagent:x",
                                                      "lead_agent"};
constexpr std::array<std::string_view, 7> kJson = {R"({"type":"ai","x":1.0})",
                                                   "null",
                                                   "[]",
                                                   "1e400",
                                                   R"({"status":"success"})",
                                                   "true",
                                                   R"({"role":"assistant","a":{"b":[1,2,{}]}})"};

template <std::size_t N>
std::string OneOf(SeededRandom& random, const std::array<std::string_view, N>& words) {
  return std::string(words[random.Below(N)]);
}

}  // namespace

std::string DraftSource::ThreadId() {
  return OneOf(random_, kThreads);
}
std::string DraftSource::ColdThreadId() {
  return "cold-" + std::to_string(random_.Below(64));
}
std::string DraftSource::RunId() {
  return OneOf(random_, kRuns);
}
std::string DraftSource::Type() {
  return OneOf(random_, kTypes);
}
std::string DraftSource::Category() {
  return OneOf(random_, kCategories);
}
std::string DraftSource::Task() {
  return random_.OneIn(12) ? std::string(1100, 'k') : OneOf(random_, kTasks);
}
std::string DraftSource::User() {
  return OneOf(random_, kUsers);
}
std::optional<std::string> DraftSource::MaybeUser() {
  if (random_.OneIn(3)) return std::nullopt;
  return User();
}

std::string DraftSource::Metadata() {
  if (random_.OneIn(3)) return random_.OneIn(2) ? "" : R"({"n":[1]})";
  std::string metadata = R"({"n":1)";
  if (random_.OneIn(2)) metadata += R"(,"task_id":")" + Task() + "\"";
  if (random_.OneIn(12)) metadata = R"({"task_id":7)";
  if (random_.OneIn(2)) metadata += R"(,"caller":")" + OneOf(random_, kCallers) + "\"";
  return metadata + "}";
}

void DraftSource::GiveContent(Draft& draft) {
  draft.kind = static_cast<ContentKind>(random_.Below(4));
  switch (draft.kind) {
    case ContentKind::kAbsent:
      draft.content.clear();
      break;
    case ContentKind::kText:
      draft.content = std::string(random_.Below(random_.OneIn(20) ? 3000 : 200), 'w');
      break;
    case ContentKind::kJson:
      draft.content = OneOf(random_, kJson);
      break;
    case ContentKind::kBytes:
      draft.content = random_.Bytes(random_.Below(100));
      break;
  }
  if (draft.type == "run.terminal" && !random_.OneIn(4)) {
    draft.kind = ContentKind::kJson;
    draft.content = random_.OneIn(2) ? R"({"status":"success"})" : R"({"status":"error"})";
  }
}

Draft DraftSource::One() {
  Draft draft{.run = RunId(), .type = Type(), .category = Category(), .metadata = Metadata()};
  GiveContent(draft);
  draft.user = MaybeUser();
  if (random_.OneIn(4)) {
    draft.created_at = Timestamp{static_cast<std::int64_t>(random_.Below(2'000'000)) - 1'000'000};
  }
  if (random_.OneIn(8)) draft.extra = R"({"unknown":null})";
  if (random_.OneIn(8)) {
    draft.state = "running";
    draft.step = random_.OneIn(2) ? 0 : -3;
    draft.segment = random_.Bits32();
  }
  if (random_.OneIn(8)) {
    draft.parent_run = RunId();
    draft.correlation = "c";
    draft.writer = "w";
    draft.writer_seq = random_.AnyMagnitude();
  }
  draft.is_volatile = random_.OneIn(6);
  return draft;
}

std::vector<Draft> DraftSource::Some(std::size_t most) {
  std::vector<Draft> drafts;
  const std::uint64_t count = random_.Between(1, most);
  // Most appends stay with a run for a while, as producers do.
  const bool one_run = random_.OneIn(2);
  const std::string run = RunId();
  for (std::uint64_t i = 0; i < count; ++i) {
    drafts.push_back(One());
    if (one_run) drafts.back().run = run;
  }
  return drafts;
}

EventFilter DraftSource::Filter() {
  EventFilter filter;
  if (random_.OneIn(3)) {
    filter.types.emplace();
    for (std::uint64_t count = random_.Below(4); count > 0; --count)
      filter.types->push_back(Type());
  }
  if (random_.OneIn(3)) filter.task_id = Task();
  if (random_.OneIn(3)) filter.category = Category();
  if (random_.OneIn(3)) filter.user_id = random_.OneIn(10) ? "nobody" : User();
  return filter;
}

}  // namespace runlog::testing
