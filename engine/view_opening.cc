// OpenForReading: apart from opening.cc, because nothing here may write.

#include <utility>

#include <fmt/format.h>

#include "engine/opening.h"
#include "engine/preflight.h"
#include "engine/writer_lock.h"

namespace runlog::engine {
namespace {

namespace fs = std::filesystem;

/// Beside a writer a file may vanish between the moment RocksDB learns of it and opens it. Then
/// another attempt sees a newer list; several in a row failing is no accident.
constexpr int kOpenAttempts = 10;

/// The anchor is read first: what it says is durable was so before the database was looked at.
Result<OpenedView> OpenBeside(const fs::path& folder, const StoreOptions& options) {
  const Result<std::optional<format::Anchor>> anchor = ReadAnchor(folder);
  if (!anchor.ok()) return anchor.status();
  Result<std::shared_ptr<Rocks>> rocks = Rocks::Open(folder, OpenMode::kSecondary, options, {});
  if (!rocks.ok()) return rocks.status();
  return OpenedView{*std::move(rocks), ViewKind::kSecondary, anchor->value_or(format::Anchor())};
}

Result<OpenedView> OpenAlone(const fs::path& folder, const StoreOptions& options, ViewUse use) {
  const Result<std::uint64_t> writer = WriterLock::Identity(folder);
  if (!writer.ok()) return writer.status();
  const Result<Preflight> preflight = RunPreflight(folder, *writer);
  if (!preflight.ok()) return preflight.status();
  // Without the tables nobody knows up to where the logs may be replayed.
  const bool accepted =
      options.accept_loss && preflight->can_be_accepted() && preflight->have_commit;
  if (!accepted) {
    if (Status s = preflight->Verdict(folder); !s.ok()) return s;
  }
  if (use == ViewUse::kFollow) {
    if (preflight->cut) {
      return Status(StatusCode::kReadOnly,
                    fmt::format("{} was not closed, and its logs end in records that do not follow "
                                "each other: open it once for writing, then follow it",
                                folder.string()));
    }
    return OpenBeside(folder, options);
  }
  Result<std::shared_ptr<Rocks>> rocks =
      Rocks::Open(folder, OpenMode::kReadOnly, options, {}, LogReplay{.cut = preflight->cut});
  if (!rocks.ok()) return rocks.status();
  OpenedView view{*std::move(rocks), ViewKind::kReadOnly,
                  preflight->anchor.value_or(format::Anchor())};
  if (accepted) view.anchor.durable = {};
  return view;
}

/// A number that changes whenever a process opens the store for writing, or closes it.
std::uint64_t Generation(const fs::path& folder) {
  const Result<std::optional<format::Anchor>> anchor = ReadAnchor(folder);
  return anchor.ok() && *anchor ? (*anchor)->generation : 0;
}

}  // namespace

Result<OpenedView> OpenForReading(const fs::path& folder, const StoreOptions& options,
                                  ViewUse use) {
  Status last;
  for (int attempt = 0; attempt < kOpenAttempts; ++attempt) {
    const Result<bool> held = WriterLock::IsHeld(folder);
    if (!held.ok()) return held.status();
    const std::uint64_t before = Generation(folder);
    Result<OpenedView> view = *held ? OpenBeside(folder, options) : OpenAlone(folder, options, use);
    if (view.ok()) return view;
    last = view.status();
    const Result<bool> held_now = WriterLock::IsHeld(folder);
    if (!held_now.ok()) return held_now.status();
    // Nobody wrote before, between or after: what failed will fail again.
    if (!*held && !*held_now && Generation(folder) == before) break;
  }
  if (Rocks::IsUnfinished(folder)) {
    return Status(StatusCode::kNotFound,
                  fmt::format("the store in {} is not made to its end yet", folder.string()));
  }
  return last;
}

}  // namespace runlog::engine
