// What is done with valid JSON text. Goal: compacting, decoding, writing and splitting change no
// meaning and no spelling. Method: tables, and seeded mutations of valid texts that are refused or
// mean the same afterwards.

#include "format/json_text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/status.h>

#include "tests/support/seeded_random.h"

namespace runlog::format {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

// --- rewriting -----------------------------------------------------------------------------------

TEST(JsonTextTest, CompactingTakesWhiteSpaceBetweenTokensOnly) {
  EXPECT_EQ(CompactJson("\t{ \"a b\" :\r\n[ 1 , \"x \\\" , y\" ] }\n"),
            R"({"a b":[1,"x \" , y"]})");
  EXPECT_EQ(CompactJson(" -1.50E+007 "), "-1.50E+007");
  EXPECT_EQ(CompactJson(R"(["\\", "\\\"", " "])"), R"(["\\","\\\""," "])");
  EXPECT_EQ(CompactJson("null"), "null");
}

TEST(JsonTextTest, AStringLiteralDecodesToWhatItSpells) {
  EXPECT_EQ(DecodeJsonString(R"("")"), "");
  EXPECT_EQ(DecodeJsonString(" \n\"plain\"\t "), "plain");
  EXPECT_EQ(DecodeJsonString(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(DecodeJsonString(R"("a\u0000b")"), std::string("a\0b", 3));
  EXPECT_EQ(DecodeJsonString(R"("\u007f\u0080\u07ff\u0800\uffff\uD7FF\ue000")"),
            "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xed\x9f\xbf\xee\x80\x80");
  EXPECT_EQ(DecodeJsonString(R"("\ud800\udc00|\udbff\udfff")"),
            "\xf0\x90\x80\x80|\xf4\x8f\xbf\xbf");
}

TEST(JsonTextTest, TextIsWrittenWithNoMoreEscapesThanNeeded) {
  const auto literal = [](std::string_view text) {
    std::string out = "x:";
    AppendJsonString(out, text);
    return out;
  };
  EXPECT_EQ(literal(""), R"(x:"")");
  EXPECT_EQ(literal("\"\\/\b\f\n\r\t"), R"(x:"\"\\/\b\f\n\r\t")");
  EXPECT_EQ(literal(std::string("\0\x01\x1f\x7f", 4)), "x:\"\\u0000\\u0001\\u001f\x7f\"");
  EXPECT_EQ(literal("\xe2\x80\xa8\xf0\x9f\x98\x80\xc2\x85"),
            "x:\"\xe2\x80\xa8\xf0\x9f\x98\x80\xc2\x85\"");
}

TEST(JsonTextTest, WrittenTextDecodesToItself) {
  std::string text;
  for (unsigned byte = 0; byte < 0x80; ++byte)
    text.push_back(static_cast<char>(byte));
  text += "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\\u0041\\";
  std::string literal;
  AppendJsonString(literal, text);
  EXPECT_TRUE(ScanJson("content", literal).ok());
  EXPECT_EQ(DecodeJsonString(literal), text);
}

// --- splitting -----------------------------------------------------------------------------------

struct Piece {
  std::string key;
  std::string value;
  std::size_t offset;
  bool operator==(const Piece&) const = default;
};

std::vector<Piece> Split(std::string_view json) {
  const Result<std::vector<JsonMember>> members = SplitJsonObject("line", json);
  EXPECT_TRUE(members.ok()) << members.status().ToString();
  std::vector<Piece> pieces;
  for (const JsonMember& member : *members) {
    EXPECT_EQ(member.value.data(), json.data() + member.offset) << "a slice, not a copy";
    pieces.push_back({member.key, std::string(member.value), member.offset});
  }
  return pieces;
}

TEST(JsonTextTest, AnObjectSplitsIntoItsMembersAsTheyStand) {
  EXPECT_THAT(Split(R"({"b":1.0,"a":"x\"}","b":{"c":["}",{}]},"":null})"),
              ElementsAre(Piece{"b", "1.0", 5}, Piece{"a", R"("x\"}")", 13},
                          Piece{"b", R"({"c":["}",{}]})", 24}, Piece{"", "null", 42}));
  EXPECT_THAT(Split(" { \"\\u0061\\n\" : 1e400 , \"b\"\n:\r[ 1 , 2 ]\t} "),
              ElementsAre(Piece{"a\n", "1e400", 16}, Piece{"b", "[ 1 , 2 ]", 30}));
  EXPECT_THAT(Split("{ }"), ElementsAre());
  EXPECT_THAT(Split(R"({"a":true })"), ElementsAre(Piece{"a", "true", 5}));
}

TEST(JsonTextTest, OnlyAnObjectSplits) {
  const auto message = [](std::string_view json) {
    const Result<std::vector<JsonMember>> members = SplitJsonObject("line", json);
    return members.ok() ? "split" : members.status().ToString();
  };
  EXPECT_EQ(message(" [1]"), "kInvalidArgument: line: not a JSON object at byte 1");
  EXPECT_EQ(message("null"), "kInvalidArgument: line: not a JSON object at byte 0");
  EXPECT_EQ(message(R"({"a":1)"), "kInvalidArgument: line: unexpected end at byte 6");
  EXPECT_EQ(message(""), "kInvalidArgument: line: unexpected end at byte 0");
}

// --- mutations -----------------------------------------------------------------------------------

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string Mutate() {
    std::string text = kSeeds[random_.Below(std::size(kSeeds))];
    for (std::uint64_t changes = random_.Below(4); changes > 0; --changes)
      Change(text);
    return text;
  }

 private:
  void Change(std::string& text) {
    const std::size_t at = random_.Below(text.size() + 1);
    switch (random_.Below(5)) {
      case 0:
        text.insert(at, kTokens[random_.Below(std::size(kTokens))]);
        break;
      case 1:
        text.erase(at, random_.Below(4));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random_.Below(256));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        text.insert(at, text.substr(random_.Below(text.size() + 1), random_.Below(30)));
    }
  }

  static constexpr const char* kSeeds[] = {
      R"({"type":"ai","content":[{"a":1.0,"b":-0,"c":1e400}],"k":"\u0000\ud83d\ude00"})",
      "{ \"a\" : [ ] ,\r\n \"a\" : { \"b\" : \"\xc3\xa9\xe2\x80\xa8\" } }\n",
      R"([1E+5,0.1,10,-123456789012345678901234567890.5e33333333333,"e9"])",
      R"({"\ud800\udc00":"\\\"","":[true,false,null]})",
      "[\"\xf0\x9f\x98\x80\xf0\x9f\x98\x80 long enough for sixteen bytes at once\\n\",[[[[]]]]]",
  };
  static constexpr const char* kTokens[] = {"{",           "}",
                                            "[",           "]",
                                            ",",           ":",
                                            "\"",          "\\",
                                            "\\u",         "\\ud800",
                                            "\\udc00",     "0",
                                            "-",           "1e",
                                            ".",           "null",
                                            " ",           "\n",
                                            "\t",          "/",
                                            "\x1f",        "\xc3",
                                            "\xa9",        "NaN",
                                            "\"k\":",      "1e99999999999",
                                            "\xed\xa0\x80"};

  testing::SeededRandom random_;
};

void ExpectSameMembers(std::string_view json, std::string_view compact) {
  const Result<std::vector<JsonMember>> before = SplitJsonObject("before", json);
  const Result<std::vector<JsonMember>> after = SplitJsonObject("after", compact);
  ASSERT_TRUE(before.ok() && after.ok());
  ASSERT_EQ(before->size(), after->size());
  for (std::size_t i = 0; i < before->size(); ++i) {
    EXPECT_EQ((*before)[i].key, (*after)[i].key);
    EXPECT_EQ(CompactJson((*before)[i].value), (*after)[i].value);
  }
}

TEST(JsonTextTest, MutatedTextsAreRefusedOrKeepTheirMeaning) {
  constexpr std::uint64_t kSeed = 20'240'611;
  Mutator mutator(kSeed);
  std::size_t accepted = 0;
  std::size_t objects = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string json = mutator.Mutate();
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " round " + std::to_string(round));
    std::vector<MemberCapture> captures = {{.key = "a"}, {.key = "k"}};
    const Result<JsonScan> scan = ScanJson("content", json, captures);
    if (!scan.ok()) {
      EXPECT_THAT(std::string(scan.status().message()), MatchesRegex("content: .* at byte [0-9]+"));
      continue;
    }
    ++accepted;
    const std::string compact = CompactJson(json);
    const Result<JsonScan> again = ScanJson("content", compact);
    ASSERT_TRUE(again.ok()) << json;
    EXPECT_EQ(again->type, scan->type);
    EXPECT_FALSE(again->has_line_break);
    if (scan->type != JsonType::kObject) continue;
    ++objects;
    ExpectSameMembers(json, compact);
  }
  EXPECT_GT(accepted, 4'000U);
  EXPECT_GT(objects, 2'000U);
}

TEST(JsonTextTest, AFaultInsideAMemberIsSaidWithItsNameAndItsPlaceInTheInput) {
  const auto reason = [](std::string_view json) {
    return std::string(SplitJsonObject("line", json).status().message());
  };
  EXPECT_EQ(reason(R"({"a": 1, "b": {"c": "\ud800"}})"), "line.b: lone surrogate at byte 21");
  EXPECT_EQ(reason(R"({"a":NaN})"), "line.a: unexpected 'N' at byte 5");
  EXPECT_EQ(reason(R"({"a":[1,2})"), "line.a: unexpected '}' at byte 9");
  EXPECT_EQ(reason("{\"a\":\"\xff\"}"), "line.a: invalid UTF-8 at byte 6");
  EXPECT_EQ(reason(R"({"a":)"), "line: unexpected end at byte 5");
  EXPECT_EQ(reason(R"({"a":1 "b":2})"), "line: unexpected '\"' at byte 7");
  EXPECT_EQ(reason(R"({"\ud800":1})"), "line: lone surrogate at byte 2");
  EXPECT_EQ(reason("[NaN]"), "line: unexpected 'N' at byte 1");
}

}  // namespace
}  // namespace runlog::format
