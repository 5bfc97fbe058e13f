// What pages, filters and run records take from an event without reading it again. Goal: class byte
// and run state follow from the fields alone, as FORMAT.md and rule H of the DeerFlow contract say.
// Method: tables.

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <runlog/event.h>
#include <runlog/limits.h>
#include <runlog/status.h>

#include "format/event_codec.h"
#include "tests/format/sample_events.h"

namespace runlog::format {
namespace {

std::string Repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i)
    repeated += text;
  return repeated;
}

EncodedEvent Encoded(const Event& event) {
  Result<EncodedEvent> encoded = EncodeEvent(kThread, event, kNow, Limits());
  EXPECT_TRUE(encoded.ok()) << encoded.status().ToString();
  return encoded.ok() ? *std::move(encoded) : EncodedEvent();
}

struct ClassCase {
  std::string category;
  std::string event_type;
  std::string metadata;
  std::string content;
  EventClass expected;
};

TEST(EventClassTest, TheClassByteFollowsFromTheEvent) {
  using C = CategoryCode;
  using W = CallerClass;
  const std::string subagent = R"({"caller":"subagent:writer"})";
  const ClassCase cases[] = {
      {"message", "llm.ai.response", "", "1", {C::kMessage, W::kPlain, true, false}},
      {"message", "ai_message", "{}", "1", {C::kMessage, W::kPlain, true, false}},
      {"message", "AI_MESSAGE", "{}", "1", {C::kMessage, W::kPlain, false, false}},
      {"Message", "x", "{}", "1", {C::kOther, W::kPlain, false, false}},
      {"message",
       "x",
       R"({"caller":"middleware:title"})",
       "1",
       {C::kMessage, W::kMiddleware, false, false}},
      {"trace", "x", R"({"caller":"middleware:"})", "1", {C::kTrace, W::kMiddleware, false, false}},
      {"message",
       "x",
       R"({"caller":"Middleware:title"})",
       "1",
       {C::kMessage, W::kPlain, false, false}},
      {"message", "x", R"({"caller":null})", "1", {C::kMessage, W::kPlain, false, false}},
      {"message", "x", subagent, R"({"type":"ai"})", {C::kMessage, W::kSubagentAi, false, false}},
      {"message",
       "x",
       subagent,
       R"({"type":"assistant"})",
       {C::kMessage, W::kSubagentAi, false, false}},
      {"message",
       "x",
       subagent,
       R"({"role":"assistant","type":"human"})",
       {C::kMessage, W::kSubagentAi, false, false}},
      {"message", "x", subagent, R"({"role":"ai"})", {C::kMessage, W::kPlain, false, false}},
      {"message", "x", subagent, R"({"type":"tool"})", {C::kMessage, W::kPlain, false, false}},
      {"message",
       "x",
       subagent,
       R"({"type":"ai","type":"tool"})",
       {C::kMessage, W::kPlain, false, false}},
      {"message", "x", subagent, R"({"m":{"type":"ai"}})", {C::kMessage, W::kPlain, false, false}},
      {"message", "x", subagent, R"("ai")", {C::kMessage, W::kPlain, false, false}},
      {"trace", "x", subagent, R"({"type":"ai"})", {C::kTrace, W::kPlain, false, false}},
      {"message",
       "x",
       R"({"caller":"lead_agent"})",
       R"({"type":"ai"})",
       {C::kMessage, W::kPlain, false, false}},
  };
  for (const ClassCase& each : cases) {
    Event event = PlainEvent();
    event.category = each.category;
    event.event_type = each.event_type;
    event.metadata = each.metadata;
    event.content = Content::Json(each.content);
    const EventClass actual = Encoded(event).event_class;
    EXPECT_EQ(int{actual.byte()}, int{each.expected.byte()})
        << each.category << " " << each.event_type << " " << each.metadata << " " << each.content;
  }
  Event event = PlainEvent();
  event.is_volatile = true;
  EXPECT_TRUE(Encoded(event).event_class.is_volatile());
}

TEST(EventClassTest, CategoriesHaveTheNumbersOfTheFormat) {
  const std::string_view names[] = {"anything",   "message", "trace",    "outputs",  "error",
                                    "middleware", "context", "subagent", "workspace"};
  for (std::uint8_t code = 0; code < std::size(names); ++code) {
    EXPECT_EQ(static_cast<std::uint8_t>(CategoryCodeOf(names[code])), code) << names[code];
  }
  EXPECT_EQ(CategoryCodeOf(""), CategoryCode::kOther);
}

std::string Transition(std::string_view event_type, const Content& content) {
  Event event = PlainEvent();
  event.event_type = event_type;
  event.content = content;
  const RunTransition transition = Encoded(event).transition;
  const RunTransition direct = TransitionOf(event_type, content);
  EXPECT_EQ(direct.kind, transition.kind);
  EXPECT_EQ(direct.status, transition.status);
  switch (transition.kind) {
    case RunTransition::Kind::kNone:
      return "none";
    case RunTransition::Kind::kStarts:
      return "starts";
    case RunTransition::Kind::kEnds:
      return "ends " + transition.status;
  }
  return "?";
}

TEST(EventClassTest, SomeTypesStartOrEndARun) {
  EXPECT_EQ(Transition("run.start", Content::Absent()), "starts");
  EXPECT_EQ(Transition("run_started", Content::Absent()), "starts");
  EXPECT_EQ(Transition("run_completed", Content::Absent()), "ends completed");
  EXPECT_EQ(Transition("run_failed", Content::Json("{}")), "ends failed");
  EXPECT_EQ(Transition("run_interrupted", Content::Text("x")), "ends interrupted");
  EXPECT_EQ(Transition("run_cancelled", Content::Absent()), "ends cancelled");
  EXPECT_EQ(Transition("run.end", Content::Json(R"({"status":"success"})")), "none");
  EXPECT_EQ(Transition("run_resumed", Content::Absent()), "none");
  EXPECT_EQ(Transition("llm.ai.response", Content::Absent()), "none");
}

TEST(EventClassTest, EveryTypeThatChangesARunIsListed) {
  for (const std::string_view type : kTransitionTypes) {
    EXPECT_NE(Transition(type, Content::Json(R"({"status":"success"})")), "none") << type;
  }
}

TEST(EventClassTest, ARunEndsWithTheStatusOfItsTerminalEvent) {
  const auto terminal = [](std::string_view json) {
    return Transition("run.terminal", Content::Json(json));
  };
  EXPECT_EQ(terminal(R"({"status":"success"})"), "ends success");
  EXPECT_EQ(terminal(R"({"status":"a\u0062","x":{"status":"c"}})"), "ends ab");
  EXPECT_EQ(terminal("{\"status\":\"" + Repeat("s", 256) + "\"}"), "ends " + Repeat("s", 256));
  EXPECT_EQ(terminal("{\"status\":\"" + Repeat("s", 257) + "\"}"), "none");
  EXPECT_EQ(terminal(R"({"status":1})"), "none");
  EXPECT_EQ(terminal(R"([{"status":"success"}])"), "none");
  EXPECT_EQ(Transition("run.terminal", Content::Text(R"({"status":"success"})")), "none");
  EXPECT_EQ(Transition("run.terminal", Content::Absent()), "none");
}

}  // namespace
}  // namespace runlog::format
