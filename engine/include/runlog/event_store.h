// runlog/event_store.h - a store, opened for writing.
//
// One process at a time may hold a store open for writing; see runlog/store_view.h for reading from
// any other. Threads, runs and owners come into being with their first event.

#ifndef RUNLOG_EVENT_STORE_H_
#define RUNLOG_EVENT_STORE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <runlog/event.h>
#include <runlog/export.h>
#include <runlog/options.h>
#include <runlog/page.h>
#include <runlog/reader.h>
#include <runlog/receipt.h>
#include <runlog/stats.h>
#include <runlog/status.h>
#include <runlog/tail.h>

namespace runlog {

/// What put_if_absent found or made. `page.events()` holds exactly the stored event; none where
/// this call made it and it was deleted before the call returned.
struct PutResult {
  bool created = false;
  std::uint64_t seq = 0;
  std::uint64_t commit = 0;  ///< 0 where nothing was written.
  Page page;
};

/// A store.
///
/// Errors of every write: kInvalidArgument and kTooLarge (field, value, limit), kOverloaded (no
/// room before the deadline; nothing was written), kUnknown (the deadline or a failed device came
/// when the write was already under way), kReadOnly (an earlier write failed; names its cause),
/// kClosed. Concurrency: any number of workers. Source: engine/ARCHITECTURE.md.
class RUNLOG_EXPORT EventStore {
 public:
  /// Opens or makes the store in `folder`.
  /// Errors: kLocked (names the process that holds it), kUnsupported (a newer format; the folder is
  ///         not touched), kNotFound (no store and not to be made), kInvalidArgument (the folder
  ///         holds other files, or its store is another user's or may be written by others),
  ///         kCorruption, kIoError.
  static Result<std::unique_ptr<EventStore>> Open(const std::filesystem::path& folder,
                                                  const StoreOptions& options = {});
  /// Closes if Close was not called.
  ~EventStore();
  EventStore(const EventStore&) = delete;
  EventStore& operator=(const EventStore&) = delete;

  /// Appends 1 to 10 000 events to one thread: all or none, contiguous seqs in input order. Any
  /// runs and owners may be mixed. No events: OK, nothing is written.
  Result<AppendReceipt> Append(std::string_view thread_id, std::span<const Event> events,
                               const AppendOptions& options = {});

  /// As Append, but returns when the command has its place in the queue; `done` is called once,
  /// from the store's notifier worker, and must not block. What an error before that place says is
  /// returned and `done` is not called.
  /// Commands of one worker on one thread commit in the order they were submitted.
  Status AppendAsync(std::string_view thread_id, std::span<const Event> events,
                     const AppendOptions& options, std::function<void(Result<AppendReceipt>)> done);

  /// Appends `event` unless (thread, run, event_type) has a live event; either way returns the
  /// stored one. Owner, category and content play no part in the match; the lowest seq wins.
  Result<PutResult> PutIfAbsent(std::string_view thread_id, const Event& event,
                                const PutOptions& options = {});

  /// Deletes a run's events, or one owner's. The high-water mark stays. Unknown: deletes 0.
  Result<DeleteReceipt> DeleteRun(std::string_view thread_id, std::string_view run_id,
                                  const DeleteOptions& options = {});

  /// Deletes a thread's events, or one owner's. When no event remains under any owner or category,
  /// the incarnation ends, also if it had none before. Unknown: deletes 0.
  Result<DeleteReceipt> DeleteThread(std::string_view thread_id, const DeleteOptions& options = {});

  /// What became of the append with this idempotency key.
  /// Errors: kNotFound: it is not committed, and no command in the queue will commit it.
  Result<AppendReceipt> Resolve(std::string_view thread_id, std::string_view idempotency_key);

  /// Finishes pending purges, flushes, and compacts every family in full. Writers go on.
  Status Compact();

  const Reader& reader() const;
  Result<Tail> OpenTail(const TailRequest& request);
  Stats GetStats() const;

  /// Waits for queued commands, stops the workers, makes what is buffered durable and releases the
  /// lock. Pages that are still alive keep the database, and the lock, until they go. Safe to call
  /// again.
  Status Close();

 private:
  class Impl;
  explicit EventStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace runlog

#endif  // RUNLOG_EVENT_STORE_H_
