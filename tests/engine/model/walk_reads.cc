#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/engine/model/compare.h"
#include "tests/engine/model/store_walk.h"
#include "tests/support/status_matchers.h"

namespace runlog::testing {
namespace {

void CheckPage(const Result<Page>& got, const Answer<PageAnswer>& wanted,
               const std::string& thread_id) {
  if (wanted.code != StatusCode::kOk) {
    EXPECT_THAT(got, FailsWith(wanted.code));
    return;
  }
  ASSERT_OK(got);
  ExpectSame(*got, wanted.value, thread_id);
}

std::string Text(const PageQuestion& question) {
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : "none"; };
  const EventFilter& filter = question.filter;
  std::string text = "\"" + question.thread_id + "\" run " + question.run_id.value_or("any") +
                     " after " + number(question.request.after_seq) + " before " +
                     number(question.request.before_seq) + " limit " +
                     std::to_string(question.request.limit);
  text += " category " + filter.category.value_or("any") + " task " +
          filter.task_id.value_or("any") + " user " + filter.user_id.value_or("any") + " types";
  if (!filter.types) return text + " any";
  for (const std::string& type : *filter.types)
    text += " " + type;
  return text;
}

}  // namespace

/// Around the thread's seqs, and at the ends of what a cursor can be.
std::int64_t StoreWalk::SomeSeq(const std::string& thread_id) {
  const ModelThread* thread = model_.Find(thread_id);
  const std::uint64_t mark = thread == nullptr ? 0 : thread->mark();
  switch (random_.Below(12)) {
    case 0:
      return 0;
    case 1:
      return random_.OneIn(2) ? -1 : INT64_MIN;
    case 2:
      return INT64_MAX - static_cast<std::int64_t>(random_.Below(2));
    default:
      return static_cast<std::int64_t>(random_.Below(mark + 4));
  }
}

PageRequest StoreWalk::SomeRequest(const std::string& thread_id) {
  static constexpr std::int64_t kLimits[] = {0, 1, 2, 3, 7, 50, 500, INT64_MAX};
  PageRequest request{.limit = kLimits[random_.Below(std::size(kLimits))]};
  if (random_.OneIn(60)) request.limit = -1;
  if (random_.OneIn(2)) request.after_seq = SomeSeq(thread_id);
  if (random_.OneIn(2)) request.before_seq = SomeSeq(thread_id);
  if (random_.OneIn(10)) request.expect_incarnation = SomeIncarnation(thread_id);
  return request;
}

void StoreWalk::ReadThread() {
  PageQuestion question{.thread_id = ThreadId(), .filter = drafts_.Filter()};
  question.request = SomeRequest(question.thread_id);
  SCOPED_TRACE("thread events " + Text(question));
  CheckPage(store_->reader().ThreadEvents(question.thread_id, question.request, question.filter),
            model_.Read(question), question.thread_id);
}

void StoreWalk::ReadRun() {
  PageQuestion question{
      .thread_id = ThreadId(), .run_id = drafts_.RunId(), .filter = drafts_.Filter()};
  question.request = SomeRequest(question.thread_id);
  SCOPED_TRACE("run events " + Text(question));
  CheckPage(store_->reader().RunEvents(question.thread_id, *question.run_id, question.request,
                                       question.filter),
            model_.Read(question), question.thread_id);
}

void StoreWalk::ReadMessages() {
  PageQuestion question{.thread_id = ThreadId(), .latest_first = true};
  if (random_.OneIn(2)) question.run_id = drafts_.RunId();
  question.filter.category = "message";
  if (random_.OneIn(2)) question.filter.user_id = drafts_.User();
  question.request = SomeRequest(question.thread_id);
  SCOPED_TRACE("messages " + Text(question));
  CheckPage(store_->reader().Messages(question.thread_id, question.run_id, question.request,
                                      question.filter.user_id),
            model_.Read(question), question.thread_id);
}

void StoreWalk::ReadOne() {
  const std::string thread_id = ThreadId();
  const auto seq = static_cast<std::uint64_t>(SomeSeq(thread_id));
  SCOPED_TRACE("seq " + std::to_string(seq) + " of \"" + thread_id + "\"");
  const Result<Page> got = store_->reader().EventAt(thread_id, seq);
  ASSERT_OK(got);
  const ModelThread* thread = model_.Find(thread_id);
  const bool is_there =
      thread != nullptr && seq >= 1 && seq <= thread->mark() && thread->events[seq - 1].live;
  ASSERT_EQ(got->size(), is_there ? 1U : 0U);
  if (is_there) ExpectSame(got->events().front(), thread->events[seq - 1], thread_id);
  EXPECT_EQ(got->high_water(), thread == nullptr ? 0 : thread->mark());
  EXPECT_EQ(got->incarnation(), thread == nullptr ? 0 : thread->incarnation);
}

void StoreWalk::ReadLatest() {
  PageQuestion question{.thread_id = ThreadId(),
                        .run_id = drafts_.RunId(),
                        .request = {.limit = 1},
                        .latest_first = true};
  question.filter.types.emplace().push_back(drafts_.Type());
  if (random_.OneIn(2)) question.filter.user_id = drafts_.User();
  SCOPED_TRACE("latest " + Text(question));
  CheckPage(store_->reader().LatestOfType(question.thread_id, *question.run_id,
                                          question.filter.types->front(), question.filter.user_id),
            model_.Read(question), question.thread_id);
}

void StoreWalk::ReadVisibleAi() {
  const std::string thread_id = ThreadId();
  std::vector<std::string> run_ids;
  for (std::uint64_t count = random_.Below(4); count > 0; --count)
    run_ids.push_back(drafts_.RunId());
  const std::optional<std::string> user =
      random_.OneIn(2) ? std::nullopt : std::optional(drafts_.User());
  SCOPED_TRACE("last visible AI seqs of \"" + thread_id + "\"");
  const auto got = store_->reader().LastVisibleAiSeqs(thread_id, run_ids, user);
  ASSERT_OK(got);
  EXPECT_EQ(*got, model_.LastVisibleAiSeqs(thread_id, run_ids, user));
}

void StoreWalk::ReadCounts() {
  const std::string thread_id = ThreadId();
  const std::optional<std::string> user = drafts_.MaybeUser();
  SCOPED_TRACE("count of \"" + thread_id + "\" user " + user.value_or("any"));
  const Result<Counts> got = store_->reader().Count(thread_id, user);
  ASSERT_OK(got);
  ExpectSame(*got, model_.Count(thread_id, user));
}

void StoreWalk::ReadSummaries() {
  const std::string thread_id = ThreadId();
  SCOPED_TRACE("summaries, \"" + thread_id + "\"");
  const Result<std::optional<ThreadSummary>> one = store_->reader().Thread(thread_id);
  ASSERT_OK(one);
  const std::optional<ThreadSummary> wanted = model_.Thread(thread_id);
  ASSERT_EQ(one->has_value(), wanted.has_value());
  if (wanted) ExpectSame(**one, *wanted);
  ExpectSameThread(store_->reader(), model_, thread_id);

  const std::uint64_t after = random_.Below(highest_incarnation_ + 2);
  const std::size_t limit = random_.Below(10);
  const Result<std::vector<ThreadSummary>> listed = store_->reader().Threads(after, limit);
  ASSERT_OK(listed);
  const std::vector<ThreadSummary> wanted_list = model_.Threads(after, limit);
  ASSERT_EQ(listed->size(), wanted_list.size());
  for (std::size_t i = 0; i < wanted_list.size(); ++i)
    ExpectSame((*listed)[i], wanted_list[i]);
}

void StoreWalk::ReadHoles() {
  const std::string thread_id = ThreadId();
  const auto after = static_cast<std::uint64_t>(std::max<std::int64_t>(SomeSeq(thread_id), 0));
  const auto before = static_cast<std::uint64_t>(SomeSeq(thread_id));
  SCOPED_TRACE("holes of \"" + thread_id + "\" after " + std::to_string(after) + " before " +
               std::to_string(before));
  const Result<std::vector<Hole>> got = store_->reader().Holes(thread_id, after, before);
  ASSERT_OK(got);
  ExpectHoles(*got, model_.Find(thread_id), after, before);
}

/// Times never decrease along commits, and none is before the clock's at any earlier commit.
void StoreWalk::ReadChanges() {
  const std::uint64_t after = random_.Below(model_.last_commit() + 3);
  const std::size_t limit = random_.OneIn(4) ? SIZE_MAX : random_.Below(30);
  SCOPED_TRACE("changes after " + std::to_string(after));
  const Result<ChangePage> got = store_->reader().Changes(after, limit);
  ASSERT_OK(got);
  const std::vector<Change>& all = model_.changes();
  const std::size_t rest = after < all.size() ? all.size() - after : 0;
  ASSERT_EQ(got->changes.size(), std::min(rest, limit));
  EXPECT_EQ(got->has_more, rest > limit);
  EXPECT_EQ(got->last_commit, after + got->changes.size());
  for (std::size_t i = 0; i < got->changes.size(); ++i) {
    ExpectSame(got->changes[i], all[after + i]);
    EXPECT_GE(got->changes[i].at, got->changes[i == 0 ? 0 : i - 1].at);
  }
}

}  // namespace runlog::testing
