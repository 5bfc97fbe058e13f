// Step 1 of every command: makes what the committer will look at part of the thread's entry,
// reading the disk where needed. Runs on callers' workers; may be repeated when a command missed.

#ifndef RUNLOG_ENGINE_COMMAND_PINNER_H_
#define RUNLOG_ENGINE_COMMAND_PINNER_H_

#include <string_view>

#include <runlog/status.h>

#include "engine/command.h"
#include "engine/store_core.h"

namespace runlog::engine {

class CommandPinner {
 public:
  explicit CommandPinner(StoreCore& core) : core_(core) {}

  /// First time: pins the entry and the slots.
  Status Begin(std::string_view thread_id, AppendCommand& command);
  Status Begin(std::string_view thread_id, DeleteCommand& command);

  /// Every time, before the command is queued.
  Status Refresh(AppendCommand& command);
  Status Refresh(DeleteCommand& command);

 private:
  Status LoadIdempotency(const AppendCommand& command);
  Status LoadSingleton(const AppendCommand& command);
  Status LoadOwners(DeleteCommand& command, format::ThreadNumber thread,
                    const std::vector<format::OwnerNumber>& owners);
  Status LoadSurvivingState(DeleteCommand& command, format::ThreadNumber thread,
                            const RunEntry& run, format::OwnerNumber owner);

  StoreCore& core_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_COMMAND_PINNER_H_
