// Goal: whatever filter, cursor, limit and direction, a page holds exactly what a plain filter over
// all events holds, by whichever index it was read; also where some events are deleted, purged or
// not, and after a reopen. Method: a seeded random thread, kept in memory too, and random requests
// answered from both.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/reading_test.h"
#include "tests/support/seeded_random.h"

namespace runlog {
namespace {

struct Kept {
  std::uint64_t seq = 0;
  Sample sample;
  std::optional<std::string> task;
};

/// What a request asks for, in terms of Kept.
struct Question {
  std::optional<std::string> run;
  PageRequest request;
  EventFilter filter;
  bool messages = false;
};

bool Matches(const Question& question, const Kept& event) {
  const EventFilter& filter = question.filter;
  if (question.run && event.sample.run != *question.run) return false;
  if (question.messages && event.sample.category != "message") return false;
  if (filter.category && event.sample.category != *filter.category) return false;
  if (filter.task_id && event.task != filter.task_id) return false;
  if (filter.user_id && event.sample.user != filter.user_id) return false;
  if (!filter.types) return true;
  return std::find(filter.types->begin(), filter.types->end(), event.sample.type) !=
         filter.types->end();
}

struct Answer {
  Seqs seqs;
  bool has_more = false;
};

Answer Expected(const Question& question, const std::vector<Kept>& events) {
  Answer answer;
  for (const Kept& event : events) {
    const auto seq = static_cast<std::int64_t>(event.seq);
    if (question.request.after_seq && seq <= *question.request.after_seq) continue;
    if (question.request.before_seq && seq >= *question.request.before_seq) continue;
    if (Matches(question, event)) answer.seqs.push_back(event.seq);
  }
  const auto limit = static_cast<std::size_t>(question.request.limit);
  if (answer.seqs.size() <= limit) return answer;
  answer.has_more = limit > 0;
  const bool latest =
      !question.request.after_seq && (question.request.before_seq || question.messages);
  if (latest) {
    answer.seqs.erase(answer.seqs.begin(), answer.seqs.end() - static_cast<std::ptrdiff_t>(limit));
  } else {
    answer.seqs.resize(limit);
  }
  return answer;
}

class PageFilterTest : public ReadingTest {
 protected:
  PageFilterTest() : seed_(SeedOrDefault()), random_(seed_) { Open(); }

  static std::uint64_t SeedOrDefault() {
    const char* seed = std::getenv("RUNLOG_TEST_SEED");
    return seed != nullptr ? std::strtoull(seed, nullptr, 10) : 20240607;
  }

  std::size_t Below(std::size_t bound) { return random_.Below(bound); }
  const std::string& AnyOf(const std::vector<std::string>& names) {
    return names[Below(names.size())];
  }

  Kept AnyEvent() {
    Kept kept;
    // A run of its own for most of a stretch, so that runs are dense here and sparse there.
    kept.sample.run = Below(10) == 0 ? AnyOf(runs_) : runs_[stretch_ % runs_.size()];
    kept.sample.type = AnyOf(types_);
    kept.sample.category = Below(4) == 0 ? "message" : AnyOf(categories_);
    if (Below(3) != 0) kept.sample.user = AnyOf(users_);
    if (Below(2) == 0) {
      kept.task = AnyOf(tasks_);
      kept.sample.metadata = "{\"task_id\":\"" + *kept.task + "\"}";
    } else if (Below(4) == 0) {
      kept.sample.metadata = "{\"task_id\":7}";  // no string: no task
    }
    kept.sample.text = std::string(Below(40), 'x');
    return kept;
  }

  void Grow(std::size_t appends) {
    for (std::size_t i = 0; i < appends; ++i) {
      if (Below(3) == 0) ++stretch_;
      std::vector<Sample> samples;
      const std::size_t first = events_.size();
      for (std::size_t count = 1 + Below(40); count > 0; --count) {
        events_.push_back(AnyEvent());
        samples.push_back(events_.back().sample);
      }
      std::uint64_t seq = Append(samples);
      for (std::size_t event = first; event < events_.size(); ++event)
        events_[event].seq = seq++;
    }
  }

  void Delete(const std::string& run, std::optional<std::string> user) {
    const std::uint64_t deleted =
        DeleteRun(run, user ? std::optional<std::string_view>(*user) : std::nullopt);
    const std::size_t erased = std::erase_if(events_, [&](const Kept& event) {
      return event.sample.run == run && (!user || event.sample.user == user);
    });
    EXPECT_EQ(deleted, erased);
  }

  Question AnyQuestion() {
    Question question;
    const auto mark = static_cast<std::int64_t>(events_.empty() ? 1 : events_.back().seq);
    const auto cursor = [&] {
      return static_cast<std::int64_t>(Below(static_cast<std::size_t>(mark) + 20)) - 10;
    };
    if (Below(2) == 0) question.request.after_seq = cursor();
    if (Below(2) == 0) question.request.before_seq = cursor();
    static constexpr std::int64_t kLimits[] = {
        0, 1, 2, 7, 50, 5000, std::numeric_limits<std::int64_t>::max()};
    question.request.limit = kLimits[Below(std::size(kLimits))];
    if (Below(3) != 0) question.run = AnyOf(runs_);
    if (Below(3) == 0) question.filter.user_id = AnyOf(users_);
    question.messages = Below(4) == 0;
    if (question.messages) return question;
    if (Below(3) == 0) question.filter.task_id = AnyOf(tasks_);
    if (Below(3) == 0) question.filter.category = AnyOf(categories_);
    if (Below(6) == 0) question.filter.category = "message";
    if (Below(3) == 0) {
      question.filter.types.emplace();
      for (std::size_t i = Below(4); i > 0; --i)
        question.filter.types->push_back(AnyOf(types_));
    }
    return question;
  }

  Result<Page> Ask(const Question& question) {
    const Reader& asked = view_ ? view_->reader() : reader();
    if (question.messages) {
      std::optional<std::string_view> user;
      if (question.filter.user_id) user = *question.filter.user_id;
      std::optional<std::string_view> run;
      if (question.run) run = *question.run;
      return asked.Messages("t", run, question.request, user);
    }
    if (question.run) {
      return asked.RunEvents("t", *question.run, question.request, question.filter);
    }
    return asked.ThreadEvents("t", question.request, question.filter);
  }

  void Compare(std::size_t questions) {
    for (std::size_t i = 0; i < questions && !HasFailure(); ++i) {
      const Question question = AnyQuestion();
      const Answer expected = Expected(question, events_);
      const Page page = Value(Ask(question));
      EXPECT_EQ(SeqsOf(page), expected.seqs) << Describe(question);
      EXPECT_EQ(page.has_more(), expected.has_more) << Describe(question);
      for (const EventView& event : page.events())
        ExpectIntact(event);
    }
  }

  void ExpectIntact(const EventView& event) {
    const auto kept =
        std::lower_bound(events_.begin(), events_.end(), event.seq(),
                         [](const Kept& a, std::uint64_t seq) { return a.seq < seq; });
    ASSERT_NE(kept, events_.end());
    EXPECT_EQ(event.run_id(), kept->sample.run);
    EXPECT_EQ(event.event_type(), kept->sample.type);
    EXPECT_EQ(event.content().bytes, kept->sample.text);
    EXPECT_EQ(event.metadata(), kept->sample.metadata);
  }

  std::string Describe(const Question& question) const {
    std::string text = "RUNLOG_TEST_SEED=" + std::to_string(seed_) + ":";
    const auto add = [&](std::string_view name, const auto& value) {
      if (value) text += " " + std::string(name) + "=" + *value;
    };
    const auto add_number = [&](std::string_view name, const std::optional<std::int64_t>& value) {
      if (value) text += " " + std::string(name) + "=" + std::to_string(*value);
    };
    add("run", question.run);
    add_number("after", question.request.after_seq);
    add_number("before", question.request.before_seq);
    add_number("limit", question.request.limit);
    add("task", question.filter.task_id);
    add("category", question.filter.category);
    add("user", question.filter.user_id);
    if (question.messages) text += " messages";
    if (question.filter.types) {
      text += " types=";
      for (const std::string& type : *question.filter.types)
        text += type + ",";
    }
    return text;
  }

  const std::uint64_t seed_;
  testing::SeededRandom random_;
  std::unique_ptr<StoreView> view_;  // answers instead of the store where there is one
  std::size_t stretch_ = 0;
  std::vector<Kept> events_;
  const std::vector<std::string> runs_ = {"r1", "r2", "r3", "r4", "r5", "r6"};
  const std::vector<std::string> types_ = {"run.step", "llm.ai.response", "a", "ab", "run.end"};
  const std::vector<std::string> categories_ = {"trace", "outputs", "custom", "custom2"};
  const std::vector<std::string> users_ = {"alice", "bob", "carol"};
  const std::vector<std::string> tasks_ = {"A", "B", "AB", "", std::string(1025, 'l')};
};

TEST_F(PageFilterTest, EveryFilterAnswersAsAPlainSearchDoes) {
  Grow(150);
  Compare(1500);
}

TEST_F(PageFilterTest, HiddenEventsAreGoneFromEveryPage) {
  Grow(100);
  Delete("r2", std::nullopt);
  Delete("r3", "alice");
  Delete("r4", "nobody");
  Compare(600);
  Grow(20);
  Compare(600);
}

TEST_F(PageFilterTest, PurgedEventsAreGoneFromEveryPage) {
  Grow(60);
  Delete("r1", std::nullopt);
  Delete("r5", "bob");
  Purge();
  Compare(400);
  Grow(20);
  Delete("r6", "carol");
  Compare(300);
}

TEST_F(PageFilterTest, AReopenedStoreAnswersTheSame) {
  Grow(60);
  Delete("r3", std::nullopt);
  Delete("r4", "bob");
  Reopen();
  Compare(400);
  Grow(10);
  Compare(200);
}

TEST_F(PageFilterTest, AViewBesideTheWriterAnswersTheSame) {
  Grow(40);
  Delete("r2", std::nullopt);
  view_ = Value(StoreView::Open(folder(), options_));
  ASSERT_EQ(view_->kind(), ViewKind::kSecondary);
  Compare(300);
  Grow(20);
  Delete("r3", "bob");
  ASSERT_TRUE(view_->Refresh().ok());
  Compare(300);
  Purge();
  ASSERT_TRUE(view_->Refresh().ok());
  Compare(100);
}

TEST_F(PageFilterTest, TheFilterAppliesBeforeTheLimit) {
  Append(std::vector<Sample>(600, OfTask("A", "r1")));
  Append(std::vector<Sample>(5, OfTask("B", "r1")));
  Append({Sample{.metadata = "{\"task_id\":7}"}});

  EXPECT_EQ(Value(reader().RunEvents("t", "r1", {}, {.task_id = "B"})).size(), 5U);
  const Page first = Value(reader().RunEvents("t", "r1", {}, {.task_id = "A"}));
  EXPECT_EQ(first.size(), 500U);
  const PageRequest next{.after_seq = static_cast<std::int64_t>(first.highest_seq_scanned())};
  EXPECT_EQ(Value(reader().RunEvents("t", "r1", next, {.task_id = "A"})).size(), 100U);
  EXPECT_TRUE(Value(reader().RunEvents("t", "r1", {}, {.task_id = "7"})).empty());
}

TEST_F(PageFilterTest, NoTypesAtAllMatchNothing) {
  Append(std::vector<Sample>(3));
  EventFilter none;
  none.types.emplace();
  EXPECT_TRUE(Value(reader().RunEvents("t", "r1", {}, none)).empty());
  EXPECT_TRUE(Value(reader().ThreadEvents("t", {}, none)).empty());
}

}  // namespace
}  // namespace runlog
