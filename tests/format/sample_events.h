// Events for the tests of format/, and the way from an event to the value that is stored for it.

#ifndef RUNLOG_TESTS_FORMAT_SAMPLE_EVENTS_H_
#define RUNLOG_TESTS_FORMAT_SAMPLE_EVENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <runlog/event.h>

#include "format/event_codec.h"
#include "tests/support/seeded_random.h"

namespace runlog::format {

inline constexpr std::string_view kThread = "thread-1";
inline constexpr Timestamp kNow{1'718'000'000'123'456};

/// An event with nothing but what every event must have.
inline Event PlainEvent() {
  Event event;
  event.run_id = "run-1";
  event.event_type = "llm.ai.response";
  event.category = "message";
  return event;
}

/// The header that belongs to `encoded`, with R 3, U 2 if it has an owner, commit 99.
EventHeader HeaderOf(const EncodedEvent& encoded);

/// Header and body as they are stored under `key`.
std::string StoredValue(const EncodedEvent& encoded, const EventKey& key,
                        std::string_view thread_id);

/// Makes events in which every optional field is there or not, at random.
class EventMaker {
 public:
  explicit EventMaker(std::uint64_t seed) : random_(seed) {}

  /// The event borrows from this object until the next call.
  Event Next();

 private:
  std::string Text(std::size_t shortest, std::size_t longest);
  std::string JsonValue(std::size_t depth);
  std::string JsonObject(std::size_t depth);
  Content NextContent();

  testing::SeededRandom random_;
  std::string run_id_, event_type_, category_, content_, metadata_, user_id_, extra_;
  std::string state_, parent_run_id_, correlation_id_, writer_;
};

}  // namespace runlog::format

#endif  // RUNLOG_TESTS_FORMAT_SAMPLE_EVENTS_H_
