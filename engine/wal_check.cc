#include "engine/wal_check.h"

#include <algorithm>
#include <utility>

namespace runlog::engine {

void WalCheck::StartLog(std::string name) {
  log_ = std::move(name);
}

/// The first record may repeat what tables hold already, because another family needs it.
bool WalCheck::Follows(const WalRecord& record) const {
  if (!next_) return record.sequence <= table_sequence_ + 1;
  return record.sequence == *next_;
}

void WalCheck::Break(const Damage& where, bool is_gap) {
  broken_ = true;
  verdict_.broken_log = where.log;
  verdict_.broken_at = where.offset;
  verdict_.is_gap = is_gap;
  if (is_gap) verdict_.log_before = last_log_;
}

void WalCheck::Weigh(const format::WalMark& mark) {
  if (mark.durable_sequence <= verdict_.proven.sequence) return;
  // The mark names the commit of its own record, not of what it says is durable: an upper bound.
  verdict_.proven = {mark.last_commit, mark.durable_sequence};
}

void WalCheck::OnRecord(const WalRecord& record) {
  if (record.count == 0) return;  // RocksDB's mark of an opening; says nothing of its own
  if (record.mark && record.mark->store_tag != store_tag_) {
    if (verdict_.foreign_log.empty()) verdict_.foreign_log = log_;
    if (!broken_) Break({log_, 0}, /*is_gap=*/false);
    return;
  }
  if (!broken_) {
    const bool follows = Follows(record);
    // A crash tears the end of a log; what was open then went on in the next one.
    const bool torn_before = damage_ && damage_->log != log_;
    if (follows && (!damage_ || torn_before)) {
      damage_.reset();
      next_ = record.sequence + record.count;
      last_log_ = log_;
      if (record.mark)
        verdict_.last_commit = std::max(verdict_.last_commit, record.mark->last_commit);
      return;
    }
    if (damage_) {
      Break(*damage_, /*is_gap=*/false);
    } else {
      Break({log_, 0}, /*is_gap=*/true);
    }
  }
  verdict_.is_cut = true;
  if (record.mark) Weigh(*record.mark);
}

void WalCheck::OnDamage(std::uint64_t offset) {
  if (!broken_ && !damage_) damage_ = Damage{log_, offset};
}

WalVerdict WalCheck::Finish() {
  if (!broken_ && damage_) Break(*damage_, /*is_gap=*/false);
  verdict_.end = next_ ? *next_ - 1 : table_sequence_;
  return verdict_;
}

}  // namespace runlog::engine
