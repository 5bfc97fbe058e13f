// runlog tail: events as they are committed, from any cursor.

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <runlog/tail.h>

#include "tools/commands.h"
#include "tools/event_json.h"
#include "tools/event_query.h"
#include "tools/json_line.h"
#include "tools/names.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

// How soon an interrupt, or a reader that has gone, is noticed while nothing happens.
constexpr std::chrono::milliseconds kWait{100};
constexpr std::int64_t kBatchItems = 500;
constexpr std::int64_t kLingerMax = 86'400'000;

volatile sig_atomic_t g_interrupted = 0;

void NoteInterrupt(int) {
  g_interrupted = 1;
}

void CatchInterrupts() {
  struct sigaction action {};
  action.sa_handler = NoteInterrupt;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

struct TailFlags {
  std::string folder;
  EventQuery query;
  bool from_now = false;
  bool until_terminal = false;
  std::optional<std::int64_t> linger_ms;
  bool items = false;

  TailRequest request() const {
    TailRequest request;
    request.thread_id = query.thread_id;
    request.run_id = query.run_id;
    request.filter = query.filter;
    if (!from_now) request.after_seq = static_cast<std::uint64_t>(query.after_seq.value_or(0));
    request.until_terminal = until_terminal;
    request.linger = std::chrono::milliseconds(linger_ms.value_or(0));
    return request;
  }
};

std::string FormatItem(const TailItem& item) {
  JsonLine line;
  switch (item.kind) {
    case TailItemKind::kEvent:
      line.Text("item", "event").Raw("event", FormatEventLine(item.event));
      break;
    case TailItemKind::kHole:
      line.Text("item", "hole")
          .Number("first_seq", item.hole.first_seq)
          .Number("last_seq", item.hole.last_seq)
          .Text("reason", HoleReasonName(item.hole.reason));
      break;
    case TailItemKind::kReset:
      line.Text("item", "reset").Number("incarnation", item.incarnation);
      break;
    case TailItemKind::kCaughtUp:
      line.Text("item", "caught_up");
      break;
    case TailItemKind::kEnd:
      line.Text("item", "end").Text("reason", TailEndName(item.end));
      break;
  }
  return line.Take();
}

/// Prints the items of one tail.
class TailPrinter {
 public:
  TailPrinter(bool items, Console& console) : items_(items), console_(console) {}

  void Print(const TailItem& item) {
    if (item.kind == TailItemKind::kEvent) ++events_;
    if (item.kind == TailItemKind::kEnd) ended_ = true;
    if (items_) {
      console_.PrintLine(FormatItem(item));
    } else if (item.kind == TailItemKind::kEvent) {
      console_.PrintLine(FormatEventLine(item.event));
    } else {
      Tell(item);
    }
  }

  bool ended() const { return ended_; }
  std::int64_t events() const { return events_; }

 private:
  void Tell(const TailItem& item) {
    switch (item.kind) {
      case TailItemKind::kEvent:
        break;
      case TailItemKind::kHole:
        console_.Say(fmt::format("seqs {} to {} are gone: {}", item.hole.first_seq,
                                 item.hole.last_seq, HoleReasonName(item.hole.reason)));
        break;
      case TailItemKind::kReset:
        console_.Say(fmt::format("the thread began anew, as incarnation {}", item.incarnation));
        break;
      case TailItemKind::kCaughtUp:
        if (!caught_up_) console_.Say("caught up; waiting for more");
        caught_up_ = true;
        break;
      case TailItemKind::kEnd:
        console_.Say(fmt::format("end: {}", TailEndName(item.end)));
        break;
    }
  }

  bool items_;
  Console& console_;
  std::int64_t events_ = 0;
  bool caught_up_ = false;
  bool ended_ = false;
};

Status Follow(Tail& tail, std::int64_t limit, TailPrinter& printer, Console& console) {
  while (g_interrupted == 0 && !printer.ended() && printer.events() < limit) {
    const std::int64_t room = std::min(limit - printer.events(), kBatchItems);
    const Result<TailBatch> batch = tail.Next(kWait, static_cast<std::size_t>(room));
    if (!batch.ok()) return batch.status();
    for (const TailItem& item : batch->items())
      printer.Print(item);
    if (!console.Flush() || console.ReaderGone()) return {};
  }
  return {};
}

ExitCode RunTail(const TailFlags& flags, Console& console) {
  if (flags.from_now && flags.query.after_seq) {
    return console.Fail(Status(StatusCode::kInvalidArgument,
                               "--from-now and --after-seq: only one place to start from"));
  }
  CatchInterrupts();
  const auto view = OpenView(flags.folder, console, ViewUse::kFollow);
  if (!view.ok()) return console.Fail(view.status());
  Result<Tail> tail = (*view)->OpenTail(flags.request());
  if (!tail.ok()) return console.Fail(tail.status());
  TailPrinter printer(flags.items, console);
  const std::int64_t limit = flags.query.limit.value_or(std::numeric_limits<std::int64_t>::max());
  const Status followed = Follow(tail.value(), limit, printer, console);
  return followed.ok() ? ExitCode::kDone : console.Fail(followed);
}

}  // namespace

Runner DeclareTail(Flags& flags) {
  auto parsed = std::make_shared<TailFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.Positional("THREAD", parsed->query.thread_id, "thread_id");
  flags.OptionalPositional("RUN", parsed->query.run_id, "run_id; every run if absent");
  parsed->query.DeclareFilter(flags);
  parsed->query.DeclareOwner(flags);
  flags.Number("--after-seq", parsed->query.after_seq, {}, "start behind this seq (0)");
  flags.Switch("--from-now", parsed->from_now, "start behind what is there already");
  flags.Number("--limit", parsed->query.limit, {}, "end after so many events");
  flags.Switch("--until-terminal", parsed->until_terminal, "end when RUN has its terminal event");
  flags.Number("--linger-ms", parsed->linger_ms, {0, kLingerMax},
               "wait so long for a run that starts again after its terminal event (0)");
  flags.Switch("--items", parsed->items, "one line for events, holes, resets and ends alike");
  return [parsed](Console& console) { return RunTail(*parsed, console); };
}

}  // namespace runlog::tools
