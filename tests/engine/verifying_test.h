// A store to verify, and to damage row by row behind its back.

#ifndef RUNLOG_TESTS_ENGINE_VERIFYING_TEST_H_
#define RUNLOG_TESTS_ENGINE_VERIFYING_TEST_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/rocks.h"
#include "engine/writer_lock.h"
#include "format/keys.h"
#include "tests/engine/reading_test.h"

namespace runlog {

template <typename Bytes>
std::string ToString(const Bytes& bytes) {
  return {bytes.data(), bytes.size()};
}

class VerifyingTest : public ReadingTest {
 protected:
  /// Thread "t" is T = 1 with runs r1 (R = 1) and r2 (R = 2), owner alice (U = 1), marks 1 to 8.
  void Fill() {
    Open();
    Append({Sample{}, Message(), Owned(Message()), OfTask("A")});
    Append({Owned(Sample{.run = "r2", .type = "run.end"}), Message("r2"), OfTask("A", "r2"),
            Sample{}});
    Append({Sample{}, Message()}, "other");
  }

  static Sample Owned(Sample sample, std::string user = "alice") {
    sample.user = std::move(user);
    return sample;
  }

  VerifySummary Verify() {
    faults_.clear();
    const auto view = Value(StoreView::Open(folder(), options_));
    return Value(view->Verify([this](const Fault& fault) { faults_.push_back(fault); }));
  }

  /// Changes rows of the closed store behind its back.
  void Tamper(const std::function<void(engine::Rocks&)>& change) {
    Close();
    {
      engine::WriterLock lock = Value(engine::WriterLock::Acquire(folder(), Clock::System()));
      const auto rocks =
          Value(engine::Rocks::Open(folder(), engine::OpenMode::kWrite, options_, std::move(lock)));
      change(*rocks);
    }
  }
  static void Put(engine::Rocks& rocks, format::Family family, const std::string& key,
                  const std::string& value) {
    ASSERT_TRUE(rocks.db().Put({}, rocks.family(family), key, value).ok());
  }
  static void Delete(engine::Rocks& rocks, format::Family family, const std::string& key) {
    ASSERT_TRUE(rocks.db().Delete({}, rocks.family(family), key).ok());
  }
  static std::string Get(engine::Rocks& rocks, format::Family family, const std::string& key) {
    std::string value;
    EXPECT_TRUE(Value(rocks.Get(family, key, value)));
    return value;
  }
  static std::string EventKeyOf(std::uint64_t seq) {
    return ToString(format::Encode(format::EventKey{format::ThreadNumber{1}, seq}));
  }

  /// Verify must find each of `kinds` at least once and no other.
  void ExpectKinds(const std::vector<std::string>& kinds) {
    const VerifySummary summary = Verify();
    EXPECT_EQ(summary.faults, faults_.size());
    std::map<std::string, int> found;
    for (const Fault& fault : faults_)
      ++found[fault.kind];
    std::map<std::string, int> expected;
    for (const std::string& kind : kinds)
      expected[kind] = found[kind];
    EXPECT_EQ(found, expected) << Told();
    for (const auto& [kind, count] : expected)
      EXPECT_GT(count, 0) << kind << " was not found";
  }
  std::string Told() const {
    std::string told;
    for (const Fault& fault : faults_) {
      told += fault.kind + " " + fault.family + " " + fault.thread_id + " " +
              std::to_string(fault.seq) + ": " + fault.detail + "\n";
    }
    return told;
  }

  std::vector<Fault> faults_;
};

}  // namespace runlog

#endif  // RUNLOG_TESTS_ENGINE_VERIFYING_TEST_H_
