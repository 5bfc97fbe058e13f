// Which events a command is asked for, and reading them page by page.

#ifndef RUNLOG_TOOLS_EVENT_QUERY_H_
#define RUNLOG_TOOLS_EVENT_QUERY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <runlog/page.h>
#include <runlog/reader.h>
#include <runlog/status.h>

#include "tools/cli.h"

namespace runlog::tools {

/// Which events of a thread, or of one of its runs. Of messages only the owner can be chosen.
struct EventQuery {
  std::string thread_id;
  std::optional<std::string> run_id;
  bool messages = false;  // only category `message`, the latest unless a cursor says otherwise
  EventFilter filter;
  std::optional<std::int64_t> after_seq;
  std::optional<std::int64_t> before_seq;
  std::optional<std::int64_t> limit;  // absent: all

  void DeclareFilter(Flags& flags);
  void DeclareOwner(Flags& flags);
  void DeclareWindow(Flags& flags, const char* limit_help);
};

/// What was left when reading ended.
struct QueryEnd {
  bool has_more = false;
  std::uint64_t first_seq = 0;  // that was handed out; 0 where none was
  std::uint64_t highest_seq_scanned = 0;
};

/// Takes an event; false ends the reading.
using EventVisitor = std::function<bool(const EventView&)>;

/// Hands the events of `query` to `visit`, ascending, with at most a page of them in memory unless
/// the query asks for the last ones.
Result<QueryEnd> VisitEvents(const Reader& reader, const EventQuery& query,
                             const EventVisitor& visit);

/// How to go on where there is more, in words; empty where there is not.
std::string DescribeRest(const EventQuery& query, const QueryEnd& end);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EVENT_QUERY_H_
