// From a folder to an open database: who may open, what is lost, and what is durable from here on.
// ARCHITECTURE.md, "Opening".

#ifndef RUNLOG_ENGINE_OPENING_H_
#define RUNLOG_ENGINE_OPENING_H_

#include <cstdint>
#include <filesystem>
#include <memory>

#include <runlog/options.h>
#include <runlog/status.h>
#include <runlog/store_view.h>

#include "engine/anchor_file.h"
#include "engine/anchor_keeper.h"
#include "engine/rocks.h"
#include "engine/store_core.h"
#include "format/anchor.h"

namespace runlog::engine {

/// A store open for writing, whose ANCHOR still says what its last process knew.
struct OpenedStore {
  std::shared_ptr<Rocks> rocks;
  AnchorFile file;
  format::Anchor anchor;
};

/// Takes the lock, makes the store where it is to be made, and opens it. A store that lost
/// acknowledged events is refused unless `options.accept_loss`.
/// Errors: as EventStore::Open.
Result<OpenedStore> OpenForWriting(const std::filesystem::path& folder,
                                   const StoreOptions& options);

/// After Replay: sees that what was durable is there, and keeps ANCHOR from then on.
/// Errors: kDataLoss, kIoError, kNoSpace.
Result<std::unique_ptr<AnchorKeeper>> KeepAnchor(OpenedStore opened, StoreCore& core);

/// A store open for reading, beside a writer or not.
struct OpenedView {
  std::shared_ptr<Rocks> rocks;
  ViewKind kind = ViewKind::kReadOnly;
  format::Anchor anchor;  // read before the database was opened
};

/// Errors: as StoreView::Open. Changes no byte of the folder.
Result<OpenedView> OpenForReading(const std::filesystem::path& folder, const StoreOptions& options,
                                  ViewUse use);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_OPENING_H_
