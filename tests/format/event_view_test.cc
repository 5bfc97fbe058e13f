// What is read back from a stored value. Goal: every field comes back as it was given, and no
// altered, misplaced or crafted value is taken for an event or read outside of its bytes. Method:
// seeded random events; every bit, every length and every part of the key of a value changed.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/event.h>
#include <runlog/status.h>

#include "format/event_codec.h"
#include "tests/format/sample_events.h"
#include "tests/support/seeded_random.h"

namespace runlog::format {
namespace {

using ::testing::HasSubstr;

constexpr EventKey kKey = {.thread = ThreadNumber{258}, .seq = 7};

EncodedEvent Encoded(const Event& event) {
  Result<EncodedEvent> encoded = EncodeEvent(kThread, event, kNow, Limits());
  EXPECT_TRUE(encoded.ok()) << encoded.status().ToString();
  return *std::move(encoded);
}

/// A value with all fields, so that a change has every kind of byte to hit.
std::string FullValue() {
  Event event = PlainEvent();
  event.content = Content::Json(R"({"type":"ai","content":"hello"})");
  event.metadata = R"({"task_id":"task-9","caller":"subagent:writer"})";
  event.user_id = "alice";
  event.extra = R"({"x":1})";
  event.state = "running";
  event.step = 4;
  event.segment = 2;
  event.parent_run_id = "run-0";
  event.correlation_id = "c-1";
  event.writer = "journal";
  event.writer_seq = 11;
  event.is_volatile = true;
  return StoredValue(Encoded(event), kKey, kThread);
}

bool Decodes(std::string_view value) {
  const Result<EventView> view = EventDecoder::Decode(value, kKey, kThread);
  EXPECT_EQ(view.status().code(), view.ok() ? StatusCode::kOk : StatusCode::kCorruption);
  return view.ok();
}

std::string DecodeMessage(std::string_view value, const EventKey& key, std::string_view thread) {
  const Result<EventView> view = EventDecoder::Decode(value, key, thread);
  return view.ok() ? "decoded" : view.status().ToString();
}

std::string JsonOrEmptyObject(std::string_view json) {
  return json.empty() ? "{}" : std::string(json);
}

void ExpectSame(const EventView& view, const Event& event) {
  EXPECT_EQ(view.thread_id(), kThread);
  EXPECT_EQ(view.run_id(), event.run_id);
  EXPECT_EQ(view.event_type(), event.event_type);
  EXPECT_EQ(view.category(), event.category);
  EXPECT_EQ(view.content().kind, event.content.kind);
  EXPECT_EQ(view.content().bytes, event.content.bytes);
  EXPECT_EQ(view.metadata(), JsonOrEmptyObject(event.metadata));
  EXPECT_EQ(view.user_id(), event.user_id);
  EXPECT_EQ(view.created_at(), event.created_at.value_or(kNow));
  EXPECT_EQ(JsonOrEmptyObject(view.extra()), JsonOrEmptyObject(event.extra));
  EXPECT_EQ(view.state(), event.state);
  EXPECT_EQ(view.step(), event.step);
  EXPECT_EQ(view.segment(), event.segment);
  EXPECT_EQ(view.parent_run_id(), event.parent_run_id);
  EXPECT_EQ(view.correlation_id(), event.correlation_id);
  EXPECT_EQ(view.writer(), event.writer);
  EXPECT_EQ(view.writer_seq(), event.writer_seq);
  EXPECT_EQ(view.is_volatile(), event.is_volatile);
}

TEST(EventViewTest, EveryFieldComesBackAsItWasGiven) {
  constexpr std::uint64_t kSeed = 7;
  EventMaker maker(kSeed);
  for (std::uint64_t round = 1; round <= 2'000; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " round " + std::to_string(round));
    const Event event = maker.Next();
    const EventKey key = {.thread = ThreadNumber{round * 3}, .seq = round};
    const std::string value = StoredValue(Encoded(event), key, kThread);

    const Result<EventView> view = EventDecoder::Decode(value, key, kThread);

    ASSERT_TRUE(view.ok()) << view.status().ToString();
    EXPECT_EQ(view->seq(), round);
    EXPECT_EQ(view->commit(), 99U);
    ExpectSame(*view, event);
    EXPECT_TRUE(EventDecoder::VerifyBody(view->body()));
    if (HasFailure()) return;
  }
}

TEST(EventViewTest, TaskAndCallerAreTheStringsInMetadata) {
  const auto read = [](std::string_view metadata) {
    Event event = PlainEvent();
    event.metadata = metadata;
    const std::string value = StoredValue(Encoded(event), kKey, kThread);
    const EventView view = *EventDecoder::Decode(value, kKey, kThread);
    return std::string(view.task_id()) + "|" + std::string(view.caller());
  };
  EXPECT_EQ(read(R"({"task_id":"t1","caller":"lead_agent"})"), "t1|lead_agent");
  EXPECT_EQ(read(R"({"task_id":"t1","task_id":"t2"})"), "t2|");
  EXPECT_EQ(read(R"({"task_id":7,"caller":null})"), "|");
  EXPECT_EQ(read(R"({"nested":{"task_id":"t1"}})"), "|");
  EXPECT_EQ(read("null"), "|");
  EXPECT_EQ(read(""), "|");
}

TEST(EventViewTest, AViewOfNothingIsEmpty) {
  const EventView view;
  EXPECT_EQ(view.thread_id(), "");
  EXPECT_EQ(view.content().kind, ContentKind::kAbsent);
  EXPECT_EQ(view.metadata(), "{}");
  EXPECT_EQ(view.user_id(), std::nullopt);
  EXPECT_EQ(view.step(), std::nullopt);
  EXPECT_EQ(view.body(), "");
}

TEST(EventViewTest, AValueDecodesAtAnyAddress) {
  const std::string value = FullValue();
  for (std::size_t shift = 0; shift < 16; ++shift) {
    const std::string shifted = std::string(shift, '!') + value;
    const std::string_view stored = std::string_view(shifted).substr(shift);
    const Result<EventView> view = EventDecoder::Decode(stored, kKey, kThread);
    ASSERT_TRUE(view.ok());
    EXPECT_EQ(view->task_id(), "task-9");
    EXPECT_EQ(view->writer_seq(), 11U);
    EXPECT_TRUE(EventDecoder::VerifyBody(view->body()));
  }
}

TEST(EventViewTest, EveryFlippedBitIsFound) {
  std::string value = FullValue();
  ASSERT_TRUE(Decodes(value));
  for (std::size_t bit = 0; bit < value.size() * 8; ++bit) {
    const auto mask = static_cast<char>(1U << (bit % 8));
    value[bit / 8] = static_cast<char>(value[bit / 8] ^ mask);
    EXPECT_FALSE(Decodes(value)) << "bit " << bit % 8 << " of byte " << bit / 8;
    value[bit / 8] = static_cast<char>(value[bit / 8] ^ mask);
  }
  EXPECT_TRUE(Decodes(value));
}

TEST(EventViewTest, EveryOtherLengthIsFound) {
  const std::string value = FullValue();
  for (std::size_t length = 0; length < value.size(); ++length) {
    EXPECT_FALSE(Decodes(std::string_view(value).substr(0, length))) << length;
  }
  EXPECT_FALSE(Decodes(value + std::string(1, '\0')));
  EXPECT_FALSE(Decodes(value + value));
}

TEST(EventViewTest, AValueUnderAnotherKeyIsFound) {
  const std::string value = FullValue();
  EXPECT_EQ(DecodeMessage(value, kKey, kThread), "decoded");
  const std::string mismatch = "the seal hash does not match the key and header";
  EXPECT_EQ(DecodeMessage(value, {.thread = kKey.thread, .seq = 8}, kThread),
            "kCorruption: events: thread thread-1 (T 258) seq 8: " + mismatch);
  EXPECT_EQ(DecodeMessage(value, {.thread = ThreadNumber{259}, .seq = 7}, kThread),
            "kCorruption: events: thread thread-1 (T 259) seq 7: " + mismatch);
  EXPECT_EQ(DecodeMessage(value, kKey, "thread-2"),
            "kCorruption: events: thread thread-2 (T 258) seq 7: " + mismatch);
  EXPECT_EQ(DecodeMessage(value, {.thread = ThreadNumber{7}, .seq = 258}, kThread),
            "kCorruption: events: thread thread-1 (T 7) seq 258: " + mismatch);
  EXPECT_THAT(DecodeMessage(value, kKey, ""), HasSubstr(mismatch));
  EXPECT_THAT(DecodeMessage(value, kKey, std::string(1'000, 't')), HasSubstr(mismatch));
}

TEST(EventViewTest, ABodyOfAnotherThreadIsFoundThoughItsHashesMatch) {
  const EncodedEvent encoded = Encoded(PlainEvent());
  const std::string value = StoredValue(encoded, kKey, "thread-2");
  EXPECT_EQ(DecodeMessage(value, kKey, "thread-2"),
            "kCorruption: events: thread thread-2 (T 258) seq 7: the body is of thread thread-1");
}

TEST(EventViewTest, AHeaderThatContradictsItsBodyIsFoundThoughItsHashesMatch) {
  EncodedEvent kind = Encoded(PlainEvent());
  kind.content_kind = ContentKind::kText;
  EXPECT_THAT(DecodeMessage(StoredValue(kind, kKey, kThread), kKey, kThread),
              HasSubstr("body and header disagree"));
  EncodedEvent is_volatile = Encoded(PlainEvent());
  is_volatile.is_volatile = true;
  EXPECT_THAT(DecodeMessage(StoredValue(is_volatile, kKey, kThread), kKey, kThread),
              HasSubstr("body and header disagree"));
}

/// Whether `part` lies inside `whole`, or is a literal of our own.
bool Inside(std::string_view part, std::string_view whole) {
  if (part.empty() || part == "{}") return true;
  const std::less_equal<> at_most;
  return at_most(whole.data(), part.data()) &&
         at_most(part.data() + part.size(), whole.data() + whole.size());
}

void ExpectInside(const EventView& view, std::string_view value) {
  for (const std::string_view part :
       {view.run_id(), view.event_type(), view.category(), view.content().bytes, view.metadata(),
        view.user_id().value_or(""), view.extra(), view.task_id(), view.caller(), view.state(),
        view.parent_run_id(), view.correlation_id(), view.writer()}) {
    EXPECT_TRUE(Inside(part, value));
  }
}

// A hash proves that bytes are what was written, not that whoever wrote them meant well.
TEST(EventViewTest, ACraftedBodyIsNeverReadOutsideOfItsBytes) {
  constexpr std::uint64_t kSeed = 11;
  testing::SeededRandom random(kSeed);
  const std::string good = FullValue().substr(kEventHeaderBytes);
  std::size_t decoded = 0;
  for (int round = 0; round < 20'000; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " round " + std::to_string(round));
    EncodedEvent crafted = Encoded(PlainEvent());
    crafted.body = good;
    for (std::uint64_t changes = random.Between(1, 3); changes > 0; --changes) {
      crafted.body[random.Below(160)] =
          static_cast<char>(random.OneIn(2) ? 0xff : random.Below(256));
    }
    if (random.OneIn(4)) crafted.body.resize(random.Below(crafted.body.size()));
    crafted.body_hash = Hash64(crafted.body);
    crafted.content_kind = ContentKind::kJson;
    crafted.is_volatile = true;
    const std::string value = StoredValue(crafted, kKey, kThread);

    const Result<EventView> view = EventDecoder::Decode(value, kKey, kThread);
    EventDecoder::VerifyBody(crafted.body);
    if (!view.ok()) continue;
    ++decoded;
    ExpectInside(*view, value);
  }
  EXPECT_GT(decoded, 1'000U) << "hardly any got as far as the accessors";
}

TEST(EventViewTest, OnlyAWellFormedBodyVerifies) {
  const std::string body = FullValue().substr(kEventHeaderBytes);
  EXPECT_TRUE(EventDecoder::VerifyBody(body));
  EXPECT_FALSE(EventDecoder::VerifyBody(""));
  EXPECT_FALSE(EventDecoder::VerifyBody("RLE1"));
  EXPECT_FALSE(EventDecoder::VerifyBody(std::string(200, '\0')));
  EXPECT_FALSE(EventDecoder::VerifyBody(std::string((std::size_t{64} << 20) + 1, '\0')));
  std::string other_identifier = body;
  other_identifier[7] = '2';
  EXPECT_FALSE(EventDecoder::VerifyBody(other_identifier));
  std::string root_outside = body;
  root_outside[3] = '\x7f';
  EXPECT_FALSE(EventDecoder::VerifyBody(root_outside));
  for (std::size_t length = 0; length + 8 < body.size(); ++length) {
    EXPECT_FALSE(EventDecoder::VerifyBody(std::string_view(body).substr(0, length))) << length;
  }
}

}  // namespace
}  // namespace runlog::format
