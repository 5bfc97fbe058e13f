// Judges what scans of the write-ahead logs found: a torn tail, which is legal, or loss.
// FORMAT.md, "What is durable".

#ifndef RUNLOG_ENGINE_WAL_CHECK_H_
#define RUNLOG_ENGINE_WAL_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>

#include "engine/wal_scan.h"
#include "format/anchor.h"

namespace runlog::engine {

struct WalVerdict {
  /// Where the unbroken records end: RocksDB's sequence number, or the tables' where no log has a
  /// record.
  std::uint64_t end = 0;
  /// Set where something follows the break: what is not to be replayed, everything above `end`.
  bool is_cut = false;
  /// The newest commit in unbroken records; 0 for none.
  std::uint64_t last_commit = 0;

  /// Where the break is: a log and an offset in it. Empty where the logs end without one.
  std::string broken_log;
  std::uint64_t broken_at = 0;
  bool is_gap = false;     // records are missing before it; else bytes that are no record
  std::string log_before;  // of a gap: the log it follows; empty where it follows the tables

  /// What records behind the break prove to have been durable.
  format::DurablePoint proven;
  /// A log with the records of another store, or empty.
  std::string foreign_log;

  /// Acknowledged writes are missing, given that the store was durable up to `durable`.
  bool lost(const format::DurablePoint& durable) const {
    return !foreign_log.empty() || proven.sequence > end || durable.sequence > end;
  }
};

/// Folds the scans of one store's live logs, oldest log first.
class WalCheck {
 public:
  /// `table_sequence`: RocksDB's sequence number in the manifest, which nothing in the logs follows
  /// by more than one. `store_tag`: format::StoreTag of the store.
  WalCheck(std::uint64_t table_sequence, std::uint64_t store_tag)
      : store_tag_(store_tag), table_sequence_(table_sequence) {}

  void StartLog(std::string name);
  void OnRecord(const WalRecord& record);
  void OnDamage(std::uint64_t offset);
  WalVerdict Finish();

 private:
  struct Damage {
    std::string log;
    std::uint64_t offset = 0;
  };

  bool Follows(const WalRecord& record) const;
  void Break(const Damage& where, bool is_gap);
  void Weigh(const format::WalMark& mark);

  const std::uint64_t store_tag_;
  const std::uint64_t table_sequence_;
  std::string log_;
  std::string last_log_;               // of the newest unbroken record
  std::optional<std::uint64_t> next_;  // sequence number of the record to come; absent before any
  std::optional<Damage> damage_;       // not yet known to break anything
  bool broken_ = false;
  WalVerdict verdict_;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_WAL_CHECK_H_
