// runlog/event.h - one event: as a producer gives it (Event) and as a reader gets it (EventView).
//
// The envelope is the one of the DeerFlow run event stream, with the fields of AFK's AgentRunEvent
// that deserve to be more than JSON. Unknown top-level fields travel in `extra`.

#ifndef RUNLOG_EVENT_H_
#define RUNLOG_EVENT_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <runlog/export.h>
#include <runlog/status.h>

namespace runlog {

/// A moment, in microseconds since the Unix epoch, UTC. Range: years 1 to 9999.
struct Timestamp {
  std::int64_t microseconds = 0;
  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
};

/// Parses the ISO-8601 forms that Python's datetime.fromisoformat (3.11) reads: offsets, `Z`, basic
/// form, date only, week dates, any separator, `,` before the fraction. A time without a zone is
/// UTC; digits past the sixth are cut.
/// Errors: kInvalidArgument, with the text and what is wrong with it.
/// Source: the DeerFlow record envelope, `created_at`.
RUNLOG_EXPORT Result<Timestamp> ParseTimestamp(std::string_view text);

/// `YYYY-MM-DDTHH:MM:SS[.ffffff]+00:00`; the fraction is left out when it is zero.
RUNLOG_EXPORT std::string FormatTimestamp(Timestamp at);

/// What the bytes of a content are. Values are on disk: never renumber.
enum class ContentKind : std::uint8_t {
  kAbsent = 0,  ///< The event has no content: not the same as null, "null" or "".
  kText = 1,    ///< A string: UTF-8, decoded, any character including NUL.
  kJson = 2,    ///< Any JSON value but a string, as JSON text.
  kBytes = 3,   ///< Opaque bytes.
};

/// A content and its kind. Borrows `bytes`.
struct Content {
  ContentKind kind = ContentKind::kAbsent;
  std::string_view bytes;

  static Content Absent() { return {}; }
  static Content Text(std::string_view utf8) { return {ContentKind::kText, utf8}; }
  /// `json` may be any JSON value; a JSON string is stored as the text it spells.
  static Content Json(std::string_view json) { return {ContentKind::kJson, json}; }
  static Content Bytes(std::string_view bytes) { return {ContentKind::kBytes, bytes}; }
};

/// One event to append. Borrows everything; the store copies before a call returns.
/// Limits: runlog/limits.h. The store assigns seq; the thread is an argument of the append.
struct Event {
  std::string_view run_id;
  std::string_view event_type;
  std::string_view category;
  Content content;
  std::string_view metadata;                ///< JSON object; empty means `{}`.
  std::optional<std::string_view> user_id;  ///< The owner; absent means none.
  std::optional<Timestamp> created_at;      ///< Absent: the store's clock when it is encoded.
  std::string_view extra;                   ///< JSON object of unknown top-level fields, or empty.

  std::string_view state;            ///< AFK run state, or empty.
  std::optional<std::int64_t> step;  ///< AFK step; null and 0 differ.
  std::uint32_t segment = 0;         ///< AFK execution segment; 0 is not given.
  std::string_view parent_run_id;
  std::string_view correlation_id;
  std::string_view writer;  ///< Who wrote it, and that writer's own counter.
  std::uint64_t writer_seq = 0;
  bool is_volatile = false;  ///< May be folded away once the run's record holds it.
};

/// A stored event. Borrows the value it was decoded from.
///
/// Lifetime: as long as the Page, TailBatch or buffer that handed it out.
/// Concurrency: immutable; any worker.
class RUNLOG_EXPORT EventView {
 public:
  EventView() = default;

  std::uint64_t seq() const { return seq_; }
  std::uint64_t commit() const { return commit_; }
  std::string_view thread_id() const;
  std::string_view run_id() const;
  std::string_view event_type() const;
  std::string_view category() const;
  Content content() const;
  std::string_view metadata() const;  ///< JSON object text; `{}` if none was given.
  std::optional<std::string_view> user_id() const;
  Timestamp created_at() const;
  std::string_view extra() const;  ///< JSON object text, or empty.

  std::string_view task_id() const;  ///< metadata.task_id where it is a string, else empty.
  std::string_view caller() const;   ///< metadata.caller where it is a string, else empty.
  std::string_view state() const;
  std::optional<std::int64_t> step() const;
  std::uint32_t segment() const;
  std::string_view parent_run_id() const;
  std::string_view correlation_id() const;
  std::string_view writer() const;
  std::uint64_t writer_seq() const;
  bool is_volatile() const;

  /// The stored bytes: what digests and archives are made of.
  std::string_view body() const { return {body_, body_size_}; }

 private:
  friend class EventDecoder;
  const char* body_ = nullptr;
  std::size_t body_size_ = 0;
  std::uint64_t seq_ = 0;
  std::uint64_t commit_ = 0;
};

}  // namespace runlog

#endif  // RUNLOG_EVENT_H_
