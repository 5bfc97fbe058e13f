// What a worker of the crash test does, made from a number alone: whoever knows the number knows
// every byte.

#ifndef RUNLOG_TESTS_CRASH_ACTION_H_
#define RUNLOG_TESTS_CRASH_ACTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include <runlog/options.h>

#include "tests/support/draft.h"

namespace runlog::testing {

inline constexpr std::size_t kCrashWorkers = 6;

enum class ActionKind { kAppend, kPut, kDeleteRun };

struct Action {
  std::uint64_t seed = 0;
  ActionKind kind = ActionKind::kAppend;
  std::string thread_id;
  std::string run;            // of a delete
  std::vector<Draft> drafts;  // of an append: 1 to 20; of a put: 1
  std::string key;            // of an append, or empty
  Durability durability = Durability::kBuffered;
};

Action ActionOf(std::uint64_t seed);

/// An append of one event to `thread_id`; the same for the same numbers.
Action OneMore(std::uint64_t seed, std::string thread_id);

/// Numbers that do not meet: of a worker's nth action, of a test's nth round.
std::uint64_t Mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0);

/// The action that made an event, and its place in it.
struct Origin {
  std::uint64_t seed = 0;
  std::uint64_t index = 0;
  friend bool operator==(const Origin&, const Origin&) = default;
};
Origin OriginOf(const EventView& event);

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_CRASH_ACTION_H_
