// The events of a file, line by line.

#ifndef RUNLOG_TOOLS_EVENT_LINES_H_
#define RUNLOG_TOOLS_EVENT_LINES_H_

#include <optional>
#include <string>
#include <utility>

#include <runlog/status.h>

#include "tools/event_json.h"
#include "tools/line_reader.h"

namespace runlog::tools {

class EventLines {
 public:
  /// `path` empty or "-" is stdin. Errors: kNotFound, kIoError.
  static Result<EventLines> Open(const std::string& path, SeqKey seq_key);

  /// The next event, or nullopt at the end.
  /// Errors: kInvalidArgument and kTooLarge for a line that is no event, as "file:line:
  ///         field: reason at byte n"; kIoError.
  Result<std::optional<EventLine>> Next();

  /// For messages.
  const std::string& name() const { return lines_.name(); }

 private:
  EventLines(LineReader lines, SeqKey seq_key) : lines_(std::move(lines)), seq_key_(seq_key) {}
  Status RefuseBlankInside();

  LineReader lines_;
  SeqKey seq_key_;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EVENT_LINES_H_
