// Random events over a small vocabulary, so that filters hit and miss.

#ifndef RUNLOG_TESTS_ENGINE_MODEL_DRAFT_SOURCE_H_
#define RUNLOG_TESTS_ENGINE_MODEL_DRAFT_SOURCE_H_

#include <optional>
#include <string>
#include <vector>

#include "tests/support/draft.h"
#include "tests/support/seeded_random.h"

namespace runlog::testing {

class DraftSource {
 public:
  explicit DraftSource(SeededRandom& random) : random_(random) {}

  std::string ThreadId();
  /// One that only cold threads have: there are many, so that caches overflow.
  std::string ColdThreadId();
  std::string RunId();
  std::string Type();
  std::string Category();
  std::string Task();
  std::string User();
  std::optional<std::string> MaybeUser();
  Draft One();
  std::vector<Draft> Some(std::size_t most);
  /// Filters present with probability 1/3 each.
  EventFilter Filter();

 private:
  std::string Metadata();
  void GiveContent(Draft& draft);

  SeededRandom& random_;
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_ENGINE_MODEL_DRAFT_SOURCE_H_
