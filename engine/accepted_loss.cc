#include "engine/accepted_loss.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/anchor_file.h"
#include "engine/private_files.h"
#include "engine/rocks.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

namespace fs = std::filesystem;

Status IoError(std::string_view doing, const fs::path& path, const std::error_code& error) {
  return Status(StatusCode::kIoError,
                fmt::format("{} {}: {}", doing, path.string(), error.message()));
}

/// RocksDB writes none of these again under the same name.
bool IsLinked(const fs::path& name) {
  return name.extension() == ".sst" || name.extension() == ".log" ||
         name.string().starts_with("MANIFEST-") || name.string().starts_with("OPTIONS-");
}

/// These are small, and the anchor is written in place.
bool IsCopied(const fs::path& name) {
  return name == kAnchorName || name == "CURRENT" || name == "IDENTITY";
}

Status SetFileAside(const fs::path& from, const fs::path& into) {
  const fs::path name = from.filename();
  std::error_code error;
  if (IsLinked(name)) {
    fs::create_hard_link(from, into / name, error);
  } else if (IsCopied(name)) {
    fs::copy_file(from, into / name, error);
  }
  if (error) return IoError("cannot set aside", from, error);
  return {};
}

/// Links, so it takes no room and the bytes stay when RocksDB deletes its own names.
Status LinkAll(const fs::path& folder, const fs::path& into) {
  if (Status s = MakePrivateFolder(into); !s.ok()) return s;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_regular_file()) continue;
    if (Status s = SetFileAside(entry->path(), into); !s.ok()) return s;
  }
  if (error) return IoError("cannot list", folder, error);
  return SyncFolder(into);
}

/// The first free name from `number` on.
fs::path AsideFolder(const fs::path& folder, std::uint64_t number) {
  fs::path into = folder / fmt::format("set-aside-{}", number);
  while (fs::exists(into))
    into = folder / fmt::format("set-aside-{}", ++number);
  return into;
}

/// Finds the cut where the preflight could not, because RocksDB missed a log.
Status JudgeWithoutMissingLogs(const fs::path& folder, const fs::path& aside,
                               Preflight& preflight) {
  const fs::path copy = aside / "probe";
  if (Status s = LinkAll(aside, copy); !s.ok()) return s;
  ProbeOutcome tables;
  const rocksdb::Status probed = ProbeCopy(copy, tables);
  std::error_code error;
  fs::remove_all(copy, error);
  if (!probed.ok()) return FromRocks(probed, "opening " + copy.string());
  if (error) return IoError("cannot remove", copy, error);
  return JudgeLogs(folder, tables, preflight);
}

/// Replays what is left and leaves it in tables, so that the logs are not needed again.
Status OpenOnce(const fs::path& folder, const StoreOptions& options, const Preflight& preflight,
                format::Anchor& anchor) {
  Result<std::shared_ptr<Rocks>> opened =
      Rocks::Open(folder, OpenMode::kWrite, options, {},
                  LogReplay{.cut = preflight.cut, .check_tracked_logs = false});
  if (!opened.ok()) return opened.status();
  const Rocks& rocks = **opened;
  std::string value;
  const Result<bool> found = rocks.Get(format::Family::kMeta, format::kMetaEpoch, value);
  if (!found.ok()) return found.status();
  if (*found) {
    const Result<std::uint64_t> stored = format::DecodeU64(value);
    if (!stored.ok()) return stored.status();
    anchor.epoch = std::max(anchor.epoch, *stored);
  }
  ++anchor.epoch;
  rocksdb::WriteOptions synced;
  synced.sync = true;
  const rocksdb::Status put =
      rocks.db().Put(synced, rocks.family(format::Family::kMeta),
                     rocksdb::Slice(format::kMetaEpoch.data(), format::kMetaEpoch.size()),
                     format::EncodeU64(anchor.epoch));
  if (!put.ok()) return FromRocks(put, "writing the new epoch");
  anchor.durable = {0, rocks.db().GetLatestSequenceNumber()};
  return {};
}

}  // namespace

Status AcceptLoss(const fs::path& folder, const StoreOptions& options, Preflight preflight,
                  std::uint64_t writer) {
  format::Anchor anchor = preflight.anchor.value_or(format::Anchor());
  anchor.store_id = preflight.store_id;
  anchor.writer = writer;
  anchor.clean = false;
  anchor.durable = {};
  if (preflight.has_database) {
    const fs::path aside = AsideFolder(folder, anchor.epoch + 1);
    if (Status s = LinkAll(folder, aside); !s.ok()) return s;
    if (!preflight.have_commit) {
      if (Status s = JudgeWithoutMissingLogs(folder, aside, preflight); !s.ok()) return s;
    }
    if (Status s = OpenOnce(folder, options, preflight, anchor); !s.ok()) return s;
  }
  Result<AnchorFile> file = AnchorFile::Open(folder, anchor.generation + 1);
  if (!file.ok()) return file.status();
  return file->WriteBoth(anchor);
}

}  // namespace runlog::engine
