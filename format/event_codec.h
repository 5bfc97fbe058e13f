// Event -> stored bytes, and back. FORMAT.md, "Event value".

#ifndef RUNLOG_FORMAT_EVENT_CODEC_H_
#define RUNLOG_FORMAT_EVENT_CODEC_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <runlog/event.h>
#include <runlog/limits.h>
#include <runlog/status.h>

#include "format/checksum.h"
#include "format/keys.h"
#include "format/numbers.h"

namespace runlog::format {

// --- class byte ----------------------------------------------------------------------------------
enum class CategoryCode : std::uint8_t {
  kOther = 0,
  kMessage = 1,
  kTrace = 2,
  kOutputs = 3,
  kError = 4,
  kMiddleware = 5,
  kContext = 6,
  kSubagent = 7,
  kWorkspace = 8,
};
enum class CallerClass : std::uint8_t { kPlain = 0, kMiddleware = 1, kSubagentAi = 2 };

/// The code of a category name; kOther where it has none of its own.
CategoryCode CategoryCodeOf(std::string_view category);

/// What pages and filters know of an event without reading it.
class EventClass {
 public:
  constexpr EventClass() = default;
  constexpr explicit EventClass(std::uint8_t byte) : byte_(byte) {}
  constexpr EventClass(CategoryCode category, CallerClass caller, bool ai_response,
                       bool is_volatile)
      : byte_(static_cast<std::uint8_t>(
            static_cast<unsigned>(category) | static_cast<unsigned>(caller) << 4U |
            static_cast<unsigned>(ai_response) << 6U | static_cast<unsigned>(is_volatile) << 7U)) {}
  constexpr std::uint8_t byte() const { return byte_; }
  constexpr CategoryCode category() const { return static_cast<CategoryCode>(byte_ & 0x0fU); }
  constexpr CallerClass caller() const { return static_cast<CallerClass>(byte_ >> 4U & 0x03U); }
  constexpr bool ai_response() const { return (byte_ & 0x40U) != 0; }
  constexpr bool is_volatile() const { return (byte_ & 0x80U) != 0; }
  constexpr bool message() const { return category() == CategoryCode::kMessage; }
  /// Rule H of the DeerFlow contract: left out of a thread's history.
  constexpr MessageVisibility visibility() const {
    return caller() == CallerClass::kPlain ? MessageVisibility::kVisible
                                           : MessageVisibility::kHidden;
  }
  friend constexpr bool operator==(EventClass, EventClass) = default;

 private:
  std::uint8_t byte_ = 0;
};

// --- encode --------------------------------------------------------------------------------------

/// What an event does to its run's state: FORMAT.md, RunRecord.
struct RunTransition {
  enum class Kind : std::uint8_t { kNone = 0, kStarts = 1, kEnds = 2 };
  Kind kind = Kind::kNone;
  std::string status;  // of kEnds
};

/// Every event type that can start or end a run.
inline constexpr std::array<std::string_view, 7> kTransitionTypes = {
    "run.start",  "run.terminal",    "run_started",  "run_completed",
    "run_failed", "run_interrupted", "run_cancelled"};

/// What an event of this type and content does to its run's state.
RunTransition TransitionOf(std::string_view event_type, const Content& content);

/// An event that was checked and encoded. R, U, commit and seq are still to be given.
struct EncodedEvent {
  EncodedEvent() = default;
  EncodedEvent(EncodedEvent&&) = default;
  EncodedEvent& operator=(EncodedEvent&&) = default;

  std::string body;  // FlatBuffer; too long to lie inside the string object
  std::uint64_t body_hash = 0;
  std::int64_t created_at_us = 0;
  EventClass event_class;
  ContentKind content_kind = ContentKind::kAbsent;
  std::string_view run_id, event_type, user_id, task_id;  // in body, wherever it is moved
  bool has_owner = false;
  bool is_volatile = false;
  RunTransition transition;

  std::size_t value_bytes() const;  // header and body
};

/// Checks `event` against limits, UTF-8 and JSON rules and encodes it.
/// `now` is used where the event has no created_at.
/// Errors: kInvalidArgument or kTooLarge, naming the field, its value or size, and the limit.
Result<EncodedEvent> EncodeEvent(std::string_view thread_id, const Event& event, Timestamp now,
                                 const Limits& limits);

/// kInvalidArgument unless `id` is 1 to 256 bytes of UTF-8 without control characters.
Status CheckId(std::string_view field, std::string_view id);

/// XXH3-128 of the fields as the caller gave them: the idempotency digest of one event. Two events
/// that differ in any field differ; created_at counts only if it was given. Combine several by
/// their order.
Digest128 RequestDigest(std::string_view thread_id, const Event& event);

// --- header --------------------------------------------------------------------------------------
inline constexpr std::size_t kEventHeaderBytes = 40;
using EventHeaderBytes = std::array<char, kEventHeaderBytes>;

struct EventHeader {
  ContentKind content_kind = ContentKind::kAbsent;
  bool is_volatile = false;
  bool redacted = false;
  EventClass event_class;
  RunNumber run{};
  OwnerNumber owner{};
  std::uint32_t body_bytes = 0;
  std::uint64_t commit = 0;
  std::uint64_t body_hash = 0;
  friend bool operator==(const EventHeader&, const EventHeader&) = default;
};

/// The header of an encoded event that got its numbers.
EventHeader HeaderOf(const EncodedEvent& event, RunNumber run, OwnerNumber owner,
                     std::uint64_t commit);

/// The 40 bytes in front of the body, seal hash included.
EventHeaderBytes EncodeEventHeader(const EventHeader& header, const EventKey& key,
                                   std::string_view thread_id);

/// Parses a header without checking a hash; for filters on R, U and class before the value is used.
/// Errors: kCorruption if the value is too short, of another version or has unknown flags.
Result<EventHeader> PeekEventHeader(std::string_view value);

}  // namespace runlog::format

namespace runlog {

/// Checked access to a stored value.
class EventDecoder {
 public:
  /// The event in `value`, after checking both hashes, the body's length and that the body names
  /// `thread_id`. The view borrows `value`. Trusts a body whose hash is right to be a well-formed
  /// FlatBuffer; VerifyBody is for bytes from outside. Errors: kCorruption, naming thread and seq.
  static Result<EventView> Decode(std::string_view value, const format::EventKey& key,
                                  std::string_view thread_id);

  /// Runs the FlatBuffers verifier over `body`, for bytes that did not come from EncodeEvent.
  static bool VerifyBody(std::string_view body);
};

}  // namespace runlog

#endif  // RUNLOG_FORMAT_EVENT_CODEC_H_
