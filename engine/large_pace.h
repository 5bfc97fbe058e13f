// Says when the next large command may go beside small ones: ARCHITECTURE.md, "Life of an append".

#ifndef RUNLOG_ENGINE_LARGE_PACE_H_
#define RUNLOG_ENGINE_LARGE_PACE_H_

#include <chrono>
#include <cstdint>

namespace runlog::engine {

/// Every small command that waits when a large one ends is late by all the time of that. So after a
/// large one of time T the small ones have the committer to themselves for T; and for up to 16 T if
/// so many of them are done by then that those who waited are fewer than one in a hundred. A large
/// one may go at once where no small command came since. Not thread-safe.
class LargePace {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  void LargeBegan(Moment now) { began_ = now; }
  /// `small_waiting`: how many small commands are in line.
  void LargeEnded(Moment now, std::uint64_t small_waiting);
  void SmallTaken(std::uint64_t commands) { small_since_ += commands; }

  /// `small_waits`: a small command is in line.
  bool MayGo(Moment now, bool small_waits) const;
  /// When to ask again if nothing else happens.
  Moment AskAgainAt(Moment now) const;

 private:
  Moment began_;
  Moment ended_;
  std::chrono::steady_clock::duration taken_{};
  std::uint64_t small_since_ = 0;  // taken since ended_
  std::uint64_t small_enough_ = 0;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_LARGE_PACE_H_
