// What an event must be to be stored, and what is stored for it. Goal: limits, UTF-8 and JSON rules
// hold to the character and byte, and types and spellings survive. Method: tables with exact
// messages; bytes pinned where they are compared with those of other builds.

#include "format/event_codec.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/event.h>
#include <runlog/limits.h>
#include <runlog/status.h>

#include "tests/format/sample_events.h"

namespace runlog::format {
namespace {

constexpr EventKey kKey = {.thread = ThreadNumber{258}, .seq = 7};

std::string Repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i)
    repeated += text;
  return repeated;
}

std::string MessageOf(const Event& event, std::string_view thread_id = kThread,
                      Timestamp now = kNow) {
  const Result<EncodedEvent> encoded = EncodeEvent(thread_id, event, now, Limits());
  return encoded.ok() ? "encoded" : encoded.status().ToString();
}

EncodedEvent Encoded(const Event& event) {
  Result<EncodedEvent> encoded = EncodeEvent(kThread, event, kNow, Limits());
  EXPECT_TRUE(encoded.ok()) << encoded.status().ToString();
  return encoded.ok() ? *std::move(encoded) : EncodedEvent();
}

/// An encoded event as a reader sees it.
class Stored {
 public:
  explicit Stored(const Event& event) : value_(StoredValue(Encoded(event), kKey, kThread)) {}
  EventView operator*() const { return *EventDecoder::Decode(value_, kKey, kThread); }

 private:
  std::string value_;
};

using KindAndBytes = std::pair<ContentKind, std::string>;

KindAndBytes StoredContent(const Content& content) {
  Event event = PlainEvent();
  event.content = content;
  const Stored stored(event);
  return {(*stored).content().kind, std::string((*stored).content().bytes)};
}

// --- content -------------------------------------------------------------------------------------

TEST(EventCodecTest, TypesOfContentSurvive) {
  const KindAndBytes expected[] = {
      {ContentKind::kJson, R"({"a":1})"},
      {ContentKind::kJson, "123"},
      {ContentKind::kJson, "null"},
      {ContentKind::kJson, "true"},
      {ContentKind::kJson, "[]"},
      {ContentKind::kJson, "1.0"},
      {ContentKind::kJson, "1180591620717411303424"},
      {ContentKind::kJson, "1e400"},
      {ContentKind::kJson, "-0"},
      {ContentKind::kJson, R"({"text":"a\u0000b"})"},
      {ContentKind::kJson, "{\"line\":\"\xe2\x80\xa8\"}"},
      {ContentKind::kJson, R"({"b":1,"a":2,"b":3})"},
      {ContentKind::kJson, R"({"\u0061":"\/"})"},
      {ContentKind::kJson, R"([ 1, 2 ])"},
  };
  for (const KindAndBytes& content : expected) {
    EXPECT_EQ(StoredContent(Content::Json(content.second)), content);
  }
}

TEST(EventCodecTest, AJsonStringIsStoredAsItsText) {
  const auto stored = [](std::string_view json) { return StoredContent(Content::Json(json)); };
  const auto text = [](std::string_view utf8) {
    return KindAndBytes(ContentKind::kText, std::string(utf8));
  };
  EXPECT_EQ(stored(R"("{\"a\": 1}")"), text(R"({"a": 1})"));
  EXPECT_EQ(stored(R"("123")"), text("123"));
  EXPECT_EQ(stored(R"("null")"), text("null"));
  EXPECT_EQ(stored(R"("")"), text(""));
  EXPECT_EQ(stored(R"("a\u0000\nb")"), text(std::string_view("a\0\nb", 4)));
  EXPECT_EQ(stored("\"\xe2\x80\xa8\""), text("\xe2\x80\xa8"));
  EXPECT_EQ(stored(R"( "\ud83d\ude00" )"), text("\xf0\x9f\x98\x80"));
}

TEST(EventCodecTest, SixContentsThatLookAlikeDiffer) {
  const std::set<KindAndBytes> contents = {
      StoredContent(Content::Json(R"("123")")),  StoredContent(Content::Json("123")),
      StoredContent(Content::Json(R"("null")")), StoredContent(Content::Json("null")),
      StoredContent(Content::Json(R"("")")),     StoredContent(Content::Absent())};
  EXPECT_EQ(contents.size(), 6U);
  EXPECT_EQ(StoredContent(Content::Bytes("")), KindAndBytes(ContentKind::kBytes, ""));
}

TEST(EventCodecTest, AnEventIsOneLine) {
  Event event = PlainEvent();
  event.content = Content::Json("{\n  \"a\" : [1,\r\n2],\t\"b c\" : \"\\n\"\n}");
  event.metadata = "{ \"m\" :\n1.0 }";
  event.extra = "{\r\"x\" : { } }";
  const Stored stored(event);
  EXPECT_EQ((*stored).content().bytes, R"({"a":[1,2],"b c":"\n"})");
  EXPECT_EQ((*stored).metadata(), R"({"m":1.0})");
  EXPECT_EQ((*stored).extra(), R"({"x":{}})");
}

TEST(EventCodecTest, OtherWhiteSpaceStays) {
  Event event = PlainEvent();
  event.content = Content::Json("{ \"a\" :\t1 }");
  event.metadata = "{ }";
  event.extra = "{\"x\" : 1}";
  const Stored stored(event);
  EXPECT_EQ((*stored).content().bytes, "{ \"a\" :\t1 }");
  EXPECT_EQ((*stored).metadata(), "{ }");
  EXPECT_EQ((*stored).extra(), "{\"x\" : 1}");
}

TEST(EventCodecTest, ContentThatIsNotWhatItSaysIsRefused) {
  const auto message = [](const Content& content) {
    Event event = PlainEvent();
    event.content = content;
    return MessageOf(event);
  };
  EXPECT_EQ(message(Content::Text("a\xff")), "kInvalidArgument: content: invalid UTF-8 at byte 1");
  EXPECT_EQ(message(Content::Json(R"({"text":"it is \ud800"})")),
            "kInvalidArgument: content: lone surrogate at byte 15");
  EXPECT_EQ(message(Content::Json("")), "kInvalidArgument: content: unexpected end at byte 0");
  EXPECT_EQ(message(Content::Json("NaN")), "kInvalidArgument: content: unexpected 'N' at byte 0");
  EXPECT_EQ(message({static_cast<ContentKind>(7), "x"}),
            "kInvalidArgument: content: no such kind as 7");
}

// --- metadata and extra --------------------------------------------------------------------------

TEST(EventCodecTest, NoMetadataIsAnEmptyObject) {
  Event event = PlainEvent();
  const std::string body = Encoded(event).body;
  for (const std::string_view metadata : {"", "{}", "null", " null\n"}) {
    event.metadata = metadata;
    EXPECT_EQ(Encoded(event).body, body) << metadata;
    EXPECT_EQ((*Stored(event)).metadata(), "{}");
  }
}

TEST(EventCodecTest, MetadataIsAJsonObject) {
  const auto message = [](std::string_view metadata) {
    Event event = PlainEvent();
    event.metadata = metadata;
    return MessageOf(event);
  };
  EXPECT_EQ(message(R"({"content_is_json":true})"), "encoded");
  EXPECT_EQ(message("[]"), "kInvalidArgument: metadata: not a JSON object");
  EXPECT_EQ(message(R"("{}")"), "kInvalidArgument: metadata: not a JSON object");
  EXPECT_EQ(message("0"), "kInvalidArgument: metadata: not a JSON object");
  EXPECT_EQ(message(R"({"a":"\udc00"})"), "kInvalidArgument: metadata: lone surrogate at byte 6");
  EXPECT_EQ(message(R"({"a":NaN})"), "kInvalidArgument: metadata: unexpected 'N' at byte 5");
}

TEST(EventCodecTest, ExtraHoldsNoFieldThatEveryEventHas) {
  const auto message = [](std::string_view extra) {
    Event event = PlainEvent();
    event.extra = extra;
    return MessageOf(event);
  };
  for (const std::string name : {"thread_id", "run_id", "seq", "event_type", "category", "content",
                                 "metadata", "created_at", "user_id", "content_encoding"}) {
    EXPECT_EQ(message("{\"x\":1,\"" + name + "\":null}"),
              "kInvalidArgument: extra: \"" + name + "\" is a field of every event");
  }
  EXPECT_EQ(message(R"({"s\u0065q":1})"),
            "kInvalidArgument: extra: \"seq\" is a field of every event");
  EXPECT_EQ(message(R"({"Seq":1,"x":{"seq":1},"seq ":2})"), "encoded");
  EXPECT_EQ(message("null"), "kInvalidArgument: extra: not a JSON object at byte 0");
  EXPECT_EQ(message("[1]"), "kInvalidArgument: extra: not a JSON object at byte 0");
  EXPECT_EQ(message("{"), "kInvalidArgument: extra: unexpected end at byte 1");
}

TEST(EventCodecTest, ExtraWithoutMembersIsNone) {
  Event event = PlainEvent();
  const std::string body = Encoded(event).body;
  event.extra = "{ }";
  EXPECT_EQ(Encoded(event).body, body);
  EXPECT_EQ((*Stored(event)).extra(), "");
}

// --- limits --------------------------------------------------------------------------------------

TEST(EventCodecTest, NamesAreCountedInCharacters) {
  const auto with_type = [](std::string_view event_type) {
    Event event = PlainEvent();
    event.event_type = event_type;
    return MessageOf(event);
  };
  const auto with_category = [](std::string_view category) {
    Event event = PlainEvent();
    event.category = category;
    return MessageOf(event);
  };
  EXPECT_EQ(with_type(Repeat("\xc3\xa9", 32)), "encoded");
  EXPECT_EQ(with_type(Repeat("\xf0\x9f\x98\x80", 32)), "encoded");
  EXPECT_EQ(with_type(Repeat("a", 32)), "encoded");
  EXPECT_EQ(with_type(Repeat("a", 33)), "kInvalidArgument: event_type: 33 characters, at most 32");
  EXPECT_EQ(with_type(Repeat("\xc3\xa9", 33)),
            "kInvalidArgument: event_type: 33 characters, at most 32");
  EXPECT_EQ(with_type(""), "kInvalidArgument: event_type: empty, at least 1 character");
  EXPECT_EQ(with_type("a\tb"), "kInvalidArgument: event_type: control character at byte 1");
  EXPECT_EQ(with_type("a\xc3"), "kInvalidArgument: event_type: invalid UTF-8 at byte 1");
  EXPECT_EQ(with_category("m\xc3\xa9" + Repeat("e", 14)), "encoded");
  EXPECT_EQ(with_category("m\xc3\xa9" + Repeat("e", 15)),
            "kInvalidArgument: category: 17 characters, at most 16");
  EXPECT_EQ(with_category(""), "kInvalidArgument: category: empty, at least 1 character");
}

TEST(EventCodecTest, IdsAreCountedInBytes) {
  const auto check = [](std::string_view id) { return CheckId("run_id", id).ToString(); };
  EXPECT_EQ(check("a"), "OK");
  EXPECT_EQ(check("a.b c:/\xc3\xa9\xff"), "kInvalidArgument: run_id: invalid UTF-8 at byte 9");
  EXPECT_EQ(check("a.b c:/\xc3\xa9"), "OK");
  EXPECT_EQ(check(Repeat("\xc3\xa9", 128)), "OK");
  EXPECT_EQ(check(Repeat("a", 300)), "kInvalidArgument: run_id: 300 bytes, at most 256");
  EXPECT_EQ(check(Repeat("\xc3\xa9", 129)), "kInvalidArgument: run_id: 258 bytes, at most 256");
  EXPECT_EQ(check(""), "kInvalidArgument: run_id: empty, at least 1 byte");
  EXPECT_EQ(check("r1\n"), "kInvalidArgument: run_id: control character at byte 2");
  EXPECT_EQ(check(std::string_view("a\0", 2)),
            "kInvalidArgument: run_id: control character at byte 1");
  EXPECT_EQ(check("a\x7f"), "kInvalidArgument: run_id: control character at byte 1");
  EXPECT_EQ(check("a\xc2\x85"), "kInvalidArgument: run_id: control character at byte 1");
}

TEST(EventCodecTest, EveryIdIsChecked) {
  EXPECT_EQ(MessageOf(PlainEvent(), Repeat("t", 257)),
            "kInvalidArgument: thread_id: 257 bytes, at most 256");
  EXPECT_EQ(MessageOf(PlainEvent(), ""), "kInvalidArgument: thread_id: empty, at least 1 byte");
  Event event = PlainEvent();
  event.run_id = "";
  EXPECT_EQ(MessageOf(event), "kInvalidArgument: run_id: empty, at least 1 byte");
  event = PlainEvent();
  event.user_id = "";
  EXPECT_EQ(MessageOf(event), "kInvalidArgument: user_id: empty, at least 1 byte");
}

TEST(EventCodecTest, LabelsMayBeAbsentButNotLong) {
  const std::string long_label = Repeat("x", 257);
  const std::string most = Repeat("x", 256);
  const std::pair<std::string, std::string_view Event::*> labels[] = {
      {"state", &Event::state},
      {"parent_run_id", &Event::parent_run_id},
      {"correlation_id", &Event::correlation_id},
      {"writer", &Event::writer}};
  for (const auto& [name, member] : labels) {
    Event event = PlainEvent();
    event.*member = most;
    EXPECT_EQ(MessageOf(event), "encoded");
    event.*member = long_label;
    EXPECT_EQ(MessageOf(event), "kInvalidArgument: " + name + ": 257 bytes, at most 256");
    event.*member = "a\nb";
    EXPECT_EQ(MessageOf(event), "kInvalidArgument: " + name + ": control character at byte 1");
  }
}

TEST(EventCodecTest, TimesLieInTheYears1To9999) {
  const auto message = [](std::int64_t microseconds) {
    Event event = PlainEvent();
    event.created_at = Timestamp{microseconds};
    return MessageOf(event);
  };
  const std::int64_t first = ParseTimestamp("0001-01-01T00:00:00Z")->microseconds;
  const std::int64_t last = ParseTimestamp("9999-12-31T23:59:59.999999Z")->microseconds;
  EXPECT_EQ(message(first), "encoded");
  EXPECT_EQ(message(last), "encoded");
  EXPECT_EQ(message(first - 1),
            "kInvalidArgument: created_at: -62135596800000001 microseconds since 1970, outside "
            "years 1 to 9999");
  EXPECT_EQ(message(last + 1),
            "kInvalidArgument: created_at: 253402300800000000 microseconds since 1970, outside "
            "years 1 to 9999");
  EXPECT_NE(MessageOf(PlainEvent(), kThread, Timestamp{last + 1}), "encoded");
}

TEST(EventCodecTest, ContentOf16MiBIsLegalAndOneByteMoreIsNot) {
  const std::string text = Repeat("x", (std::size_t{16} << 20) + 1);
  const auto message = [](const Content& content) {
    Event event = PlainEvent();
    event.content = content;
    return MessageOf(event);
  };
  const std::string_view most = std::string_view(text).substr(1);
  const std::string refused = "kTooLarge: content: 16777217 bytes, at most 16777216";
  EXPECT_EQ(message(Content::Text(most)), "encoded");
  EXPECT_EQ(message(Content::Bytes(most)), "encoded");
  EXPECT_EQ(message(Content::Json("\"" + std::string(most) + "\"")), "encoded");
  EXPECT_EQ(message(Content::Text(text)), refused);
  EXPECT_EQ(message(Content::Bytes(text)), refused);
  EXPECT_EQ(message(Content::Json("\"" + text + "\"")), refused);
  EXPECT_EQ(message(Content::Json("[\"" + text.substr(5) + "\"]")), "encoded");
  EXPECT_EQ(message(Content::Json("[\"" + text.substr(4) + "\"]")), refused);
  EXPECT_EQ(message(Content::Json("[\n\"" + text.substr(5) + "\"\n]")), "encoded");
}

TEST(EventCodecTest, A16MiBContentComesBackWholeWithTheLargestMetadata) {
  const std::string text = Repeat("x", std::size_t{16} << 20);
  const std::string metadata = "{\"m\":\"" + text.substr(8) + "\"}";
  ASSERT_EQ(metadata.size(), text.size());
  Event event = PlainEvent();
  event.content = Content::Text(text);
  event.metadata = metadata;
  const Stored stored(event);
  EXPECT_TRUE((*stored).content().bytes == text);
  EXPECT_TRUE((*stored).metadata() == metadata);
  EXPECT_TRUE(EventDecoder::VerifyBody((*stored).body()));
}

TEST(EventCodecTest, MetadataAndExtraShareTheirLimit) {
  Limits limits;
  limits.event_bytes = 1024;
  const std::string metadata = "{\"m\":\"" + Repeat("x", 500) + "\"}";
  const std::string extra = "{\"e\":\"" + Repeat("x", 508) + "\"}";
  Event event = PlainEvent();
  event.metadata = metadata;
  event.extra = extra;
  ASSERT_EQ(metadata.size() + extra.size(), 1024U);
  EXPECT_TRUE(EncodeEvent(kThread, event, kNow, limits).ok());
  limits.event_bytes = 1023;
  EXPECT_EQ(EncodeEvent(kThread, event, kNow, limits).status().ToString(),
            "kTooLarge: metadata and extra: 1024 bytes, at most 1023");
}

// --- what is made of an event --------------------------------------------------------------------

TEST(EventCodecTest, AnEncodedEventCarriesWhatTheCommitNeeds) {
  Event event = PlainEvent();
  event.content = Content::Text("hello");
  event.metadata = R"({"task_id":"task-9"})";
  event.user_id = "alice";
  event.is_volatile = true;
  const EncodedEvent encoded = Encoded(event);
  EXPECT_EQ(encoded.body_hash, Hash64(encoded.body));
  EXPECT_EQ(encoded.created_at_us, kNow.microseconds);
  EXPECT_EQ(encoded.content_kind, ContentKind::kText);
  EXPECT_EQ(encoded.run_id, "run-1");
  EXPECT_EQ(encoded.event_type, "llm.ai.response");
  EXPECT_EQ(encoded.user_id, "alice");
  EXPECT_EQ(encoded.task_id, "task-9");
  EXPECT_TRUE(encoded.has_owner);
  EXPECT_TRUE(encoded.is_volatile);
  EXPECT_EQ(encoded.value_bytes(), 40 + encoded.body.size());
  EXPECT_FALSE(Encoded(PlainEvent()).has_owner);
}

// Bodies are hashed into run digests, which stores of different builds compare.
TEST(EventCodecTest, EqualEventsHaveEqualBytesInEveryBuild) {
  Event event = PlainEvent();
  event.content = Content::Json(R"({"type":"ai"})");
  event.metadata = R"({"caller":"lead_agent"})";
  event.user_id = "alice";
  event.step = 0;
  const EncodedEvent first = Encoded(event);
  Event large = PlainEvent();
  const std::string text = Repeat("x", 1'000'000);
  large.content = Content::Text(text);
  EXPECT_GT(Encoded(large).body.size(), text.size());
  EXPECT_EQ(Encoded(event).body, first.body);
  EXPECT_EQ(first.body.size(), 232U);
  EXPECT_EQ(first.body_hash, 708795313351181513U);
}

}  // namespace
}  // namespace runlog::format
