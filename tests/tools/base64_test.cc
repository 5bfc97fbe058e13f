// Goal: bytes come back from base64 as they went in. Method: the vectors of RFC 4648 section 10,
// and every length of bytes of every value.

#include "tools/base64.h"

#include <string>

#include <gtest/gtest.h>

namespace runlog::tools {
namespace {

TEST(Base64Test, TheVectorsOfTheRfc) {
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foo"), "Zm9v");
  EXPECT_EQ(EncodeBase64("foob"), "Zm9vYg==");
  EXPECT_EQ(EncodeBase64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
}

TEST(Base64Test, EveryByteComesBack) {
  std::string bytes;
  for (int byte = 0; byte < 600; ++byte) {
    EXPECT_EQ(DecodeBase64(EncodeBase64(bytes)), bytes);
    bytes += static_cast<char>(byte * 7);
  }
}

TEST(Base64Test, OnlyTheOneSpellingIsTaken) {
  EXPECT_EQ(DecodeBase64(""), "");
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zg==\n", "Zm9vZg=v", "=Zg=", "Zm-_"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace runlog::tools
