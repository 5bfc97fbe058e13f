#include "engine/large_pace.h"

#include <algorithm>

namespace runlog::engine {
namespace {

constexpr std::uint64_t kSmallForOneLate = 128;  // more than a hundred: some are late by chance
constexpr int kPauseMax = 16;                    // times what the large command took
constexpr std::chrono::milliseconds kAskAgain{1};

}  // namespace

void LargePace::LargeEnded(Moment now, std::uint64_t small_waiting) {
  ended_ = now;
  taken_ = now - began_;
  small_since_ = 0;
  small_enough_ = kSmallForOneLate * std::max<std::uint64_t>(1, small_waiting);
}

bool LargePace::MayGo(Moment now, bool small_waits) const {
  if (small_since_ == 0 && !small_waits) return true;
  if (small_since_ >= small_enough_) return true;
  const auto paused = now - ended_;
  if (paused < taken_) return false;
  // At the rate so far, would they be enough by the end of the longest pause? Never true after it.
  return small_since_ * (kPauseMax * taken_) < small_enough_ * paused;
}

LargePace::Moment LargePace::AskAgainAt(Moment now) const {
  return std::max(ended_ + taken_, now + kAskAgain);
}

}  // namespace runlog::engine
