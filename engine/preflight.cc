#include "engine/preflight.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/anchor_file.h"
#include "engine/broken_table.h"
#include "engine/format_file.h"
#include "engine/rocks.h"
#include "engine/wal_check.h"
#include "engine/wal_probe.h"
#include "engine/wal_scan.h"

namespace runlog::engine {
namespace {

namespace fs = std::filesystem;

struct LogFile {
  std::uint64_t number = 0;
  std::string name;
};

/// The logs numbered `oldest` and above, oldest first.
Result<std::vector<LogFile>> ListLogs(const fs::path& folder, std::uint64_t oldest) {
  std::vector<LogFile> logs;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path name = entry->path().filename();
    if (name.extension() != ".log") continue;
    const std::string stem = name.stem().string();
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(stem.data(), stem.data() + stem.size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr != stem.data() + stem.size()) continue;
    if (number >= oldest) logs.push_back({number, name.string()});
  }
  if (error) {
    return Status(StatusCode::kIoError,
                  fmt::format("cannot list {}: {}", folder.string(), error.message()));
  }
  std::sort(logs.begin(), logs.end(),
            [](const LogFile& a, const LogFile& b) { return a.number < b.number; });
  return logs;
}

/// The manifest that CURRENT names, or CURRENT where it names none.
std::string ManifestName(const fs::path& folder) {
  std::string name;
  std::ifstream current(folder / "CURRENT");
  if (!std::getline(current, name) || !name.starts_with("MANIFEST-")) return "CURRENT";
  return name;
}

/// The file that RocksDB's message is about: it names logs, seldom tables or manifests.
std::string FileOf(const rocksdb::Status& failed, const fs::path& folder) {
  const std::string log = NumberNamed(failed.ToString(), ".log");
  if (!log.empty()) return log + ".log";
  const std::string table = FindBrokenTable(folder, failed);
  return table.empty() ? ManifestName(folder) : table;
}

class Inspection {
 public:
  Inspection(const fs::path& folder, std::uint64_t writer, Preflight& result)
      : folder_(folder), writer_(writer), result_(result) {}

  Status Run() {
    Result<std::string> store_id = ReadStoreId(folder_);
    if (!store_id.ok()) return store_id.status();
    result_.store_id = *std::move(store_id);
    result_.has_database = fs::exists(folder_ / "CURRENT") || HasDatabaseFiles(folder_);
    LookAtAnchor();
    if (!result_.has_database) return {};
    if (!fs::exists(folder_ / "CURRENT")) {
      Add("CURRENT", StatusCode::kCorruption, "is missing, and files of the database are there",
          /*can_be_accepted=*/false);
      return {};
    }
    ProbeOutcome tables;
    if (!LookAtTables(tables)) return {};
    return LookAtLogs(tables);
  }

  Status LookAtLogs(const ProbeOutcome& tables) {
    Result<std::vector<LogFile>> logs = ListLogs(folder_, tables.oldest_log);
    if (!logs.ok()) return logs.status();
    WalCheck check(tables.sequence, format::StoreTag(result_.store_id));
    const WalVisitor visitor{[&](const WalRecord& record) { check.OnRecord(record); },
                             [&](std::uint64_t offset) { check.OnDamage(offset); }};
    for (const LogFile& log : *logs) {
      check.StartLog(log.name);
      if (Status s = ScanWal(folder_ / log.name, visitor); !s.ok()) return s;
    }
    Judge(check.Finish(), tables, logs->empty() ? ManifestName(folder_) : logs->back().name);
    return {};
  }

 private:
  void Add(std::string file, StatusCode code, std::string what, bool can_be_accepted = true) {
    result_.obstacles.push_back({std::move(file), code, std::move(what), can_be_accepted});
  }

  void LookAtAnchor() {
    Result<std::optional<format::Anchor>> read = ReadAnchor(folder_);
    if (!read.ok()) {
      Add(kAnchorName, read.status().code(),
          fmt::format("cannot be used: {}", read.status().message()),
          read.status().code() == StatusCode::kCorruption);
      return;
    }
    if (!*read) {
      if (result_.has_database) Add(kAnchorName, StatusCode::kCorruption, "is missing");
      return;
    }
    result_.anchor = **read;
    const format::Anchor& anchor = *result_.anchor;
    result_.want_commit = anchor.durable.commit;
    if (anchor.store_id != result_.store_id) {
      Add(kAnchorName, StatusCode::kCorruption,
          fmt::format("is of store {}, FORMAT of store {}", anchor.store_id, result_.store_id));
    }
    if (!result_.has_database) {
      if (anchor.durable.sequence > 0) {
        Add("CURRENT", StatusCode::kDataLoss, "is missing, with every other file of the database",
            /*can_be_accepted=*/false);
      }
      return;
    }
    if (!anchor.clean && anchor.writer != writer_) {
      Add("WRITER", StatusCode::kDataLoss,
          "is not the file that the last writer held: the folder was copied while a process wrote "
          "it, or after it was killed, and files of different moments may be together");
    }
  }

  /// Whether RocksDB can read what the store's tables and manifest say.
  bool LookAtTables(ProbeOutcome& tables) {
    const rocksdb::Status probed = ProbeTables(folder_, tables);
    if (probed.ok()) return true;
    const std::string message = probed.ToString();
    // Of what RocksDB needs, opening can do without the logs alone.
    const bool is_log = message.find("WAL") != std::string::npos;
    Add(FileOf(probed, folder_), is_log ? StatusCode::kDataLoss : FromRocks(probed, "").code(),
        is_log ? "names a log that is missing or was cut short: " + message : message, is_log);
    return false;
  }

  void Judge(const WalVerdict& verdict, const ProbeOutcome& tables, const std::string& newest) {
    const format::DurablePoint durable =
        result_.anchor ? result_.anchor->durable : format::DurablePoint();
    result_.have_commit = std::max(verdict.last_commit, tables.newest_commit);
    if (verdict.is_cut) result_.cut = verdict.end;
    if (!verdict.foreign_log.empty()) {
      Add(verdict.foreign_log, StatusCode::kCorruption, "holds records of another store");
      result_.cut = verdict.end;
    } else if (verdict.lost(durable)) {
      result_.want_commit = std::max(result_.want_commit, verdict.proven.commit);
      AddLoss(verdict, newest);
    } else if (*result_.have_commit < durable.commit) {
      Add(newest, StatusCode::kDataLoss, "ends before what was durable");
    }
  }

  void AddLoss(const WalVerdict& verdict, const std::string& newest) {
    if (verdict.broken_log.empty()) {
      Add(newest, StatusCode::kDataLoss,
          "ends before what was durable: it was cut short, or a log behind it is missing");
    } else if (verdict.is_gap) {
      const std::string before =
          verdict.log_before.empty() ? ManifestName(folder_) : verdict.log_before;
      Add(before, StatusCode::kDataLoss,
          fmt::format("ends before {} begins: it was cut short, or a log between them is missing",
                      verdict.broken_log));
    } else {
      Add(verdict.broken_log, StatusCode::kDataLoss,
          fmt::format("has a damaged record at byte {} that was durable", verdict.broken_at));
    }
  }

  const fs::path& folder_;
  const std::uint64_t writer_;
  Preflight& result_;
};

}  // namespace

bool Preflight::can_be_accepted() const {
  return std::all_of(obstacles.begin(), obstacles.end(),
                     [](const Obstacle& obstacle) { return obstacle.can_be_accepted; });
}

Status Preflight::Verdict(const fs::path& folder) const {
  if (obstacles.empty()) return {};
  const Obstacle& first = obstacles.front();
  std::string text = fmt::format("{} {}", (folder / first.file).string(), first.what);
  if (have_commit && *have_commit < want_commit) {
    text += fmt::format("; commits {} to {} are missing", *have_commit + 1, want_commit);
  }
  return Status(first.code, text + "; nothing was changed, `runlog doctor` says what can be done");
}

Result<Preflight> RunPreflight(const fs::path& folder, std::uint64_t writer) {
  Preflight result;
  if (Status s = Inspection(folder, writer, result).Run(); !s.ok()) return s;
  return result;
}

Status JudgeLogs(const fs::path& folder, const ProbeOutcome& tables, Preflight& result) {
  return Inspection(folder, 0, result).LookAtLogs(tables);
}

}  // namespace runlog::engine
