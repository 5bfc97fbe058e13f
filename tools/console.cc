#include "tools/console.h"

#include <poll.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace runlog::tools {
namespace {

struct Character {
  char32_t code;
  std::size_t bytes;
};

// Only as much UTF-8 as the characters below need; everything else passes byte by byte.
Character FirstCharacter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) == 0xc2 && text.size() > 1) return {byte(1), 2};
  if (byte(0) == 0xe2 && text.size() > 2) {
    return {0x2000U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU), 3};
  }
  return {byte(0) < 0x80 ? byte(0) : U'?', 1};
}

bool DrivesTerminal(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

ExitCode ExitCodeOf(const Status& status) {
  if (status.ok()) return ExitCode::kDone;
  const bool input =
      status.code() == StatusCode::kInvalidArgument || status.code() == StatusCode::kTooLarge;
  return input ? ExitCode::kUsage : ExitCode::kFailed;
}

std::string EscapeControls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character first = FirstCharacter(text);
    if (DrivesTerminal(first.code)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(first.code));
    } else {
      out += text.substr(0, first.bytes);
    }
    text.remove_prefix(first.bytes);
  }
  return out;
}

Console::Console(int out_fd, int err_fd)
    : out_(out_fd, "stdout"),
      err_(err_fd, "stderr"),
      out_is_terminal_(::isatty(out_fd) == 1),
      err_is_terminal_(::isatty(err_fd) == 1) {}

void Console::PrintLine(std::string_view line) {
  if (out_is_terminal_) {
    ClearProgress();
    out_.Write(EscapeControls(line));
  } else {
    out_.Write(line);
  }
  out_.Write("\n");
}

bool Console::Flush() {
  return out_.Flush().ok();
}

bool Console::ReaderGone() {
  if (out_.reader_gone()) return true;
  pollfd out{out_.fd(), 0, 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

void Console::Say(std::string_view message) {
  const std::lock_guard lock(err_mutex_);
  ClearProgressLocked();
  err_.Write("runlog: ");
  err_.Write(err_is_terminal_ ? EscapeControls(message) : std::string(message));
  err_.Write("\n");
  (void)err_.Flush();
}

ExitCode Console::Fail(const Status& status) {
  (void)out_.Flush();
  Say(status.ToString());
  return ExitCodeOf(status);
}

ExitCode Console::Finish(ExitCode code) {
  ClearProgress();
  const Status flushed = out_.Flush();
  if (flushed.ok() || out_.reader_gone()) return code;
  Say(flushed.ToString());
  return code == ExitCode::kDone ? ExitCode::kFailed : code;
}

void Console::ShowProgress(std::string_view text) {
  if (!err_is_terminal_) return;
  const std::lock_guard lock(err_mutex_);
  err_.Write("\r\x1b[K");
  err_.Write(text);
  (void)err_.Flush();
  progress_shown_ = true;
}

void Console::ClearProgress() {
  const std::lock_guard lock(err_mutex_);
  ClearProgressLocked();
}

void Console::ClearProgressLocked() {
  if (!progress_shown_) return;
  err_.Write("\r\x1b[K");
  (void)err_.Flush();
  progress_shown_ = false;
}

ConsoleStreamBuffer::int_type ConsoleStreamBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(0);
  const char byte = traits_type::to_char_type(character);
  return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
}

std::streamsize ConsoleStreamBuffer::xsputn(const char* bytes, std::streamsize count) {
  std::string_view rest(bytes, static_cast<std::size_t>(count));
  for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
    line_ += rest.substr(0, end);
    console_.PrintLine(line_);
    line_.clear();
    rest.remove_prefix(end + 1);
  }
  line_ += rest;
  return console_.out_status().ok() ? count : 0;
}

}  // namespace runlog::tools
