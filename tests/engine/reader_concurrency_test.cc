// Goal: a page is one moment of its thread: no event between two others is missing, a delete is
// seen whole or not at all, also while it is being committed and purged. Method: one worker appends
// and deletes by a fixed rhythm, so that every page can be told right or wrong by itself; others
// read.

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/reading_test.h"

namespace runlog {
namespace {

constexpr std::uint64_t kRounds = 400;
constexpr std::uint64_t kRoundsPerDelete = 8;
constexpr std::uint64_t kEventsPerOwner = 20;

/// Numbers each owner's events: the text of an event is its number.
Sample Numbered(const std::string& user, std::uint64_t number) {
  Sample sample = Message();
  sample.user = user;
  sample.text = std::to_string(number);
  return sample;
}

std::vector<std::uint64_t> NumbersOf(const Page& page, std::string_view user) {
  std::vector<std::uint64_t> numbers;
  for (const EventView& event : page.events()) {
    if (event.user_id() == user) numbers.push_back(std::stoull(std::string(event.content().bytes)));
  }
  return numbers;
}

bool Consecutive(const std::vector<std::uint64_t>& numbers) {
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] != numbers[i - 1] + 1) return false;
  }
  return true;
}

class PageMomentTest : public ReadingTest {
 protected:
  PageMomentTest() {
    options_.background_purge = true;
    Open();
  }

  /// Alice's events are deleted every few rounds, bob's never. Alice's is the run's last event, so
  /// that a delete moves the run's bounds.
  void Write() {
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      if (round > 0 && round % kRoundsPerDelete == 0) DeleteRun("r1", "alice");
      std::vector<Sample> samples;
      for (std::uint64_t i = 0; i < kEventsPerOwner; ++i) {
        samples.push_back(Numbered("bob", round * kEventsPerOwner + i));
        samples.push_back(Numbered("alice", round * kEventsPerOwner + i));
      }
      Append(samples);
    }
    written_ = true;
  }

  void ExpectOneMoment(const Page& page) {
    const std::vector<std::uint64_t> bob = NumbersOf(page, "bob");
    EXPECT_TRUE(Consecutive(bob));
    EXPECT_TRUE(bob.empty() || bob.front() == 0);
    // Both owners' events come in the same appends.
    EXPECT_EQ(bob.size() % kEventsPerOwner, 0U);
    const std::vector<std::uint64_t> alice = NumbersOf(page, "alice");
    EXPECT_TRUE(Consecutive(alice));
    if (alice.empty()) return;
    EXPECT_EQ(alice.front() % (kRoundsPerDelete * kEventsPerOwner), 0U);
    EXPECT_EQ(alice.back(), bob.back());
  }

  std::atomic<bool> written_{false};
};

TEST_F(PageMomentTest, EveryPageIsWhole) {
  const PageRequest all{.after_seq = 0, .limit = INT64_MAX};
  std::atomic<std::uint64_t> pages{0};
  std::vector<std::thread> readers;
  for (int route = 0; route < 4; ++route) {
    readers.emplace_back([&, route] {
      while (!written_ && !HasFailure()) {
        Result<Page> page = route == 0   ? reader().ThreadEvents("t", all)
                            : route == 1 ? reader().RunEvents("t", "r1", all)
                            : route == 2 ? reader().Messages("t", {}, all)
                                         : reader().Messages("t", "r1", all);
        ExpectOneMoment(Value(std::move(page)));
        ++pages;
      }
    });
  }
  Write();
  for (std::thread& reader_worker : readers)
    reader_worker.join();
  EXPECT_GT(pages, 4U);
}

TEST_F(PageMomentTest, CountsAgreeWithThePageOfTheSameMoment) {
  std::thread reader_worker([&] {
    std::uint64_t before = 0;
    while (!written_ && !HasFailure()) {
      const std::uint64_t bob = Value(reader().Count("t", "bob")).events;
      EXPECT_GE(bob, before);
      EXPECT_EQ(bob % kEventsPerOwner, 0U);
      const std::uint64_t alice = Value(reader().Count("t", "alice")).messages;
      EXPECT_LE(alice, kRoundsPerDelete * kEventsPerOwner);
      const std::vector<ThreadSummary> threads = Value(reader().Threads(0, 10));
      EXPECT_TRUE(threads.empty() || threads[0].live.events == 0 || threads[0].runs == 1);
      before = bob;
    }
  });
  Write();
  reader_worker.join();
}

}  // namespace
}  // namespace runlog
