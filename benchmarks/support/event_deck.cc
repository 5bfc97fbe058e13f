#include "benchmarks/support/event_deck.h"

#include <utility>

#include <fmt/format.h>

#include "benchmarks/support/check.h"
#include "tools/example_runs.h"

namespace runlog::bench {
namespace {

constexpr std::size_t kLineBytesMax = 1600;
constexpr std::size_t kEventsPerRun = 40;

}  // namespace

EventPool::EventPool(std::uint64_t seed, std::size_t events) {
  lines_.reserve(events);
  // More runs than needed: the sink ends them.
  const tools::ExampleOptions options{.seed = seed, .runs = 100 + events / kEventsPerRun * 4};
  tools::MakeExampleRuns(options, [&](const std::string& line) {
    if (lines_.size() == events) return false;
    if (line.size() <= kLineBytesMax) {
      lines_.push_back(Take(tools::ParseEventLine(line, tools::SeqKey::kRefused)));
    }
    return true;
  });
  Check(lines_.size() == events, "the generator ended early");
}

std::vector<Deck> EventPool::Deal(const DealOptions& options) const {
  Check(options.workers * options.batch * options.batches <= lines_.size(),
        "the pool is too small");
  std::vector<Deck> decks(options.workers);
  std::size_t next = 0;
  for (std::size_t worker = 0; worker < options.workers; ++worker) {
    Deck& deck = decks[worker];
    deck.reserve(options.batches);
    std::size_t dealt = 0;
    for (std::size_t batch = 0; batch < options.batches; ++batch) {
      DeckAppend append;
      append.thread_id =
          fmt::format("{}-{:03}-{:05}", options.prefix, worker, dealt / options.events_per_thread);
      append.events.reserve(options.batch);
      for (std::size_t i = 0; i < options.batch; ++i)
        append.events.push_back(at(next++));
      dealt += options.batch;
      deck.push_back(std::move(append));
    }
  }
  return decks;
}

}  // namespace runlog::bench
