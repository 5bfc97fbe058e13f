// Threads, runs and holes as the records tell them: what is in memory over what is on disk.

#ifndef RUNLOG_ENGINE_LISTING_H_
#define RUNLOG_ENGINE_LISTING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <runlog/listing.h>
#include <runlog/status.h>

#include "engine/store_core.h"
#include "engine/thread_snapshot.h"

namespace runlog::engine {

/// As Reader's Count, Thread, Threads, Runs and Holes. Errors: kCorruption, kIoError.
Result<Counts> CountEvents(StoreCore& core, const ReadSubject& subject);
Result<std::optional<ThreadSummary>> SummarizeThread(StoreCore& core, std::string_view thread_id);
Result<std::vector<ThreadSummary>> ListThreads(StoreCore& core, std::uint64_t after_incarnation,
                                               std::size_t limit);
Result<std::vector<RunSummary>> ListRuns(StoreCore& core, std::string_view thread_id,
                                         bool include_deleted);
Result<std::vector<Hole>> ListHoles(StoreCore& core, std::string_view thread_id,
                                    std::uint64_t after_seq, std::uint64_t before_seq);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_LISTING_H_
