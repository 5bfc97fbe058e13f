#include "engine/write_path.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "format/event_codec.h"
#include "format/keys.h"
#include "format/records.h"

namespace runlog::engine {
namespace {

/// What a queued command weighs beside its events' bodies.
constexpr std::uint64_t kCommandBytes = 512;
constexpr std::uint64_t kQueuedEventBytes = 200;

Status CheckIdempotencyKey(std::string_view key) {
  if (key.size() > kIdempotencyKeyBytesMax) {
    return Status(StatusCode::kInvalidArgument, fmt::format("idempotency_key: {} bytes, at most {}",
                                                            key.size(), kIdempotencyKeyBytesMax));
  }
  return {};
}

/// What a missed command is answered when its deadline comes first.
Status OverloadedByMisses() {
  return Status(StatusCode::kOverloaded,
                "the thread's state was dropped again and again before the command's turn came, "
                "until the deadline; nothing was written");
}

}  // namespace

Deadline WritePath::DeadlineOf(const std::optional<std::chrono::milliseconds>& timeout) const {
  // A bound far below the clock's own keeps the sum from overflowing.
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365);
  return std::chrono::steady_clock::now() +
         std::min(timeout.value_or(core_.options.timeout), kLongest);
}

Status WritePath::Count(Status status) const {
  if (status.code() == StatusCode::kConflict) Bump(core_.counters.conflicts);
  return status;
}

Result<std::shared_ptr<AppendCommand>> WritePath::MakeAppend(std::string_view thread_id,
                                                             std::span<const Event> events,
                                                             const AppendOptions& options) const {
  if (Status s = format::CheckId("thread_id", thread_id); !s.ok()) return s;
  if (Status s = CheckIdempotencyKey(options.idempotency_key); !s.ok()) return s;
  const Limits& limits = core_.options.limits;
  if (events.size() > limits.append_events) {
    return Status(StatusCode::kTooLarge, fmt::format("append: {} events, at most {}", events.size(),
                                                     limits.append_events));
  }
  auto command = std::make_shared<AppendCommand>();
  const Timestamp now = core_.options.clock->Now();
  command->at_us = now.microseconds;
  command->durability = options.durability.value_or(core_.options.durability);
  command->expected_seq = options.expected_seq;
  command->expect_incarnation = options.expect_incarnation;
  command->idempotency_key = std::string(options.idempotency_key);
  command->events.reserve(events.size());
  std::uint64_t append_bytes = 0;
  std::string digests;
  for (std::size_t i = 0; i < events.size(); ++i) {
    Result<format::EncodedEvent> encoded = format::EncodeEvent(thread_id, events[i], now, limits);
    if (!encoded.ok()) {
      return Status(encoded.status().code(), fmt::format("event {} of {}: {}", i + 1, events.size(),
                                                         encoded.status().message()));
    }
    append_bytes += encoded->value_bytes();
    if (append_bytes > limits.append_bytes) {
      return Status(StatusCode::kTooLarge,
                    fmt::format("append: {} bytes with event {} of {}, at most {}", append_bytes,
                                i + 1, events.size(), limits.append_bytes));
    }
    if (!options.idempotency_key.empty()) {
      const format::Digest128 digest = format::RequestDigest(thread_id, events[i]);
      digests += format::EncodeU64(digest.low) + format::EncodeU64(digest.high);
    }
    command->events.push_back(*std::move(encoded));
  }
  command->request_digest = format::Hash128(digests);
  command->bytes = kCommandBytes + append_bytes + kQueuedEventBytes * events.size();
  return command;
}

/// Queues the command until the committer has a verdict other than "pin again".
template <typename C>
Status WritePath::RunToVerdict(const std::shared_ptr<C>& command, Deadline deadline) {
  while (true) {
    if (Status s = pinner_.Refresh(*command); !s.ok()) return s;
    if (Status s = committer_.Run(command, deadline); !s.ok()) return s;
    if (command->verdict != Verdict::kMissed) break;
    if (std::chrono::steady_clock::now() > deadline) return OverloadedByMisses();
    command->Reset();
  }
  return command->verdict == Verdict::kCommitted ? Status() : command->status;
}

Result<AppendReceipt> WritePath::Append(std::string_view thread_id, std::span<const Event> events,
                                        const AppendOptions& options) {
  const LatencyTimer timer(core_.counters.append_latency);
  Result<std::shared_ptr<AppendCommand>> command = MakeAppend(thread_id, events, options);
  if (!command.ok()) return command.status();
  if (events.empty()) return AppendReceipt{.durability = (*command)->durability};
  const Deadline deadline = DeadlineOf(options.timeout);
  if (Status s = pinner_.Begin(thread_id, **command); !s.ok()) return s;
  if (Status s = RunToVerdict(*command, deadline); !s.ok()) return Count(std::move(s));
  return Answer(**command);
}

Result<AppendReceipt> WritePath::Answer(const AppendCommand& command) const {
  AppendReceipt receipt = command.receipt;
  if (!receipt.replayed) {
    std::uint64_t bytes = 0;
    for (const format::EncodedEvent& event : command.events)
      bytes += event.value_bytes();
    Bump(core_.counters.event_bytes, bytes);
    return receipt;
  }
  Bump(core_.counters.idempotent_replays);
  const Result<bool> deleted = SomeDeleted(*command.thread, receipt);
  if (!deleted.ok()) return deleted.status();
  receipt.deleted = *deleted;
  return receipt;
}

Result<bool> WritePath::SomeDeleted(ThreadEntry& entry, const AppendReceipt& receipt) const {
  std::shared_ptr<const HiddenSet> hidden;
  {
    const std::lock_guard lock(entry.mutex);
    if (Raw(entry.state.thread) != receipt.incarnation) return true;
    hidden = core_.hidden.Of(entry.state.thread);
  }
  const format::ThreadNumber thread{receipt.incarnation};
  const format::EventKeyBytes first = format::Encode(format::EventKey{thread, receipt.first_seq});
  const format::EventKeyBytes end = format::Encode(format::EventKey{thread, receipt.last_seq + 1});
  const rocksdb::Slice upper(end.data(), end.size());
  rocksdb::ReadOptions reading = Rocks::Reading();
  reading.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> rows(
      core_.rocks->db().NewIterator(reading, core_.rocks->family(format::Family::kEvents)));
  std::uint64_t live = 0;
  std::uint64_t seq = receipt.first_seq;
  for (rows->Seek(rocksdb::Slice(first.data(), first.size())); rows->Valid(); rows->Next()) {
    const auto key = format::DecodeEventKey(rows->key().ToStringView());
    if (!key || key->seq != seq++) return true;
    const Result<format::EventHeader> header =
        format::PeekEventHeader(rows->value().ToStringView());
    if (!header.ok()) return header.status();
    if (hidden != nullptr && hidden->Hides(header->run, header->owner, key->seq)) return true;
    ++live;
  }
  if (!rows->status().ok()) return FromRocks(rows->status(), "reading events");
  return live < receipt.count;
}

Status WritePath::AppendAsync(std::string_view thread_id, std::span<const Event> events,
                              const AppendOptions& options, AppendDone done) {
  Result<std::shared_ptr<AppendCommand>> command = MakeAppend(thread_id, events, options);
  if (!command.ok()) return command.status();
  if (events.empty()) {
    const AppendReceipt receipt{.durability = (*command)->durability};
    notifier_.Call([done = std::move(done), receipt] { done(receipt); });
    return {};
  }
  if (Status s = pinner_.Begin(thread_id, **command); !s.ok()) return s;
  return SubmitAsync(*command, DeadlineOf(options.timeout), std::move(done));
}

/// A command that missed is pinned and queued again by the notifier's worker.
Status WritePath::SubmitAsync(const std::shared_ptr<AppendCommand>& command, Deadline deadline,
                              AppendDone done) {
  if (Status s = pinner_.Refresh(*command); !s.ok()) return s;
  // The command owns the call and the call must not own the command.
  AppendCommand* const raw = command.get();
  const std::weak_ptr<AppendCommand> weak = command;
  command->on_done = [this, raw, weak, deadline, done] {
    if (raw->verdict == Verdict::kCommitted) return done(Answer(*raw));
    if (raw->verdict != Verdict::kMissed) return done(Count(raw->status));
    const std::shared_ptr<AppendCommand> again = weak.lock();
    again->Reset();
    if (Status s = SubmitAsync(again, deadline, done); !s.ok()) done(std::move(s));
  };
  return committer_.Submit(command, deadline);
}

Result<WritePath::PutOutcome> WritePath::PutIfAbsent(std::string_view thread_id, const Event& event,
                                                     const PutOptions& options) {
  const LatencyTimer timer(core_.counters.append_latency);
  const AppendOptions as_append{.durability = options.durability,
                                .expect_incarnation = options.expect_incarnation};
  Result<std::shared_ptr<AppendCommand>> command =
      MakeAppend(thread_id, std::span(&event, 1), as_append);
  if (!command.ok()) return command.status();
  (*command)->singleton = true;
  const Deadline deadline = DeadlineOf(options.timeout);
  if (Status s = pinner_.Begin(thread_id, **command); !s.ok()) return s;
  if (Status s = RunToVerdict(*command, deadline); !s.ok()) return s;
  if ((*command)->found_seq != 0) {
    Bump(core_.counters.singletons_found);
    return PutOutcome{.created = false, .seq = (*command)->found_seq};
  }
  Bump(core_.counters.event_bytes, (*command)->events.front().value_bytes());
  return PutOutcome{
      .created = true, .seq = (*command)->receipt.first_seq, .commit = (*command)->commit};
}

Result<DeleteReceipt> WritePath::Delete(std::string_view thread_id,
                                        std::optional<std::string_view> run_id,
                                        const DeleteOptions& options) {
  auto command = std::make_shared<DeleteCommand>();
  // An id no store would accept names nothing.
  if (!format::CheckId("thread_id", thread_id).ok()) return DeleteReceipt{};
  if (run_id) {
    if (!format::CheckId("run_id", *run_id).ok()) return DeleteReceipt{};
    command->run_id = std::string(*run_id);
  }
  if (options.user_id) {
    if (!format::CheckId("user_id", *options.user_id).ok()) return DeleteReceipt{};
    command->user_id = std::string(*options.user_id);
  }
  command->durability = options.durability.value_or(core_.options.durability);
  command->at_us = core_.options.clock->Now().microseconds;
  command->bytes = kCommandBytes;
  const Deadline deadline = DeadlineOf(options.timeout);
  if (Status s = pinner_.Begin(thread_id, *command); !s.ok()) return s;
  if (Status s = RunToVerdict(command, deadline); !s.ok()) return s;
  return command->receipt;
}

Result<AppendReceipt> WritePath::Resolve(std::string_view thread_id, std::string_view key) {
  if (Status s = format::CheckId("thread_id", thread_id); !s.ok()) return s;
  if (key.empty()) return Status(StatusCode::kInvalidArgument, "idempotency_key: is empty");
  if (Status s = CheckIdempotencyKey(key); !s.ok()) return s;
  // An append of no events with the key goes through the queue: behind it, nothing that was queued
  // before can still commit unseen. It writes nothing.
  auto command = std::make_shared<AppendCommand>();
  command->idempotency_key = std::string(key);
  command->resolves = true;
  command->bytes = kCommandBytes;
  if (Status s = pinner_.Begin(thread_id, *command); !s.ok()) return s;
  if (Status s = RunToVerdict(command, DeadlineOf({})); !s.ok()) return s;
  return Answer(*command);
}

}  // namespace runlog::engine
