// runlog events and messages: events of a thread or of one of its runs; of messages the latest.

#include <memory>
#include <string>

#include "tools/commands.h"
#include "tools/event_printer.h"
#include "tools/event_query.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

constexpr std::int64_t kEventsDefault = 500;
constexpr std::int64_t kMessagesDefault = 50;

struct EventsFlags {
  std::string folder;
  EventQuery query;
  FormatFlag format;
};

ExitCode RunEvents(const EventsFlags& flags, Console& console) {
  const auto view = OpenView(flags.folder, console);
  if (!view.ok()) return console.Fail(view.status());
  EventPrinter printer(console, flags.format);
  const auto end = VisitEvents((*view)->reader(), flags.query,
                               [&](const EventView& event) { return printer.Print(event); });
  printer.End();
  if (!end.ok()) return console.Fail(end.status());
  const std::string rest = DescribeRest(flags.query, *end);
  if (!rest.empty()) console.Say(rest);
  return ExitCode::kDone;
}

}  // namespace

Runner DeclareEvents(Flags& flags) {
  auto parsed = std::make_shared<EventsFlags>();
  parsed->query.limit = kEventsDefault;
  DeclareFolder(flags, parsed->folder);
  flags.Positional("THREAD", parsed->query.thread_id, "thread_id");
  flags.OptionalPositional("RUN", parsed->query.run_id, "run_id; every run if absent");
  parsed->query.DeclareFilter(flags);
  parsed->query.DeclareOwner(flags);
  parsed->query.DeclareWindow(flags, "at most so many (500)");
  parsed->format.Declare(flags);
  return [parsed](Console& console) { return RunEvents(*parsed, console); };
}

Runner DeclareMessages(Flags& flags) {
  auto parsed = std::make_shared<EventsFlags>();
  parsed->query.messages = true;
  parsed->query.limit = kMessagesDefault;
  DeclareFolder(flags, parsed->folder);
  flags.Positional("THREAD", parsed->query.thread_id, "thread_id");
  flags.Text("--run", "RUN", parsed->query.run_id, "only messages of this run");
  parsed->query.DeclareOwner(flags);
  parsed->query.DeclareWindow(flags, "at most so many (50)");
  parsed->format.Declare(flags);
  return [parsed](Console& console) { return RunEvents(*parsed, console); };
}

}  // namespace runlog::tools
