// Consecutive lines of one thread, on their way to become one append.

#ifndef RUNLOG_TOOLS_APPEND_GROUP_H_
#define RUNLOG_TOOLS_APPEND_GROUP_H_

#include <cstdint>
#include <string>
#include <vector>

#include <runlog/event_store.h>
#include <runlog/receipt.h>
#include <runlog/status.h>

#include "tools/event_json.h"

namespace runlog::tools {

class AppendGroup {
 public:
  /// The most lines, and bytes of lines, one append is made of. A single line is always taken.
  AppendGroup(std::size_t lines_max, std::size_t bytes_max)
      : lines_max_(lines_max), bytes_max_(bytes_max) {}

  bool empty() const { return lines_.empty(); }
  std::size_t size() const { return lines_.size(); }
  const std::vector<EventLine>& lines() const { return lines_; }
  const EventLine& front() const { return lines_.front(); }
  const EventLine& back() const { return lines_.back(); }

  /// Whether `next` belongs to the same append: same thread, and room for it in lines and bytes.
  bool Takes(const EventLine& next) const;
  void Add(EventLine line);

  /// Appends the lines; the group stays as it is.
  Result<AppendReceipt> Append(EventStore& store, const AppendOptions& options) const;
  /// "line 7" or "lines 7-26".
  std::string LineRange() const;
  void Clear();

 private:
  std::size_t lines_max_;
  std::size_t bytes_max_;
  std::vector<EventLine> lines_;
  std::size_t bytes_ = 0;
};

/// A receipt as a line of JSON.
std::string FormatReceipt(const std::string& thread_id, const AppendReceipt& receipt);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_APPEND_GROUP_H_
