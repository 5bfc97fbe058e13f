// Events to append, made before anything is measured: lifelike ones, every text distinct.

#ifndef RUNLOG_BENCHMARKS_SUPPORT_EVENT_DECK_H_
#define RUNLOG_BENCHMARKS_SUPPORT_EVENT_DECK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <runlog/event.h>

#include "tools/event_json.h"

namespace runlog::bench {

/// One append: events of one thread.
struct DeckAppend {
  std::string thread_id;
  std::vector<Event> events;  // borrow from the pool
};

/// What one worker appends, in order.
using Deck = std::vector<DeckAppend>;

/// How a pool is dealt to workers.
struct DealOptions {
  std::size_t workers = 1;
  std::size_t batch = 1;
  std::size_t batches = 1;              ///< Of each worker.
  std::size_t events_per_thread = 500;  ///< Then the worker goes on with a new thread.
  std::string prefix = "thread";        ///< Of thread ids.
};

/// Lifelike events in the order in which agents write them: what tools/example_runs makes, about 20
/// events a step, less those over 1 600 bytes, which leaves about 700 bytes as stored.
class EventPool {
 public:
  EventPool(std::uint64_t seed, std::size_t events);

  /// Each worker gets its own stretch of the pool. Requires: workers * batch * batches <= size.
  /// The decks borrow from the pool.
  std::vector<Deck> Deal(const DealOptions& options) const;

  std::size_t size() const { return lines_.size(); }
  Event at(std::size_t index) const { return lines_[index].event(); }

 private:
  std::vector<tools::EventLine> lines_;
};

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_SUPPORT_EVENT_DECK_H_
