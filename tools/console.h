// stdout for data, stderr for people.

#ifndef RUNLOG_TOOLS_CONSOLE_H_
#define RUNLOG_TOOLS_CONSOLE_H_

#include <mutex>
#include <streambuf>
#include <string>
#include <string_view>

#include <runlog/status.h>

#include "tools/exit_code.h"
#include "tools/fd_writer.h"

namespace runlog::tools {

/// Where a command's answers and messages go. One worker at a time; Say from any.
class Console {
 public:
  Console(int out_fd, int err_fd);

  /// A line of data. On a terminal, characters that could drive it are escaped as JSON escapes.
  void PrintLine(std::string_view line);
  /// Hands what was printed to whoever reads it. False when there is no use in printing more.
  bool Flush();
  /// Whether nobody reads stdout any more: a quiet end for a reading command. Asks the descriptor,
  /// so it also answers while nothing is printed.
  bool ReaderGone();
  /// The first failure of stdout, OK when there was none.
  const Status& out_status() const { return out_.status(); }

  /// A message for people, one line.
  void Say(std::string_view message);
  /// Says what went wrong; the exit code that belongs to it.
  ExitCode Fail(const Status& status);
  /// Flushes. Turns a `code` of success into a failure when stdout did not take everything, but for
  /// a reader that had enough.
  ExitCode Finish(ExitCode code);

  /// A line that replaces the one before, on a terminal only.
  void ShowProgress(std::string_view text);

  bool out_is_terminal() const { return out_is_terminal_; }
  bool err_is_terminal() const { return err_is_terminal_; }

 private:
  void ClearProgress();
  void ClearProgressLocked();

  FdWriter out_;
  std::mutex err_mutex_;  // guards err_ and progress_shown_
  FdWriter err_;
  bool out_is_terminal_;
  bool err_is_terminal_;
  bool progress_shown_ = false;
};

/// `text` with C0 controls, DEL, C1 controls, line separators and direction overrides spelled
/// \uXXXX. In a line of JSON these stand inside strings only, so the line stays the same JSON.
std::string EscapeControls(std::string_view text);

/// Turns what a std::ostream writes into lines of a console.
class ConsoleStreamBuffer : public std::streambuf {
 public:
  explicit ConsoleStreamBuffer(Console& console) : console_(console) {}

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  Console& console_;
  std::string line_;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_CONSOLE_H_
