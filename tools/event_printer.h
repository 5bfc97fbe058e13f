// Events as lines of JSON, or as a table where a person asked for one.

#ifndef RUNLOG_TOOLS_EVENT_PRINTER_H_
#define RUNLOG_TOOLS_EVENT_PRINTER_H_

#include <optional>

#include <runlog/event.h>

#include "tools/console.h"
#include "tools/table.h"

namespace runlog::tools {

/// Prints events in either form.
class EventPrinter {
 public:
  EventPrinter(Console& console, const FormatFlag& format);
  /// False when nobody reads stdout any more.
  bool Print(const EventView& event);
  void End();

 private:
  Console& console_;
  std::optional<Table> table_;
};

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_EVENT_PRINTER_H_
