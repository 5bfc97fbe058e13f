// How a retried request is known. Goal: two requests have the same digest exactly if every field is
// the same, in this build and in later ones. Method: one field changed at a time; one digest
// pinned.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <runlog/event.h>
#include <runlog/limits.h>
#include <runlog/status.h>

#include "format/event_codec.h"
#include "tests/format/sample_events.h"

namespace runlog::format {
namespace {

Event FullEvent() {
  Event event = PlainEvent();
  event.content = Content::Json(R"({"a":1})");
  event.metadata = R"({"m":1})";
  event.user_id = "alice";
  event.created_at = Timestamp{5};
  event.extra = R"({"x":1})";
  event.state = "running";
  event.step = 4;
  event.segment = 2;
  event.parent_run_id = "run-0";
  event.correlation_id = "c-1";
  event.writer = "journal";
  event.writer_seq = 11;
  return event;
}

std::string Written(const Digest128& digest) {
  return std::to_string(digest.high) + ":" + std::to_string(digest.low);
}

TEST(RequestDigestTest, RequestsThatDifferInAnyFieldHaveDifferentDigests) {
  using Change = std::function<void(Event&)>;
  const std::vector<Change> changes = {
      [](Event&) {},
      [](Event& e) { e.run_id = "run-2"; },
      [](Event& e) { e.event_type = "x"; },
      [](Event& e) { e.category = "trace"; },
      [](Event& e) { e.content = Content::Absent(); },
      [](Event& e) { e.content = Content::Text(""); },
      [](Event& e) { e.content = Content::Text(e.content.bytes); },
      [](Event& e) { e.content = Content::Bytes(e.content.bytes); },
      [](Event& e) { e.content = Content::Json(R"({"a":2})"); },
      [](Event& e) { e.metadata = ""; },
      [](Event& e) { e.metadata = R"({"m":2})"; },
      [](Event& e) { std::swap(e.metadata, e.extra); },
      [](Event& e) { e.user_id = std::nullopt; },
      [](Event& e) { e.user_id = ""; },
      [](Event& e) { e.user_id = "bob"; },
      [](Event& e) { e.created_at = std::nullopt; },
      [](Event& e) { e.created_at = Timestamp{6}; },
      [](Event& e) { e.created_at = Timestamp{-5}; },
      [](Event& e) { e.extra = ""; },
      [](Event& e) { e.state = ""; },
      [](Event& e) { e.state = "paused"; },
      [](Event& e) { e.step = std::nullopt; },
      [](Event& e) { e.step = 0; },
      [](Event& e) { e.segment = 0; },
      [](Event& e) { e.parent_run_id = ""; },
      [](Event& e) { std::swap(e.parent_run_id, e.correlation_id); },
      [](Event& e) { e.correlation_id = ""; },
      [](Event& e) { e.writer = ""; },
      [](Event& e) { e.writer_seq = 0; },
      [](Event& e) { e.is_volatile = true; },
      // The same bytes, divided differently between neighbours.
      [](Event& e) { e.run_id = "run-1l", e.event_type = "lm.ai.response"; },
      [](Event& e) { e.event_type = "llm.ai.responsem", e.category = "essage"; },
      [](Event& e) { e.parent_run_id = "run-0c", e.correlation_id = "-1"; },
  };
  std::set<std::string> digests;
  for (const Change& change : changes) {
    Event event = FullEvent();
    change(event);
    digests.insert(Written(RequestDigest(kThread, event)));
    EXPECT_EQ(RequestDigest(kThread, event), RequestDigest(kThread, event));
  }
  EXPECT_EQ(digests.size(), changes.size());
  EXPECT_NE(RequestDigest("thread-2", FullEvent()), RequestDigest(kThread, FullEvent()));
}

// Digests are stored with idempotency keys: a retry may come to a later build.
TEST(RequestDigestTest, ARequestHasTheSameDigestInEveryBuild) {
  EXPECT_EQ(Written(RequestDigest(kThread, FullEvent())),
            "17184815355604568667:17133760644851055740");
}

}  // namespace
}  // namespace runlog::format
