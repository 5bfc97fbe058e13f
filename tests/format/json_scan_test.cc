// What is accepted as JSON and what a scan learns. Goal: every text of RFC 8259 up to depth 512
// passes and nothing else does; a refusal names the byte; captures see top-level strings alone.
// Method: tables of texts and exact messages.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/limits.h>
#include <runlog/status.h>

#include "format/json_text.h"

namespace runlog::format {
namespace {

using ::testing::Eq;
using ::testing::Optional;

std::string MessageOf(std::string_view json) {
  const Result<JsonScan> scan = ScanJson("content", json);
  if (scan.ok()) return "accepted";
  EXPECT_EQ(scan.status().code(), StatusCode::kInvalidArgument);
  return std::string(scan.status().message());
}

std::string Repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i)
    repeated += text;
  return repeated;
}

// --- what is JSON --------------------------------------------------------------------------------

TEST(JsonScanTest, EveryLegalTextIsAccepted) {
  const std::vector<std::string> texts = {
      "null",
      "true",
      "false",
      "0",
      "-0",
      "-0.0",
      "1.0",
      "1e400",
      "-1E+400",
      "1E-999",
      "0e0",
      "1180591620717411303424",
      "1e99999999999",
      "-1.5e-99999999999999999999",
      "1e00000000000000000000001",
      "100000000000000000000000e2147483647",
      Repeat("9", 100'000),
      "0." + Repeat("0", 100'000) + "1",
      "1e" + Repeat("9", 100'000),
      R"("")",
      R"("\u0000")",
      R"("\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00")",
      "\"\xe2\x80\xa8\xe2\x80\xa9\xc2\x85\x7f\"",
      "\"\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf\xed\x9f\xbf\"",
      "[]",
      "{}",
      R"({"":""})",
      R"({"a":1,"a":2})",
      R"([1e99999999999,"1e99999999999",{"1e9":1e9}])",
      " \t\r\n{ \"a\" : [ 1 , 2 ] } \t\r\n",
      Repeat("[", 512) + Repeat("]", 512),
      Repeat(R"({"a":)", 512) + "1" + Repeat("}", 512),
      "[" + Repeat(Repeat("[", 511) + Repeat("]", 511) + ",", 3) + "1]",
      "\"" + Repeat("\\u00e9\xc3\xa9", 10'000) + "\"",
  };
  for (const std::string& text : texts) {
    EXPECT_EQ(MessageOf(text), "accepted") << text.substr(0, 80);
  }
}

struct Refused {
  std::string text;
  std::string message;
};

void ExpectRefused(const std::vector<Refused>& cases) {
  for (const Refused& refused : cases) {
    EXPECT_EQ(MessageOf(refused.text), "content: " + refused.message) << refused.text.substr(0, 80);
  }
}

TEST(JsonScanTest, BrokenSyntaxIsRefusedWithItsByte) {
  ExpectRefused({
      {"", "unexpected end at byte 0"},
      {" ", "unexpected end at byte 1"},
      {"nul", "unexpected end at byte 3"},
      {"-", "unexpected end at byte 1"},
      {"1.", "unexpected end at byte 2"},
      {"1e", "unexpected end at byte 2"},
      {"[1", "unexpected end at byte 2"},
      {R"({"a")", "unexpected end at byte 4"},
      {R"("abc)", "unexpected end at byte 4"},
      {R"("\)", "unexpected end at byte 2"},
      {R"("\u12)", "unexpected end at byte 5"},
      {"NaN", "unexpected 'N' at byte 0"},
      {"[Infinity]", "unexpected 'I' at byte 1"},
      {"-Infinity", "unexpected 'I' at byte 1"},
      {"nulx", "unexpected 'n' at byte 0"},
      {"TRUE", "unexpected 'T' at byte 0"},
      {"01", "unexpected '1' behind the value at byte 1"},
      {"-01", "unexpected '1' behind the value at byte 2"},
      {"+1", "unexpected '+' at byte 0"},
      {".5", "unexpected '.' at byte 0"},
      {"1.e5", "unexpected 'e' at byte 2"},
      {"0x10", "unexpected 'x' behind the value at byte 1"},
      {"[1,]", "unexpected ']' at byte 3"},
      {R"({"a":1,})", "unexpected '}' at byte 7"},
      {R"({"a" 1})", "unexpected '1' at byte 5"},
      {"{a:1}", "unexpected 'a' at byte 1"},
      {"{'a':1}", "unexpected ''' at byte 1"},
      {"[1 2]", "unexpected '2' at byte 3"},
      {"[1}", "unexpected '}' at byte 2"},
      {"// no\n1", "unexpected '/' at byte 0"},
      {"[1 /* no */]", "unexpected '/' at byte 3"},
      {"1 // no", "unexpected '/' behind the value at byte 2"},
      {"{} {}", "unexpected '{' behind the value at byte 3"},
      {"null,", "unexpected ',' behind the value at byte 4"},
      {std::string("1\0", 2), "unexpected byte 0x00 behind the value at byte 1"},
      {"[1,\x0b"
       "2]",
       "unexpected byte 0x0b at byte 3"},
      {"\xef\xbb\xbf{}", "byte order mark at byte 0"},
      {"[1e99999999999,]", "unexpected ']' at byte 15"},
      {"1e99999999999x", "unexpected 'x' behind the value at byte 13"},
  });
}

TEST(JsonScanTest, ABrokenStringIsRefusedWithItsByte) {
  ExpectRefused({
      {"\"a\nb\"", "raw control character 0x0a in a string at byte 2"},
      {std::string("\"a\0b\"", 5), "raw control character 0x00 in a string at byte 2"},
      {"{\"a\tb\":1}", "raw control character 0x09 in a string at byte 3"},
      {R"("\x41")", "unknown escape at byte 1"},
      {R"(["ab","\'"])", "unknown escape at byte 7"},
      {R"("\u12G4")", "\\u without four hex digits at byte 1"},
      {R"("\u12")", "\\u without four hex digits at byte 1"},
      {"\"\xff\"", "invalid UTF-8 at byte 1"},
      {"\"a\xc3\"", "invalid UTF-8 at byte 2"},
      {"\"\xe2\x82\"", "invalid UTF-8 at byte 1"},
      {"\"\xe2\x82", "invalid UTF-8 at byte 1"},
      {"\"\xc0\x80\"", "invalid UTF-8 at byte 1"},
      {"\"\xed\xa0\x80\"", "invalid UTF-8 at byte 1"},
      {"\"\xf4\x90\x80\x80\"", "invalid UTF-8 at byte 1"},
      {"{\"\\n\xff\":1}", "invalid UTF-8 at byte 4"},
      {"[\xff]", "invalid UTF-8 at byte 1"},
  });
}

TEST(JsonScanTest, ALoneSurrogateIsRefusedWithItsByte) {
  const std::string room = Repeat("x", 40);  // the parser takes another path near the end
  for (const std::string& tail : {std::string(), room}) {
    ExpectRefused({
        {R"("\ud800)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\udbff)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\udc00)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\uDFFF)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\udc00\ud800)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\ud800\ud800)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\ud800\u0041)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\ud800\n)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\ud800 \udc00)" + tail + "\"", "lone surrogate at byte 1"},
        {R"("\ud83d\ude00\ude00)" + tail + "\"", "lone surrogate at byte 13"},
        {R"("\ud83d\ude00\ud83d)" + tail + "\"", "lone surrogate at byte 13"},
        {R"({"text":"a quote \" \ud800)" + tail + "\"}", "lone surrogate at byte 20"},
        {R"({"\udead)" + tail + "\":1}", "lone surrogate at byte 2"},
        {R"(["\\ud800","\ud800)" + tail + "\"]", "lone surrogate at byte 12"},
    });
  }
  ExpectRefused({{R"("\ud800)", "unexpected end at byte 7"},
                 {R"("\ud800\ude)", "unexpected end at byte 11"}});
}

TEST(JsonScanTest, DepthIsCountedOverArraysAndObjects) {
  const std::string opening = Repeat(R"([{"a":)", 256);
  const std::string closing = Repeat("}]", 256);
  EXPECT_EQ(MessageOf(opening + "1" + closing), "accepted");
  EXPECT_EQ(MessageOf(opening + "[]" + closing),
            "content: nested deeper than 512 at byte " + std::to_string(opening.size()));
  EXPECT_EQ(MessageOf(Repeat("[", 1'000'000)), "content: nested deeper than 512 at byte 512");
}

// --- what a scan learns --------------------------------------------------------------------------

TEST(JsonScanTest, AScanNamesTheType) {
  const auto type_of = [](std::string_view json) { return ScanJson("content", json)->type; };
  EXPECT_EQ(type_of("null"), JsonType::kNull);
  EXPECT_EQ(type_of("true"), JsonType::kBool);
  EXPECT_EQ(type_of(" false"), JsonType::kBool);
  EXPECT_EQ(type_of("-1"), JsonType::kNumber);
  EXPECT_EQ(type_of("7"), JsonType::kNumber);
  EXPECT_EQ(type_of("\n\"\""), JsonType::kString);
  EXPECT_EQ(type_of("[{}]"), JsonType::kArray);
  EXPECT_EQ(type_of("{\"a\":[]}"), JsonType::kObject);
}

TEST(JsonScanTest, AScanSeesLineBreaksBetweenTokensOnly) {
  const auto has_line_break = [](std::string_view json) {
    return ScanJson("content", json)->has_line_break;
  };
  EXPECT_TRUE(has_line_break("[1,\n2]"));
  EXPECT_TRUE(has_line_break("1\r"));
  EXPECT_FALSE(has_line_break("[1,\t 2]"));
  EXPECT_FALSE(has_line_break(R"("a\nb\r")"));
}

std::optional<std::string> Captured(std::string_view json, std::string_view key) {
  std::vector<MemberCapture> captures = {{.key = "other"}, {.key = key, .value = "stale"}};
  EXPECT_TRUE(ScanJson("metadata", json, captures).ok()) << json;
  return captures[1].value;
}

TEST(JsonScanTest, AStringMemberIsCaptured) {
  EXPECT_THAT(Captured(R"({"a":1,"task_id":"t1","b":{}})", "task_id"), Optional(Eq("t1")));
  EXPECT_THAT(Captured(R"({"task_id":""})", "task_id"), Optional(Eq("")));
  EXPECT_THAT(Captured(R"({"task_id":"a\u0000\ud83d\ude00\n"})", "task_id"),
              Optional(Eq(std::string("a\0\xf0\x9f\x98\x80\n", 7))));
  EXPECT_THAT(Captured(R"({"t\u0061sk_\u0069d":"t1"})", "task_id"), Optional(Eq("t1")));
  const std::string text = Repeat("\xc3\xa9x", 5'000);
  EXPECT_THAT(Captured("{\"task_id\":\"\\n" + text + "\\t\"}", "task_id"),
              Optional(Eq("\n" + text + "\t")));
  EXPECT_THAT(Captured(R"({"big":1e99999999999,"task_id":"1e99999999999"})", "task_id"),
              Optional(Eq("1e99999999999")));
}

TEST(JsonScanTest, OfDuplicateKeysTheLastIsCaptured) {
  EXPECT_THAT(Captured(R"({"task_id":"first","task_id":"second"})", "task_id"),
              Optional(Eq("second")));
  EXPECT_EQ(Captured(R"({"task_id":"first","task_id":7})", "task_id"), std::nullopt);
  EXPECT_EQ(Captured(R"({"task_id":"first","task_id":null})", "task_id"), std::nullopt);
  EXPECT_EQ(Captured(R"({"task_id":"first","task_id":["x"]})", "task_id"), std::nullopt);
  EXPECT_EQ(Captured(R"({"task_id":"first","task_id":{"task_id":"x"}})", "task_id"), std::nullopt);
  EXPECT_THAT(Captured(R"({"task_id":{"task_id":"x"},"task_id":"last"})", "task_id"),
              Optional(Eq("last")));
}

TEST(JsonScanTest, OnlyTopLevelMembersOfAnObjectAreCaptured) {
  EXPECT_EQ(Captured(R"({"a":{"task_id":"deep"}})", "task_id"), std::nullopt);
  EXPECT_EQ(Captured(R"({"a":[{"task_id":"deep"}],"b":"task_id"})", "task_id"), std::nullopt);
  EXPECT_EQ(Captured(R"([{"task_id":"deep"}])", "task_id"), std::nullopt);
  EXPECT_EQ(Captured(R"("task_id")", "task_id"), std::nullopt);
  EXPECT_EQ(Captured(R"({"task_id2":"x","task":"y"})", "task_id"), std::nullopt);
}

}  // namespace
}  // namespace runlog::format
