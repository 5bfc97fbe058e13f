// runlog/receipt.h - what a write answers.

#ifndef RUNLOG_RECEIPT_H_
#define RUNLOG_RECEIPT_H_

#include <cstdint>

#include <runlog/options.h>

namespace runlog {

/// An append that is committed. An append of no events answers with count 0 and commit 0.
struct AppendReceipt {
  std::uint64_t first_seq = 0;
  std::uint64_t last_seq = 0;
  std::uint64_t count = 0;
  std::uint64_t commit = 0;
  std::uint64_t incarnation = 0;
  std::uint64_t epoch = 0;
  Durability durability = Durability::kSync;  ///< What it really has: at least what was asked for.
  bool replayed = false;  ///< The idempotency key was known: this is the first call's receipt.
  bool deleted = false;   ///< Replayed, and at least one of the events has been deleted since.
};

/// A delete that is committed. `commit` is 0 where there was nothing to change.
struct DeleteReceipt {
  std::uint64_t deleted = 0;
  std::uint64_t commit = 0;
  std::uint64_t incarnation = 0;   ///< The one the delete found; 0 where the thread is unknown.
  bool incarnation_ended = false;  ///< The next append starts anew at seq 1.
};

}  // namespace runlog

#endif  // RUNLOG_RECEIPT_H_
