#include <utility>

#include <fmt/format.h>

#include <runlog/doctor.h>

#include "engine/format_file.h"
#include "engine/preflight.h"
#include "engine/writer_lock.h"

namespace runlog {
namespace {

Diagnosis FromPreflight(engine::Preflight preflight) {
  Diagnosis diagnosis;
  diagnosis.can_be_accepted = preflight.can_be_accepted();
  diagnosis.have_commit = preflight.have_commit;
  diagnosis.want_commit = preflight.want_commit;
  if (preflight.anchor) {
    diagnosis.epoch = preflight.anchor->epoch;
    diagnosis.closed_clean = preflight.anchor->clean;
  }
  for (engine::Obstacle& obstacle : preflight.obstacles) {
    diagnosis.findings.push_back({std::move(obstacle.file), obstacle.code, std::move(obstacle.what),
                                  obstacle.can_be_accepted});
  }
  return diagnosis;
}

}  // namespace

Result<Diagnosis> Diagnose(const std::filesystem::path& folder) {
  const Result<engine::FolderKind> kind = engine::InspectFolder(folder);
  if (!kind.ok()) return kind.status();
  if (*kind != engine::FolderKind::kStore) {
    return Status(StatusCode::kNotFound, fmt::format("{} holds no store", folder.string()));
  }
  const Result<bool> held = engine::WriterLock::IsHeld(folder);
  if (!held.ok()) return held.status();
  if (*held) {
    Diagnosis diagnosis;
    diagnosis.is_held = true;
    return diagnosis;
  }
  const Result<std::uint64_t> writer = engine::WriterLock::Identity(folder);
  if (!writer.ok()) return writer.status();
  Result<engine::Preflight> preflight = engine::RunPreflight(folder, *writer);
  if (!preflight.ok()) return preflight.status();
  return FromPreflight(*std::move(preflight));
}

}  // namespace runlog
