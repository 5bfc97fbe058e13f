// Goal: an event leaves as the line it came as, and a line that is no event says what is wrong with
// it and where. Method: lines through the parser, the store's own codec and back.

#include "tools/event_json.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/event_codec.h"
#include "format/keys.h"
#include "tests/tools/command_line_test.h"

namespace runlog::tools {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kEnvelope =
    R"("thread_id":"t","run_id":"r","event_type":"x.y","category":"trace")";

std::string LineWith(std::string_view members) {
  std::string line = "{";
  line.append(kEnvelope).append(members.empty() ? "" : ",").append(members);
  return line + "}";
}

/// What the store gives back for a line, as the line that leaves.
std::string ThroughTheCodec(std::string_view in) {
  const Result<EventLine> line = ParseEventLine(in, SeqKey::kRefused);
  EXPECT_TRUE(line.ok()) << line.status().ToString();
  if (!line.ok()) return {};
  const auto encoded = format::EncodeEvent(line->thread_id, line->event(), Timestamp{}, Limits{});
  EXPECT_TRUE(encoded.ok()) << encoded.status().ToString();
  if (!encoded.ok()) return {};

  const format::EventKey key{format::ThreadNumber{1}, 7};
  const format::EventHeader header =
      format::HeaderOf(*encoded, format::RunNumber{1}, format::OwnerNumber::kNone, 0);
  const auto bytes = format::EncodeEventHeader(header, key, line->thread_id);
  const std::string value = std::string(bytes.data(), bytes.size()) + encoded->body;
  const Result<EventView> view = EventDecoder::Decode(value, key, line->thread_id);
  EXPECT_TRUE(view.ok()) << view.status().ToString();
  return view.ok() ? FormatEventLine(*view) : std::string();
}

/// The status of a line that must be refused.
Status Refusal(std::string_view line, SeqKey seq_key = SeqKey::kRefused) {
  const Result<EventLine> parsed = ParseEventLine(line, seq_key);
  EXPECT_FALSE(parsed.ok()) << line;
  return parsed.ok() ? Status() : parsed.status();
}

std::string Reason(std::string_view line) {
  const Status status = Refusal(line);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << line;
  return std::string(status.message());
}

class EventJsonTest : public ::testing::TestWithParam<std::string> {};

TEST_P(EventJsonTest, AContentLeavesAsItCame) {
  const std::string out = ThroughTheCodec(LineWith("\"content\":" + GetParam()));
  EXPECT_THAT(out, HasSubstr("\"content\":" + GetParam() + ",\"metadata\":{}"));
}

INSTANTIATE_TEST_SUITE_P(
    Contents, EventJsonTest,
    ::testing::Values(R"("123")", "123", R"("null")", "null", R"("")", "true", "[]", "{}", "1.0",
                      "1e400", "1180591620717411303424", "-0", R"({"a":1,"a":2})",
                      R"({"b":"\u0041\/","a":[1,2]})", R"("\u0000")", R"({"z":"\ud83d\ude00"})",
                      "\"\xe2\x80\xa8\xe2\x80\xa9\xc2\x85\"", "{\"k\":\"\xe2\x80\xa8\"}",
                      R"("{\"a\": 1}")", R"("line\nbreak")"));

TEST(EventLineTest, FieldsLeaveInTheirOrder) {
  EXPECT_EQ(
      ThroughTheCodec(
          R"({"z":1,"user_id":"alice","created_at":"2026-03-02T10:00:00.25+02:00","metadata":{"b":1,"a":2},)"
          R"("content":[1, 2],"category":"trace","event_type":"x","run_id":"r","thread_id":"t","a":null})"),
      R"({"thread_id":"t","run_id":"r","seq":7,"event_type":"x","category":"trace","content":[1, 2],)"
      R"("metadata":{"b":1,"a":2},"created_at":"2026-03-02T08:00:00.250000+00:00","user_id":"alice","z":1,"a":null})");
}

TEST(EventLineTest, AbsentContentIsNotThere) {
  EXPECT_EQ(Members(ThroughTheCodec(LineWith(""))).count("content"), 0U);
}

TEST(EventLineTest, OpaqueBytesTravelAsBase64) {
  const std::string out =
      ThroughTheCodec(LineWith(R"("content":"AP/+","content_encoding":"base64")"));
  EXPECT_EQ(Member(out, "content"), R"("AP/+")");
  EXPECT_EQ(Member(out, "content_encoding"), R"("base64")");
}

TEST(EventLineTest, NullsOfTheEnvelopeAreAbsent) {
  const std::string out =
      ThroughTheCodec(LineWith(R"("user_id":null,"created_at":null,"metadata":null)"));
  EXPECT_EQ(Members(out).count("user_id"), 0U);
  EXPECT_EQ(Member(out, "metadata"), "{}");
  EXPECT_EQ(Member(out, "created_at"), R"("1970-01-01T00:00:00+00:00")");
}

TEST(EventLineTest, UnknownKeysAreKeptInOrderWithTheirSpelling) {
  const std::string unknown =
      R"("zeta":1.50,"alpha":{"x":[1e400]},"zeta":2,"type":"run_started","message":null)";
  EXPECT_THAT(ThroughTheCodec(LineWith(unknown)), ::testing::EndsWith("," + unknown + "}"));
}

TEST(EventLineTest, KnownExtrasAreLiftedWhereTheyFit) {
  const Result<EventLine> line = ParseEventLine(
      LineWith(
          R"("state":"running","step":0,"segment":2,"parent_run_id":"p","correlation_id":"c","writer":"w","writer_seq":9,"volatile":true)"),
      SeqKey::kRefused);
  ASSERT_TRUE(line.ok()) << line.status().ToString();
  EXPECT_EQ(line->state, "running");
  EXPECT_EQ(line->step, 0);
  EXPECT_EQ(line->segment, 2U);
  EXPECT_EQ(line->parent_run_id, "p");
  EXPECT_EQ(line->correlation_id, "c");
  EXPECT_EQ(line->writer, "w");
  EXPECT_EQ(line->writer_seq, 9U);
  EXPECT_TRUE(line->is_volatile);
  EXPECT_EQ(line->extra, "");
}

TEST(EventLineTest, KnownExtrasThatDoNotFitStayUnknownKeys) {
  const std::string unfit =
      R"("state":"","step":null,"segment":4294967296,"parent_run_id":5,"correlation_id":{},"writer":[],"writer_seq":-1,"volatile":false)";
  const Result<EventLine> line = ParseEventLine(LineWith(unfit), SeqKey::kRefused);
  ASSERT_TRUE(line.ok()) << line.status().ToString();
  EXPECT_EQ(line->extra, "{" + unfit + "}");
  EXPECT_THAT(ThroughTheCodec(LineWith(unfit)), ::testing::EndsWith("," + unfit + "}"));
}

TEST(EventLineTest, ANumberIsLiftedOnlyInTheSpellingItLeavesIn) {
  const std::string spelled = R"("step":1.0,"segment":1e0,"writer_seq":-0)";
  EXPECT_THAT(ThroughTheCodec(LineWith(spelled)), ::testing::EndsWith("," + spelled + "}"));
}

TEST(EventLineTest, AKnownExtraThatStandsTwiceStaysTwice) {
  const std::string twice = R"("step":1,"step":2)";
  EXPECT_THAT(ThroughTheCodec(LineWith(twice)), ::testing::EndsWith("," + twice + "}"));
}

TEST(EventLineTest, CarriageReturnIsWhiteSpace) {
  EXPECT_TRUE(ParseEventLine(LineWith("") + "\r", SeqKey::kRefused).ok());
}

TEST(EventLineTest, ARefusalNamesFieldAndByte) {
  EXPECT_EQ(Reason(R"({"thread_id":5,"run_id":"r","event_type":"x","category":"c"})"),
            "thread_id: 5 is no string at byte 13");
  EXPECT_THAT(Reason(R"({"run_id":"r","event_type":"x","category":"c"})"),
              HasSubstr("thread_id: is missing"));
  EXPECT_THAT(Reason(LineWith(R"("metadata":[])")), HasSubstr("metadata: [] is no object"));
  EXPECT_THAT(Reason(LineWith(R"("user_id":7)")), HasSubstr("user_id: 7 is no string"));
  EXPECT_THAT(Reason(LineWith(R"("user_id":"")")), HasSubstr("user_id"));
  EXPECT_THAT(Reason(LineWith(R"("created_at":"yesterday")")), HasSubstr("created_at: "));
  EXPECT_THAT(Reason(LineWith(R"("created_at":1772438400)")), HasSubstr("is no string"));
  EXPECT_THAT(Reason(LineWith(R"("run_id":"again")")),
              HasSubstr("run_id: stands in the line twice"));
  EXPECT_THAT(Reason(LineWith(R"("content":1,"content":2)")), HasSubstr("content: stands"));
  EXPECT_THAT(Reason(LineWith(R"("seq":3)")), HasSubstr("seq: "));
}

TEST(EventLineTest, ARefusalInsideAValueNamesTheField) {
  EXPECT_THAT(Reason(LineWith(R"("content":{"a":"\ud800"})")),
              HasSubstr("content: lone surrogate"));
  EXPECT_THAT(Reason(LineWith(R"("metadata":{"a":NaN})")), HasSubstr("metadata: "));
  EXPECT_THAT(Reason(LineWith(R"("content":Infinity)")), HasSubstr("content: "));
  EXPECT_THAT(Reason(LineWith("\"content\":\"\xff\"")), HasSubstr("content: invalid UTF-8"));
}

TEST(EventLineTest, WhatIsNoObjectIsRefused) {
  for (const char* line : {"[]", "5", "\"x\"", "null", "", "{", "{}{}", "{} x", "nonsense"}) {
    EXPECT_EQ(Refusal(line).code(), StatusCode::kInvalidArgument) << line;
  }
}

TEST(EventLineTest, Base64IsStrict) {
  const auto reason = [](const std::string& content) {
    return Reason(LineWith("\"content\":" + content + ",\"content_encoding\":\"base64\""));
  };
  for (const char* text : {"\"AP\"", "\"A===\"", "\"AP8\"", "\"AP+=\"", "\"A P8\"", "\"AB==\"",
                           "\"AP8=AP8=\"", "\"====\""}) {
    EXPECT_THAT(reason(text), HasSubstr("content: is no base64")) << text;
  }
  EXPECT_THAT(reason("5"), HasSubstr("content_encoding: needs a content that is a string"));
  EXPECT_THAT(Reason(LineWith(R"("content":"x","content_encoding":"gzip")")),
              HasSubstr("content_encoding: "));
}

TEST(EventLineTest, GivenSeqsAreKeptForImports) {
  const Result<EventLine> line = ParseEventLine(LineWith(R"("seq":12)"), SeqKey::kKept);
  ASSERT_TRUE(line.ok()) << line.status().ToString();
  EXPECT_EQ(line->seq, 12U);
  for (const char* seq : {"0", "-1", "1.0", "\"1\"", "null", "9007199254740992"}) {
    EXPECT_EQ(Refusal(LineWith(std::string("\"seq\":") + seq), SeqKey::kKept).code(),
              StatusCode::kInvalidArgument)
        << seq;
  }
}

}  // namespace
}  // namespace runlog::tools
