// Goal: a status keeps its code and message, and codes have the names the API, the command line and
// the server share.

#include <set>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/status.h>

#include "tests/support/status_matchers.h"

namespace runlog {
namespace {

using runlog::testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kCodes = 19;

TEST(StatusTest, SuccessHasNoMessageAndIsOk) {
  const Status status;
  EXPECT_OK(status);
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.ToString(), "OK");
  EXPECT_TRUE(status.nothing_written());
}

TEST(StatusTest, FailureKeepsCodeAndMessage) {
  const Status status(StatusCode::kTooLarge, "run_id has 300 bytes, limit 256");
  EXPECT_THAT(status, FailsWith(StatusCode::kTooLarge, HasSubstr("300")));
  EXPECT_THAT(status, Not(FailsWith(StatusCode::kConflict)));
  EXPECT_EQ(status.ToString(), "kTooLarge: run_id has 300 bytes, limit 256");
}

TEST(StatusTest, CopiesAreIndependent) {
  Status first(StatusCode::kConflict, "one");
  Status second = first;
  first = Status(StatusCode::kGone, "two");
  EXPECT_THAT(second, FailsWith(StatusCode::kConflict, "one"));
  second = first;
  EXPECT_THAT(second, FailsWith(StatusCode::kGone, "two"));
  second = Status();
  EXPECT_OK(second);
  EXPECT_THAT(first, FailsWith(StatusCode::kGone, "two"));
}

TEST(StatusTest, AssignmentToItselfChangesNothing) {
  Status status(StatusCode::kConflict, "one");
  const Status& same = status;
  status = same;
  EXPECT_THAT(status, FailsWith(StatusCode::kConflict, "one"));
}

TEST(StatusTest, OnlyAnUnknownOutcomeMayHaveWritten) {
  for (int code = 1; code < kCodes; ++code) {
    const auto status_code = static_cast<StatusCode>(code);
    EXPECT_EQ(Status(status_code, "x").nothing_written(), status_code != StatusCode::kUnknown);
  }
}

TEST(StatusCodeNameTest, EveryCodeHasItsOwn) {
  std::set<std::string_view> names;
  for (int code = 0; code < kCodes; ++code) {
    const std::string_view name = StatusCodeName(static_cast<StatusCode>(code));
    EXPECT_THAT(std::string(name), ::testing::MatchesRegex("k[A-Z][A-Za-z]+"));
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
  }
  EXPECT_EQ(StatusCodeName(StatusCode::kClosed), "kClosed");
  EXPECT_EQ(static_cast<int>(StatusCode::kClosed), kCodes - 1);
}

TEST(StatusCodeNameTest, ANumberThatIsNoCodeHasNone) {
  EXPECT_EQ(StatusCodeName(static_cast<StatusCode>(200)), "(no status code)");
}

TEST(ResultTest, HoldsAValueOrTheReasonThereIsNone) {
  Result<std::string> value = std::string("v");
  EXPECT_OK(value);
  EXPECT_EQ(*value, "v");
  EXPECT_EQ(value->size(), 1U);
  EXPECT_EQ(*std::move(value), "v");
  const Result<std::string> none = Status(StatusCode::kNotFound, "no such run");
  EXPECT_THAT(none, FailsWith(StatusCode::kNotFound, "no such run"));
}

}  // namespace
}  // namespace runlog
