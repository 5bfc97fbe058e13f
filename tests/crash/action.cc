#include "tests/crash/action.h"

#include <cstdlib>
#include <utility>

#include "tests/support/seeded_random.h"

namespace runlog::testing {
namespace {

constexpr std::uint64_t kThreads = 10;
constexpr std::uint64_t kRuns = 5;

std::string SomeContent(SeededRandom& random) {
  // Now and then large enough for the line of large appends, and to fill a memtable.
  const std::uint64_t size = random.OneIn(400) ? random.Between(100'000, 400'000)
                             : random.OneIn(4) ? random.Between(200, 3000)
                                               : random.Below(200);
  std::string content(size, ' ');
  for (char& c : content)
    c = static_cast<char>('a' + random.Below(26));
  return content;
}

Draft SomeDraft(SeededRandom& random, std::uint64_t seed, std::uint64_t index) {
  static const std::string kTypes[] = {"run.start", "run.end", "llm.ai.response", "step"};
  Draft draft{.run = "r" + std::to_string(random.Below(kRuns)), .type = kTypes[random.Below(4)]};
  draft.content = SomeContent(random);
  if (random.OneIn(2)) draft.category = "message";
  if (random.OneIn(3)) draft.user = "u" + std::to_string(random.Below(3));
  if (random.OneIn(3))
    draft.metadata = R"({"task_id":"k)" + std::to_string(random.Below(4)) + "\"}";
  if (random.OneIn(4)) draft.created_at = Timestamp{random.SignedAnyMagnitude() >> 14};
  if (random.OneIn(5)) draft.step = static_cast<std::int64_t>(random.Below(100));
  draft.writer = std::to_string(seed);
  draft.writer_seq = index;
  return draft;
}

}  // namespace

Action ActionOf(std::uint64_t seed) {
  SeededRandom random(seed);
  Action action{.seed = seed};
  action.thread_id = "t" + std::to_string(random.Below(kThreads));
  if (random.OneIn(3)) action.durability = Durability::kSync;
  if (random.OneIn(100)) {
    action.kind = ActionKind::kDeleteRun;
    action.run = "r" + std::to_string(random.Below(kRuns));
    return action;
  }
  if (random.OneIn(8)) {
    action.kind = ActionKind::kPut;
    action.drafts.push_back(SomeDraft(random, seed, 0));
    action.drafts.front().type = "once." + std::to_string(random.Below(200));
    return action;
  }
  if (random.OneIn(4)) action.key = "key " + std::to_string(seed);
  const std::uint64_t count = random.OneIn(2) ? 1 : random.Between(1, 20);
  for (std::uint64_t index = 0; index < count; ++index)
    action.drafts.push_back(SomeDraft(random, seed, index));
  return action;
}

Action OneMore(std::uint64_t seed, std::string thread_id) {
  SeededRandom random(seed);
  Action action{.seed = seed, .thread_id = std::move(thread_id)};
  action.drafts.push_back(SomeDraft(random, seed, 0));
  return action;
}

std::uint64_t Mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t mixed = a;
  for (const std::uint64_t part : {b, c}) {
    mixed += 0x9e37'79b9'7f4a'7c15U * (part + 1);
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58'476d'1ce4'e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d0'49bb'1331'11ebU;
    mixed ^= mixed >> 31U;
  }
  return mixed;
}

Origin OriginOf(const EventView& event) {
  const std::string writer(event.writer());
  return {std::strtoull(writer.c_str(), nullptr, 10), event.writer_seq()};
}

}  // namespace runlog::testing
