// A benchmark whose result is wrong measures nothing: it says so and ends the program.

#ifndef RUNLOG_BENCHMARKS_SUPPORT_CHECK_H_
#define RUNLOG_BENCHMARKS_SUPPORT_CHECK_H_

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <rocksdb/status.h>

#include <runlog/status.h>

namespace runlog::bench {

[[noreturn]] inline void Fail(std::string_view what) {
  std::fprintf(stderr, "wrong result: %.*s\n", static_cast<int>(what.size()), what.data());
  // Workers may still be running: no destructors.
  std::_Exit(1);
}

inline void Check(bool holds, std::string_view what) {
  if (!holds) Fail(what);
}

inline void Check(const Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

inline void Check(const rocksdb::Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

/// The value, or the end of the program.
template <typename T>
T Take(Result<T> result) {
  Check(result.status());
  return std::move(result).value();
}

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_SUPPORT_CHECK_H_
