#include "engine/opening.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/accepted_loss.h"
#include "engine/format_file.h"
#include "engine/preflight.h"
#include "engine/private_files.h"
#include "engine/writer_lock.h"

namespace runlog::engine {
namespace {

namespace fs = std::filesystem;

/// Takes the folder for writing: inspected, locked, and inspected again under the lock, because
/// another process may have made the store in between.
Result<WriterLock> TakeFolder(const fs::path& folder, const StoreOptions& options, bool& is_new) {
  Result<FolderKind> kind = InspectFolder(folder);
  if (!kind.ok()) return kind.status();
  if (*kind != FolderKind::kStore) {
    if (!options.create_if_missing) {
      return Status(StatusCode::kNotFound, fmt::format("{} holds no store", folder.string()));
    }
    if (Status s = MakePrivateFolder(folder); !s.ok()) return s;
  }
  Result<WriterLock> lock = WriterLock::Acquire(folder, *options.clock);
  if (!lock.ok()) return lock.status();
  kind = InspectFolder(folder);
  if (!kind.ok()) return kind.status();
  is_new = *kind == FolderKind::kEmpty;
  return lock;
}

/// A preflight without obstacles, or why there is none.
Result<Preflight> ClearForWriting(const fs::path& folder, const StoreOptions& options,
                                  std::uint64_t writer) {
  Result<Preflight> preflight = RunPreflight(folder, writer);
  if (!preflight.ok()) return preflight.status();
  if (options.accept_loss && !preflight->obstacles.empty() && preflight->can_be_accepted()) {
    if (Status s = AcceptLoss(folder, options, *preflight, writer); !s.ok()) return s;
    preflight = RunPreflight(folder, writer);
    if (!preflight.ok()) return preflight.status();
  }
  if (Status s = preflight->Verdict(folder); !s.ok()) return s;
  return preflight;
}

}  // namespace

Result<OpenedStore> OpenForWriting(const fs::path& folder, const StoreOptions& options) {
  bool is_new = false;
  Result<WriterLock> lock = TakeFolder(folder, options, is_new);
  if (!lock.ok()) return lock.status();
  if (is_new) {
    if (Status s = CreateFormatFile(folder, NewStoreId()); !s.ok()) return s;
  }
  const Result<std::uint64_t> writer = WriterLock::Identity(folder);
  if (!writer.ok()) return writer.status();
  const Result<Preflight> preflight = ClearForWriting(folder, options, *writer);
  if (!preflight.ok()) return preflight.status();

  format::Anchor anchor = preflight->anchor.value_or(format::Anchor());
  Result<AnchorFile> file = AnchorFile::Open(folder, anchor.generation + 1);
  if (!file.ok()) return file.status();
  anchor.store_id = preflight->store_id;
  anchor.writer = *writer;
  anchor.clean = false;
  if (!preflight->anchor) {
    // Before RocksDB's first file: from here on a folder without ANCHOR has lost it.
    if (Status s = file->WriteBoth(anchor); !s.ok()) return s;
  }
  // A crash between FORMAT and RocksDB's first file leaves a store without a database: still new.
  Result<std::shared_ptr<Rocks>> rocks =
      Rocks::Open(folder, preflight->has_database ? OpenMode::kWrite : OpenMode::kCreate, options,
                  *std::move(lock), LogReplay{.cut = preflight->cut});
  if (!rocks.ok()) return rocks.status();
  return OpenedStore{*std::move(rocks), *std::move(file), std::move(anchor)};
}

Result<std::unique_ptr<AnchorKeeper>> KeepAnchor(OpenedStore opened, StoreCore& core) {
  format::Anchor& anchor = opened.anchor;
  const std::uint64_t last_commit = core.last_commit.load();
  if (last_commit < anchor.durable.commit) {
    return Status(StatusCode::kDataLoss, fmt::format("commits {} to {} are missing, which ANCHOR "
                                                     "says were durable",
                                                     last_commit + 1, anchor.durable.commit));
  }
  core.store_tag = format::StoreTag(anchor.store_id);
  anchor.epoch = std::max(anchor.epoch, core.epoch.load());
  core.epoch.store(anchor.epoch);
  // RocksDB has written what it replayed to tables, and synced them.
  anchor.durable = {last_commit, core.rocks->db().GetLatestSequenceNumber()};
  core.durable.Publish(anchor.durable);
  if (Status s = opened.file.WriteBoth(anchor); !s.ok()) return s;
  return std::make_unique<AnchorKeeper>(std::move(opened.file), anchor, core.durable);
}

}  // namespace runlog::engine
