// Lines of a file or of stdin, split at \n only, in bounded memory.

#ifndef RUNLOG_TOOLS_LINE_READER_H_
#define RUNLOG_TOOLS_LINE_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <runlog/status.h>

namespace runlog::tools {

/// The largest event as JSON: 16 MiB of content and as much metadata, in characters that take six
/// bytes each as escapes, and room for the rest of its envelope.
inline constexpr std::size_t kLineBytesMax = std::size_t{200} << 20;

class LineReader {
 public:
  /// `path` empty or "-" is stdin. `line_bytes_max` bounds a line and so the memory.
  /// Errors: kNotFound, kIoError.
  static Result<LineReader> Open(const std::string& path,
                                 std::size_t line_bytes_max = kLineBytesMax);
  LineReader(LineReader&& other) noexcept;
  LineReader& operator=(LineReader&&) = delete;
  ~LineReader();

  /// The next line without its \n, or nullopt at the end. The last line needs no \n. The view is
  /// good until the next call.
  /// Errors: kTooLarge for a line over the limit, kIoError.
  Result<std::optional<std::string_view>> Next();

  /// Of the line that Next returned last, from 1.
  std::uint64_t line_number() const { return line_number_; }
  /// For messages.
  const std::string& name() const { return name_; }

 private:
  LineReader(int fd, std::string name, std::size_t line_bytes_max);
  // Reads more behind what is buffered; false at the end.
  Result<bool> Fill();

  int fd_;
  std::string name_;
  std::size_t line_bytes_max_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what was not returned yet
  std::uint64_t line_number_ = 0;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_LINE_READER_H_
