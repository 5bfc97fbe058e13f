// One event to append, owning its bytes, with defaults that do not matter to most tests.

#ifndef RUNLOG_TESTS_SUPPORT_DRAFT_H_
#define RUNLOG_TESTS_SUPPORT_DRAFT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <runlog/event.h>
#include <runlog/page.h>

namespace runlog::testing {

struct Draft {
  std::string run = "r1";
  std::string type = "run.step";
  std::string category = "trace";
  ContentKind kind = ContentKind::kText;
  std::string content = "text";
  std::string metadata;
  std::optional<std::string> user;
  std::optional<Timestamp> created_at;
  std::string extra;
  std::string state;
  std::optional<std::int64_t> step;
  std::uint32_t segment = 0;
  std::string parent_run;
  std::string correlation;
  std::string writer;
  std::uint64_t writer_seq = 0;
  bool is_volatile = false;

  Draft Of(std::string user_id) const;
  Draft With(std::string metadata_json) const;
  Draft Json(std::string json) const;
  /// Borrows this draft.
  Event AsEvent() const;
  friend bool operator==(const Draft&, const Draft&) = default;
};

Draft InRun(std::string run);
Draft Message(std::string run = "r1", std::string type = "llm.human.input");
Draft OfType(std::string type, std::string run = "r1");
/// The same draft so many times.
std::vector<Draft> Times(std::size_t count, const Draft& draft);

/// Borrows the drafts.
std::vector<Event> AsEvents(std::span<const Draft> drafts);

/// What the store says of an event that is not what was appended, field by field; empty where all
/// is as it should be.
std::string Differences(const EventView& event, std::string_view thread_id, const Draft& draft);

using Seqs = std::vector<std::uint64_t>;
/// first, first + 1, ..., last.
Seqs Range(std::uint64_t first, std::uint64_t last);
Seqs SeqsOf(const Page& page);

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_SUPPORT_DRAFT_H_
