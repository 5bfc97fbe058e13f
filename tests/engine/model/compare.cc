#include "tests/engine/model/compare.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/status_matchers.h"

namespace runlog::testing {
namespace {

std::int64_t Microseconds(const std::optional<Timestamp>& at) {
  return at ? at->microseconds : INT64_MIN;
}

/// The holes of a batch and the order of its items.
std::vector<Hole> CheckItems(const TailBatch& got, const TailAnswer& wanted,
                             std::string_view thread_id) {
  std::vector<Hole> holes;
  auto event = wanted.events.begin();
  std::uint64_t previous = 0;
  for (const TailItem& item : got.items()) {
    if (item.kind == TailItemKind::kEvent) {
      EXPECT_NE(event, wanted.events.end()) << "an event too many: seq " << item.event.seq();
      if (event == wanted.events.end()) return holes;
      ExpectSame(item.event, **event++, thread_id);
      EXPECT_GT(item.event.seq(), previous);
      previous = item.event.seq();
    } else if (item.kind == TailItemKind::kHole) {
      EXPECT_GT(item.hole.first_seq, previous);
      previous = item.hole.last_seq;
      holes.push_back(item.hole);
    } else {
      continue;
    }
    EXPECT_EQ(item.incarnation, wanted.incarnation);
  }
  EXPECT_EQ(event, wanted.events.end()) << "an event is missing: seq " << (*event)->seq;
  return holes;
}

}  // namespace

void ExpectSame(const AppendReceipt& got, const AppendReceipt& wanted) {
  EXPECT_EQ(got.first_seq, wanted.first_seq);
  EXPECT_EQ(got.last_seq, wanted.last_seq);
  EXPECT_EQ(got.count, wanted.count);
  EXPECT_EQ(got.commit, wanted.commit);
  EXPECT_EQ(got.incarnation, wanted.incarnation);
  EXPECT_EQ(got.epoch, wanted.epoch);
  EXPECT_EQ(got.durability, wanted.durability);
  EXPECT_EQ(got.replayed, wanted.replayed);
  EXPECT_EQ(got.deleted, wanted.deleted);
}

void ExpectSame(const DeleteReceipt& got, const DeleteReceipt& wanted) {
  EXPECT_EQ(got.deleted, wanted.deleted);
  EXPECT_EQ(got.commit, wanted.commit);
  EXPECT_EQ(got.incarnation, wanted.incarnation);
  EXPECT_EQ(got.incarnation_ended, wanted.incarnation_ended);
}

void ExpectSame(const EventView& got, const ModelEvent& wanted, std::string_view thread_id) {
  EXPECT_EQ(got.seq(), wanted.seq);
  EXPECT_EQ(got.commit(), wanted.commit);
  EXPECT_EQ(Differences(got, thread_id, wanted.draft), "") << "seq " << wanted.seq;
  EXPECT_EQ(got.task_id(), TaskOf(wanted.draft.metadata).value_or(""));
  EXPECT_EQ(got.caller(), CallerOf(wanted.draft.metadata));
}

void ExpectSame(const Page& got, const PageAnswer& wanted, std::string_view thread_id) {
  Seqs seqs;
  for (const ModelEvent* event : wanted.events)
    seqs.push_back(event->seq);
  EXPECT_EQ(SeqsOf(got), seqs);
  if (SeqsOf(got) == seqs) {
    for (std::size_t i = 0; i < seqs.size(); ++i)
      ExpectSame(got.events()[i], *wanted.events[i], thread_id);
  }
  EXPECT_EQ(got.has_more(), wanted.has_more);
  EXPECT_EQ(got.highest_seq_scanned(), wanted.highest_seq_scanned);
  EXPECT_EQ(got.high_water(), wanted.high_water);
  EXPECT_EQ(got.incarnation(), wanted.incarnation);
  EXPECT_EQ(got.epoch(), 1U);
  EXPECT_EQ(got.cursor_ahead(), wanted.cursor_ahead);
}

void ExpectSame(const Counts& got, const Counts& wanted) {
  EXPECT_EQ(got.events, wanted.events);
  EXPECT_EQ(got.messages, wanted.messages);
  EXPECT_EQ(got.bytes, wanted.bytes);
}

void ExpectSame(const ThreadSummary& got, const ThreadSummary& wanted) {
  SCOPED_TRACE("thread \"" + wanted.thread_id + "\"");
  EXPECT_EQ(got.thread_id, wanted.thread_id);
  EXPECT_EQ(got.incarnation, wanted.incarnation);
  EXPECT_EQ(got.last_seq, wanted.last_seq);
  ExpectSame(got.live, wanted.live);
  EXPECT_EQ(got.runs, wanted.runs);
  EXPECT_EQ(Microseconds(got.first_at), Microseconds(wanted.first_at));
  EXPECT_EQ(Microseconds(got.last_at), Microseconds(wanted.last_at));
}

void ExpectSame(const RunSummary& got, const RunSummary& wanted) {
  SCOPED_TRACE("run \"" + wanted.run_id + "\"");
  EXPECT_EQ(got.run_id, wanted.run_id);
  EXPECT_EQ(got.state, wanted.state);
  EXPECT_EQ(got.status, wanted.status);
  EXPECT_EQ(got.first_seq, wanted.first_seq);
  EXPECT_EQ(got.last_seq, wanted.last_seq);
  ExpectSame(got.live, wanted.live);
  EXPECT_EQ(Microseconds(got.first_at), Microseconds(wanted.first_at));
  EXPECT_EQ(Microseconds(got.last_at), Microseconds(wanted.last_at));
  EXPECT_EQ(got.retention_revision, wanted.retention_revision);
}

void ExpectSame(const Change& got, const Change& wanted) {
  SCOPED_TRACE("commit " + std::to_string(wanted.commit));
  EXPECT_EQ(got.commit, wanted.commit);
  EXPECT_EQ(got.kind, wanted.kind);
  EXPECT_EQ(got.thread_id, wanted.thread_id);
  EXPECT_EQ(got.incarnation, wanted.incarnation);
  EXPECT_EQ(got.first_seq, wanted.first_seq);
  EXPECT_EQ(got.count, wanted.count);
  EXPECT_EQ(got.run_id, wanted.run_id);
  EXPECT_EQ(got.user_id, wanted.user_id);
  EXPECT_EQ(got.incarnation_ended, wanted.incarnation_ended);
}

void ExpectSame(const TailBatch& got, const TailAnswer& wanted, const ModelThread* thread,
                std::string_view thread_id) {
  const auto& items = got.items();
  const auto count_of = [&](TailItemKind kind) {
    return std::count_if(items.begin(), items.end(),
                         [&](const TailItem& item) { return item.kind == kind; });
  };
  EXPECT_EQ(count_of(TailItemKind::kReset), wanted.reset ? 1 : 0);
  if (wanted.reset && !items.empty()) {
    EXPECT_EQ(items.front().kind, TailItemKind::kReset);
    EXPECT_EQ(items.front().incarnation, wanted.incarnation);
  }
  ExpectHoles(CheckItems(got, wanted, thread_id), thread, wanted.holes_after, wanted.holes_before);
  EXPECT_EQ(count_of(TailItemKind::kCaughtUp), wanted.caught_up ? 1 : 0);
  EXPECT_EQ(count_of(TailItemKind::kEnd), wanted.end ? 1 : 0);
  if (wanted.end && !items.empty()) {
    EXPECT_EQ(items.back().kind, TailItemKind::kEnd);
    EXPECT_EQ(items.back().end, *wanted.end);
  }
}

void ExpectHoles(const std::vector<Hole>& got, const ModelThread* thread, std::uint64_t after_seq,
                 std::uint64_t before_seq) {
  Seqs wanted;
  if (thread != nullptr) {
    for (const ModelEvent& event : thread->events) {
      const bool inside = event.seq > after_seq && event.seq < before_seq;
      if (inside && !event.live) wanted.push_back(event.seq);
    }
  }
  Seqs seqs;
  const Hole* previous = nullptr;
  for (const Hole& hole : got) {
    for (std::uint64_t seq = hole.first_seq; seq <= hole.last_seq; ++seq) {
      seqs.push_back(seq);
      if (thread == nullptr || seq == 0 || seq > thread->mark()) continue;
      const auto& erased_by = thread->events[seq - 1].erased_by;
      const std::pair named{hole.reason, hole.commit};
      EXPECT_NE(std::find(erased_by.begin(), erased_by.end(), named), erased_by.end())
          << "seq " << seq << " was not erased by commit " << hole.commit << " for reason "
          << static_cast<int>(hole.reason);
    }
    if (previous != nullptr && previous->last_seq + 1 == hole.first_seq) {
      EXPECT_FALSE(previous->commit == hole.commit && previous->reason == hole.reason)
          << "holes of one delete are not joined at seq " << hole.first_seq;
    }
    previous = &hole;
  }
  EXPECT_EQ(seqs, wanted);
}

void ExpectSameThread(const Reader& reader, const Model& model, const std::string& thread_id) {
  SCOPED_TRACE("thread \"" + thread_id + "\"");
  const PageQuestion everything{.thread_id = thread_id, .request = {.limit = INT64_MAX}};
  const Result<Page> page = reader.ThreadEvents(thread_id, everything.request);
  ASSERT_OK(page);
  ExpectSame(*page, model.Read(everything).value, thread_id);
  for (const bool include_deleted : {false, true}) {
    const Result<std::vector<RunSummary>> runs = reader.Runs(thread_id, include_deleted);
    ASSERT_OK(runs);
    const std::vector<RunSummary> wanted = model.Runs(thread_id, include_deleted);
    ASSERT_EQ(runs->size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      ExpectSame((*runs)[i], wanted[i]);
  }
  const Result<Counts> counts = reader.Count(thread_id);
  ASSERT_OK(counts);
  ExpectSame(*counts, model.Count(thread_id, std::nullopt));
  const Result<std::vector<Hole>> holes = reader.Holes(thread_id, 0, ~std::uint64_t{0});
  ASSERT_OK(holes);
  ExpectHoles(*holes, model.Find(thread_id), 0, ~std::uint64_t{0});
}

void ExpectSameStore(const Reader& reader, const Model& model) {
  for (const auto& [thread_id, thread] : model.threads())
    ExpectSameThread(reader, model, thread_id);
  const Result<std::vector<ThreadSummary>> threads = reader.Threads(0, SIZE_MAX);
  ASSERT_OK(threads);
  const std::vector<ThreadSummary> wanted = model.Threads(0, SIZE_MAX);
  ASSERT_EQ(threads->size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ExpectSame((*threads)[i], wanted[i]);
}

}  // namespace runlog::testing
