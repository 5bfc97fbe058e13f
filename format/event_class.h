// What the class byte of an event is decided on. FORMAT.md, "Event value".

#ifndef RUNLOG_FORMAT_EVENT_CLASS_H_
#define RUNLOG_FORMAT_EVENT_CLASS_H_

#include <string_view>

#include "format/event_codec.h"

namespace runlog::format {

struct ClassEvidence {
  std::string_view category;
  std::string_view event_type;
  std::string_view caller;        // metadata.caller, or empty
  std::string_view content_type;  // type and role of a content that is a JSON object, or empty
  std::string_view content_role;
  bool is_volatile = false;
};

EventClass ClassOf(const ClassEvidence& evidence);

/// Whether ClassOf looks at the content of events of this caller.
bool ClassNeedsContent(std::string_view caller);

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_EVENT_CLASS_H_
