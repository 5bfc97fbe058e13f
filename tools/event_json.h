// An event as a line of JSON, both ways. tools/README.md, "A line of events".

#ifndef RUNLOG_TOOLS_EVENT_JSON_H_
#define RUNLOG_TOOLS_EVENT_JSON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <runlog/event.h>
#include <runlog/status.h>

namespace runlog::tools {

/// An event that was read from a line; owns what it holds.
struct EventLine {
  std::string thread_id;
  std::optional<std::uint64_t> seq;  // only where given seqs are kept
  std::string run_id;
  std::string event_type;
  std::string category;
  ContentKind content_kind = ContentKind::kAbsent;
  std::string content;
  std::string metadata;
  std::optional<std::string> user_id;
  std::optional<Timestamp> created_at;
  std::string extra;

  std::string state;
  std::optional<std::int64_t> step;
  std::uint32_t segment = 0;
  std::string parent_run_id;
  std::string correlation_id;
  std::string writer;
  std::uint64_t writer_seq = 0;
  bool is_volatile = false;

  std::uint64_t line_number = 0;
  std::size_t line_bytes = 0;

  /// Borrows from this.
  Event event() const;
};

/// Whether a line may carry a seq.
enum class SeqKey { kRefused, kKept };

/// Reads an event from one line and checks it as the store would, so that an append of it is not
/// refused for what it holds. Bytes are counted from 0 at the start of the line.
/// Errors: kInvalidArgument and kTooLarge, naming byte, field and reason.
Result<EventLine> ParseEventLine(std::string_view line, SeqKey seq_key);

/// `event` as one line of JSON. Fields that are not set are left out.
std::string FormatEventLine(const EventView& event);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EVENT_JSON_H_
