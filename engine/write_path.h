// What EventStore's writing calls do on their callers' workers: check, encode, pin, queue, and turn
// the verdict into an answer.

#ifndef RUNLOG_ENGINE_WRITE_PATH_H_
#define RUNLOG_ENGINE_WRITE_PATH_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <runlog/event.h>
#include <runlog/options.h>
#include <runlog/receipt.h>
#include <runlog/status.h>

#include "engine/command_pinner.h"
#include "engine/committer.h"
#include "engine/notifier.h"
#include "engine/store_core.h"

namespace runlog::engine {

/// Concurrency: any worker.
class WritePath {
 public:
  WritePath(StoreCore& core, Committer& committer, Notifier& notifier)
      : core_(core), committer_(committer), notifier_(notifier), pinner_(core) {}

  using AppendDone = std::function<void(Result<AppendReceipt>)>;

  Result<AppendReceipt> Append(std::string_view thread_id, std::span<const Event> events,
                               const AppendOptions& options);
  Status AppendAsync(std::string_view thread_id, std::span<const Event> events,
                     const AppendOptions& options, AppendDone done);

  struct PutOutcome {
    bool created = false;
    std::uint64_t seq = 0;
    std::uint64_t commit = 0;
  };
  Result<PutOutcome> PutIfAbsent(std::string_view thread_id, const Event& event,
                                 const PutOptions& options);

  Result<DeleteReceipt> Delete(std::string_view thread_id, std::optional<std::string_view> run_id,
                               const DeleteOptions& options);
  Result<AppendReceipt> Resolve(std::string_view thread_id, std::string_view key);

 private:
  Deadline DeadlineOf(const std::optional<std::chrono::milliseconds>& timeout) const;
  Result<std::shared_ptr<AppendCommand>> MakeAppend(std::string_view thread_id,
                                                    std::span<const Event> events,
                                                    const AppendOptions& options) const;
  template <typename C>
  Status RunToVerdict(const std::shared_ptr<C>& command, Deadline deadline);
  Status SubmitAsync(const std::shared_ptr<AppendCommand>& command, Deadline deadline,
                     AppendDone done);
  Result<AppendReceipt> Answer(const AppendCommand& command) const;
  Result<bool> SomeDeleted(ThreadEntry& entry, const AppendReceipt& receipt) const;
  Status Count(Status status) const;

  StoreCore& core_;
  Committer& committer_;
  Notifier& notifier_;
  CommandPinner pinner_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_WRITE_PATH_H_
