// runlog export: events out, thread by thread in the order of their creation.

#include <functional>
#include <memory>
#include <vector>

#include <runlog/reader.h>

#include "tools/commands.h"
#include "tools/event_json.h"
#include "tools/event_query.h"
#include "tools/output_file.h"
#include "tools/progress.h"
#include "tools/store_access.h"

namespace runlog::tools {
namespace {

constexpr std::size_t kListedThreads = 1000;

struct ExportFlags {
  std::string folder;
  std::string format;
  std::optional<std::string> output;
  std::optional<std::string> thread_id;
  std::optional<std::string> run_id;
  std::optional<std::string> user_id;
  std::optional<std::int64_t> after_commit;

  bool to_stdout() const { return !output || *output == "-"; }
};

/// Takes a line; false ends the export.
using LineSink = std::function<bool(const std::string&)>;

/// Hands the lines of an export to a sink.
class Exporter {
 public:
  Exporter(const ExportFlags& flags, const Reader& reader, const LineSink& sink, Progress& progress)
      : flags_(flags), reader_(reader), sink_(sink), progress_(progress) {}

  Status Run() {
    if (flags_.thread_id) return ExportThread(*flags_.thread_id);
    for (std::uint64_t behind = 0; !stopped_;) {
      const auto threads = reader_.Threads(behind, kListedThreads);
      if (!threads.ok()) return threads.status();
      for (const ThreadSummary& thread : *threads) {
        if (stopped_) break;
        if (Status s = ExportThread(thread.thread_id); !s.ok()) return s;
        behind = thread.incarnation;
      }
      if (threads->empty()) break;
    }
    return {};
  }

 private:
  Status ExportThread(const std::string& thread_id) {
    EventQuery query;
    query.thread_id = thread_id;
    query.run_id = flags_.run_id;
    query.filter.user_id = flags_.user_id;
    const auto commit_floor = static_cast<std::uint64_t>(flags_.after_commit.value_or(0));
    return VisitEvents(reader_, query,
                       [&](const EventView& event) {
                         if (event.commit() <= commit_floor) return true;
                         progress_.Add(1);
                         stopped_ = !sink_(FormatEventLine(event));
                         return !stopped_;
                       })
        .status();
  }

  const ExportFlags& flags_;
  const Reader& reader_;
  const LineSink& sink_;
  Progress& progress_;
  bool stopped_ = false;
};

ExitCode ExportToStdout(const ExportFlags& flags, const Reader& reader, Console& console) {
  Progress progress(console, "events exported");
  const LineSink print = [&console](const std::string& line) {
    console.PrintLine(line);
    return console.out_status().ok();
  };
  const Status exported = Exporter(flags, reader, print, progress).Run();
  return exported.ok() ? ExitCode::kDone : console.Fail(exported);
}

ExitCode ExportToFile(const ExportFlags& flags, const Reader& reader, Console& console) {
  Result<OutputFile> file = OutputFile::Create(*flags.output);
  if (!file.ok()) return console.Fail(file.status());
  Progress progress(console, "events exported");
  const LineSink print = [&file](const std::string& line) {
    file.value().PrintLine(line);
    return file->status().ok();
  };
  const Status exported = Exporter(flags, reader, print, progress).Run();
  if (!exported.ok()) return console.Fail(exported);
  const Status published = file.value().Publish();
  return published.ok() ? ExitCode::kDone : console.Fail(published);
}

ExitCode RunExport(const ExportFlags& flags, Console& console) {
  const auto view = OpenView(flags.folder, console);
  if (!view.ok()) return console.Fail(view.status());
  return flags.to_stdout() ? ExportToStdout(flags, (*view)->reader(), console)
                           : ExportToFile(flags, (*view)->reader(), console);
}

}  // namespace

Runner DeclareExport(Flags& flags) {
  auto parsed = std::make_shared<ExportFlags>();
  DeclareFolder(flags, parsed->folder);
  flags.RequiredChoice("--to", parsed->format, {"jsonl"}, "what to write");
  flags.Text("-o,--output", "FILE", parsed->output,
             "written under another name and renamed when it is whole; stdout if absent or -");
  flags.Text("--thread", "T", parsed->thread_id, "only this thread");
  flags.Text("--run", "R", parsed->run_id, "only runs of this run_id");
  flags.Text("--user", "U", parsed->user_id, "only events of this owner");
  flags.Number("--after-commit", parsed->after_commit, {}, "only events committed behind this one");
  return [parsed](Console& console) { return RunExport(*parsed, console); };
}

}  // namespace runlog::tools
