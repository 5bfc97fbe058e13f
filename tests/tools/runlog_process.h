// The real `runlog` binary as a child process: what goes in, what comes out, how it ends.

#ifndef RUNLOG_TESTS_TOOLS_RUNLOG_PROCESS_H_
#define RUNLOG_TESTS_TOOLS_RUNLOG_PROCESS_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runlog::tools {

using Arguments = std::vector<std::string>;

/// A run that has ended.
struct Ended {
  int code = -1;  // 128 + signal where one ended it
  std::string out;
  std::string err;

  /// Lines of `out`, without their \n.
  std::vector<std::string> lines() const;
};

/// Runs `runlog ARGUMENTS...` to its end with `input` on stdin.
Ended RunRunlog(const Arguments& arguments, std::string_view input = {});

/// A run that goes on while the test does something else.
class RunlogProcess {
 public:
  explicit RunlogProcess(const Arguments& arguments);
  RunlogProcess(const RunlogProcess&) = delete;
  RunlogProcess& operator=(const RunlogProcess&) = delete;
  /// Kills what still runs.
  ~RunlogProcess();

  /// The next line of stdout; nullopt at its end, or when none came for a long time.
  std::optional<std::string> ReadLine();
  /// Nobody reads stdout any more.
  void CloseOutput();
  void Signal(int number);
  pid_t pid() const { return pid_; }
  /// Waits for the end; what was not read of stdout is in it.
  Ended Wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string buffered_;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TESTS_TOOLS_RUNLOG_PROCESS_H_
