// Goal: a dump shows every row of every family on a line of its own, readable and harmless on a
// terminal. Method: a store with a row in each family that an append can fill, and hostile texts.

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/row_text.h"
#include "tests/engine/reading_test.h"

namespace runlog {
namespace {

class DumpTest : public ReadingTest {
 protected:
  std::vector<std::string> Dump() {
    Close();
    std::ostringstream out;
    const auto view = Value(StoreView::Open(folder(), options_));
    const Status dumped = view->Dump(out);
    EXPECT_TRUE(dumped.ok()) << dumped.ToString();
    std::vector<std::string> lines;
    std::istringstream in(out.str());
    for (std::string line; std::getline(in, line, '\n');)
      lines.push_back(line);
    return lines;
  }
  static int Count(const std::vector<std::string>& lines, const std::string& start) {
    int count = 0;
    for (const std::string& line : lines)
      count += line.starts_with(start + " ") ? 1 : 0;
    return count;
  }
};

TEST_F(DumpTest, EveryRowHasALineAndDecodes) {
  Open();
  Sample owned = OfTask("A");
  owned.user = "alice";
  Append({owned, Message(), Sample{.run = "r2"}});
  DeleteRun("r2");
  const std::vector<std::string> lines = Dump();

  EXPECT_EQ(Count(lines, "events"), 3);
  EXPECT_EQ(Count(lines, "threads"), 2);
  EXPECT_EQ(Count(lines, "owners"), 2);
  EXPECT_EQ(Count(lines, "run_index"), 2);
  EXPECT_EQ(Count(lines, "task_index"), 1);
  EXPECT_EQ(Count(lines, "message_index"), 1);
  EXPECT_EQ(Count(lines, "commits"), 2);
  EXPECT_EQ(Count(lines, "hidden"), 1);
  EXPECT_GE(Count(lines, "default"), 1);
  for (const std::string& line : lines) {
    EXPECT_EQ(line.find("does not decode"), std::string::npos) << line;
  }
}

TEST_F(DumpTest, TextsAreEscapedAndCut) {
  Open();
  Sample sample;
  sample.text = "\x1b[2J\n\x7f" + std::string(5000, 'x');
  Append({sample});
  for (const std::string& line : Dump()) {
    for (const char character : line) {
      EXPECT_GE(static_cast<unsigned char>(character), 0x20U) << line;
      EXPECT_NE(character, '\x7f') << line;
    }
    EXPECT_LT(line.size(), 4000U);
    if (line.starts_with("events ")) {
      EXPECT_NE(line.find("\\x1b[2J\\x0a\\x7fxxx"), std::string::npos) << line;
      EXPECT_NE(line.find("...(5006 bytes)"), std::string::npos) << line;
    }
  }
}

TEST(RowTextTest, QuotesKeepCharactersWholeAndShowOtherBytes) {
  EXPECT_EQ(engine::Quote("caf\xc3\xa9"), "\"caf\xc3\xa9\"");
  EXPECT_EQ(engine::Quote("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(engine::Quote("\xff\x41"), "\"\\xffA\"");
  EXPECT_EQ(engine::Quote("\xc2\x9b"), "\"\\xc2\\x9b\"");  // C1
  const std::string cut = engine::Quote(std::string(199, 'x') + "\xc3\xa9");
  EXPECT_EQ(cut, "\"" + std::string(199, 'x') + "\"...(201 bytes)");
  EXPECT_EQ(engine::Hex(std::string("\x00\xff", 2)), "00ff");
}

}  // namespace
}  // namespace runlog
