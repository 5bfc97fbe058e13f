#include "tools/names.h"

namespace runlog::tools {

std::string_view RunStateName(RunState state) {
  switch (state) {
    case RunState::kRunning:
      return "running";
    case RunState::kEnded:
      return "ended";
    case RunState::kDeleted:
      return "deleted";
  }
  return "unknown";
}

std::string_view HoleReasonName(HoleReason reason) {
  switch (reason) {
    case HoleReason::kRunDeleted:
      return "run_deleted";
    case HoleReason::kOwnerErased:
      return "owner_erased";
    case HoleReason::kTrimmed:
      return "trimmed";
    case HoleReason::kFolded:
      return "folded";
    case HoleReason::kLost:
      return "lost";
    case HoleReason::kAbsentInSource:
      return "absent_in_source";
  }
  return "unknown";
}

std::string_view CommitKindName(CommitKind kind) {
  switch (kind) {
    case CommitKind::kAppend:
      return "append";
    case CommitKind::kPutIfAbsent:
      return "put_if_absent";
    case CommitKind::kDeleteRun:
      return "delete_run";
    case CommitKind::kDeleteThread:
      return "delete_thread";
  }
  return "unknown";
}

std::string_view TailEndName(TailEnd end) {
  switch (end) {
    case TailEnd::kTerminal:
      return "terminal";
    case TailEnd::kThreadDeleted:
      return "thread_deleted";
    case TailEnd::kRunDeleted:
      return "run_deleted";
  }
  return "unknown";
}

std::string_view ViewKindName(ViewKind kind) {
  switch (kind) {
    case ViewKind::kReadOnly:
      return "read_only";
    case ViewKind::kSecondary:
      return "secondary";
  }
  return "unknown";
}

}  // namespace runlog::tools
