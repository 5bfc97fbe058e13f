// Keeps ANCHOR at most a second behind what is durable, away from the commit path.

#ifndef RUNLOG_ENGINE_ANCHOR_KEEPER_H_
#define RUNLOG_ENGINE_ANCHOR_KEEPER_H_

#include <condition_variable>
#include <mutex>
#include <thread>

#include <runlog/status.h>

#include "engine/anchor_file.h"
#include "engine/durable_progress.h"
#include "format/anchor.h"

namespace runlog::engine {

class AnchorKeeper {
 public:
  /// `opened` is what the file says now, of this process. Requires: `progress` outlives it.
  AnchorKeeper(AnchorFile file, format::Anchor opened, const DurableProgress& progress);
  ~AnchorKeeper();

  /// Stops and writes that the store was closed and nothing comes after. Idempotent.
  Status CloseClean();
  /// Stops and leaves the anchor unclean: the store failed. Idempotent.
  void Stop();

 private:
  void Work();

  AnchorFile file_;
  format::Anchor anchor_;  // as last written
  const DurableProgress& progress_;

  std::mutex mutex_;  // guards stopping_
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_ANCHOR_KEEPER_H_
