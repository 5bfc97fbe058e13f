// Matchers of Status and Result<T>: EXPECT_OK(store.Sync()), EXPECT_THAT(result,
// FailsWith(StatusCode::kConflict)).

#ifndef RUNLOG_TESTS_SUPPORT_STATUS_MATCHERS_H_
#define RUNLOG_TESTS_SUPPORT_STATUS_MATCHERS_H_

#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <runlog/status.h>

namespace runlog {

inline void PrintTo(const Status& status, std::ostream* out) {
  *out << status.ToString();
}

template <typename T>
void PrintTo(const Result<T>& result, std::ostream* out) {
  *out << (result.ok() ? "a value" : result.status().ToString());
}

inline void PrintTo(StatusCode code, std::ostream* out) {
  *out << StatusCodeName(code);
}

}  // namespace runlog

namespace runlog::testing {

inline const Status& StatusOf(const Status& status) {
  return status;
}
template <typename T>
const Status& StatusOf(const Result<T>& result) {
  return result.status();
}

MATCHER(IsOk, "is OK") {
  *result_listener << StatusOf(arg).ToString();
  return arg.ok();
}

/// An error of this code.
MATCHER_P(FailsWith, code, "fails with " + std::string(StatusCodeName(code))) {
  *result_listener << StatusOf(arg).ToString();
  return !arg.ok() && StatusOf(arg).code() == code;
}

/// An error of this code whose message matches: a string is the whole message, a matcher such as
/// HasSubstr("seq 7") what it says.
MATCHER_P2(FailsWith, code, message, "fails with " + std::string(StatusCodeName(code))) {
  *result_listener << StatusOf(arg).ToString();
  return !arg.ok() && StatusOf(arg).code() == code &&
         ::testing::Matches(message)(std::string(StatusOf(arg).message()));
}

}  // namespace runlog::testing

#define EXPECT_OK(expression) EXPECT_THAT((expression), ::runlog::testing::IsOk())
#define ASSERT_OK(expression) ASSERT_THAT((expression), ::runlog::testing::IsOk())

#endif  // RUNLOG_TESTS_SUPPORT_STATUS_MATCHERS_H_
