// A buffered writer over a file descriptor that remembers its first failure.

#ifndef RUNLOG_TOOLS_FD_WRITER_H_
#define RUNLOG_TOOLS_FD_WRITER_H_

#include <string>
#include <string_view>

#include <runlog/status.h>

namespace runlog::tools {

/// Writes go to a buffer, and to the descriptor when it is full or flushed. After a failure
/// everything is dropped. Requires: SIGPIPE is ignored.
class FdWriter {
 public:
  /// Does not own `fd`. `name` is for messages.
  FdWriter(int fd, std::string name);

  void Write(std::string_view bytes);
  Status Flush();

  /// The first failure, or OK.
  const Status& status() const { return status_; }
  /// The failure was that nobody reads the pipe any more.
  bool reader_gone() const { return reader_gone_; }
  int fd() const { return fd_; }

 private:
  void WriteOut(std::string_view bytes);

  int fd_;
  std::string name_;
  std::string buffer_;
  Status status_;
  bool reader_gone_ = false;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_FD_WRITER_H_
