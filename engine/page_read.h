// Reads one page. ARCHITECTURE.md, "Life of a page".

#ifndef RUNLOG_ENGINE_PAGE_READ_H_
#define RUNLOG_ENGINE_PAGE_READ_H_

#include <runlog/page.h>
#include <runlog/status.h>

#include "engine/store_core.h"
#include "engine/thread_snapshot.h"
#include "index/posting_cursor.h"

namespace runlog::engine {

/// Borrows everything. `subject.user_id` is the filter's.
struct PageQuery {
  ReadSubject subject;
  const PageRequest& request;
  const EventFilter& filter;
  index::Direction without_cursor = index::Direction::kForward;
};

/// Errors: kInvalidArgument (negative limit), kGone, kCorruption, kIoError.
Result<Page> ReadPage(StoreCore& core, const PageQuery& query);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_PAGE_READ_H_
