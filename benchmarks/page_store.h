// The store that page_benchmark reads: a small thread and a large one, each of one run, with one
// event in 100 a message and one in 1 000 of a given task.

#ifndef RUNLOG_BENCHMARKS_PAGE_STORE_H_
#define RUNLOG_BENCHMARKS_PAGE_STORE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <runlog/event_store.h>

#include "benchmarks/support/event_deck.h"
#include "benchmarks/support/scratch_store.h"
#include "engine/rocks.h"
#include "format/numbers.h"

namespace runlog::bench {

inline constexpr std::string_view kSmallThread = "small";
inline constexpr std::string_view kLargeThread = "large";
inline constexpr std::string_view kPageRun = "run-1";
inline constexpr std::string_view kPageTask = "task-007";
inline constexpr std::uint64_t kEventsPerMessage = 100;
inline constexpr std::uint64_t kEventsPerTask = 1000;

/// Whether a bare scan checks what a page checks: both hashes of every value.
enum class Checks : bool { kOff, kOn };

/// Blocks read from disk by the calling worker.
struct BlockReads {
  std::uint64_t data = 0;
  std::uint64_t index_and_filter = 0;

  std::uint64_t total() const { return data + index_and_filter; }
};

class PageStore {
 public:
  /// Appends, compacts.
  PageStore();

  /// Empties every cache of the store by opening it anew.
  void Reopen();

  const Reader& reader() const { return store_->reader(); }
  std::uint64_t small_events() const { return small_events_; }
  std::uint64_t large_events() const { return large_events_; }

  /// Reads `count` values of the small thread behind `after_seq` with an iterator of RocksDB, in a
  /// database opened with the same options. Returns their bytes.
  std::uint64_t BareScan(std::uint64_t after_seq, std::uint64_t count, Checks checks) const;

  /// Ends the program unless the page's events are what was appended, and `count` of them.
  void CheckPage(const Page& page, std::uint64_t count) const;

 private:
  void Append(std::string_view thread_id, std::uint64_t events);
  Event EventOf(std::uint64_t seq, std::string& metadata) const;

  const EventPool pool_;
  const std::uint64_t small_events_;
  const std::uint64_t large_events_;
  const ScratchFolder folder_;
  std::unique_ptr<EventStore> store_;
  std::shared_ptr<engine::Rocks> bare_;
};

/// What `read` reads from disk, by RocksDB's own count.
BlockReads CountBlockReads(const std::function<void()>& read);

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_PAGE_STORE_H_
