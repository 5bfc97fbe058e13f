#include "engine/read_moment.h"

namespace runlog::engine {

ReadMoment::ReadMoment(StoreCore& core) : core_(core) {
  if (!core.rocks->has_snapshots()) {
    standing_still_ = std::shared_lock<std::shared_mutex>(core.catching_up);
  }
}

void ReadMoment::Pin() {
  if (core_.rocks->has_snapshots()) snapshot_.emplace(&core_.rocks->db());
}

const rocksdb::Snapshot* ReadMoment::snapshot() const {
  // ManagedSnapshot::snapshot() is not const.
  return snapshot_ ? const_cast<rocksdb::ManagedSnapshot&>(*snapshot_).snapshot() : nullptr;
}

rocksdb::ReadOptions ReadMoment::Reading() const {
  return Rocks::Reading(snapshot());
}

index::IndexSource ReadMoment::index() const {
  return {&core_.rocks->db(), snapshot()};
}

}  // namespace runlog::engine
