// runlog put-if-absent: one event a line in, whether it was created and what is stored out.

#include <memory>

#include <fmt/format.h>

#include "tools/commands.h"
#include "tools/event_lines.h"
#include "tools/json_line.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

struct PutFlags {
  std::string folder;
  std::optional<std::string> file;
  DurabilityFlag durability;
};

Status PutLine(const EventLine& line, const PutOptions& options, EventStore& store,
               Console& console) {
  const Result<PutResult> put = store.PutIfAbsent(line.thread_id, line.event(), options);
  if (!put.ok()) return put.status();
  if (put->page.empty()) return Status(StatusCode::kCorruption, "the stored event is not readable");
  console.PrintLine(JsonLine()
                        .Bool("created", put->created)
                        .Raw("event", FormatEventLine(put->page.events().front()))
                        .Take());
  if (console.Flush()) return {};
  return Status(StatusCode::kIoError, "stopped behind this line: nobody reads its answer");
}

Status PutEach(const PutFlags& flags, EventLines& lines, EventStore& store, Console& console) {
  PutOptions options;
  options.durability = flags.durability.durability();
  for (;;) {
    const Result<std::optional<EventLine>> line = lines.Next();
    if (!line.ok()) return line.status();
    if (!*line) return {};
    if (Status s = PutLine(**line, options, store, console); !s.ok()) {
      return Status(s.code(),
                    fmt::format("{}:{}: {}", lines.name(), (**line).line_number, s.message()));
    }
  }
}

ExitCode RunPutIfAbsent(const PutFlags& flags, Console& console) {
  Result<EventLines> lines = EventLines::Open(flags.file.value_or("-"), SeqKey::kRefused);
  if (!lines.ok()) return console.Fail(lines.status());
  const auto store = OpenStore(flags.folder, console);
  if (!store.ok()) return console.Fail(store.status());
  const Status put = PutEach(flags, lines.value(), **store, console);
  const ExitCode code = put.ok() ? ExitCode::kDone : console.Fail(put);
  return CloseStore(**store, code, console);
}

}  // namespace

Runner DeclarePutIfAbsent(Flags& flags) {
  auto parsed = std::make_shared<PutFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.OptionalPositional("FILE", parsed->file, "lines of events; stdin if absent or -");
  parsed->durability.Declare(flags);
  return [parsed](Console& console) { return RunPutIfAbsent(*parsed, console); };
}

}  // namespace runlog::tools
