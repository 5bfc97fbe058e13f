#include "engine/family_walk.h"

#include <utility>

#include <fmt/format.h>

#include "format/keys.h"

namespace runlog::engine {
namespace {

using format::Family;
using format::Raw;
using format::ThreadNumber;

std::string UpperBoundOf(std::optional<char> tag) {
  return tag ? format::PrefixEnd(std::string(1, *tag)) : std::string();
}

}  // namespace

FamilyWalk::FamilyWalk(const ReadMoment& moment, Family family, FaultSink& faults,
                       std::optional<char> tag)
    : family_(family), tag_(tag), faults_(faults), upper_(UpperBoundOf(tag)), upper_slice_(upper_) {
  rocksdb::ReadOptions reading = moment.Reading();
  reading.fill_cache = false;
  if (!upper_.empty()) reading.iterate_upper_bound = &upper_slice_;
  iterator_.reset(moment.rocks()->db().NewIterator(reading, moment.rocks()->family(family)));
}

std::string FamilyWalk::PrefixOf(ThreadNumber thread) const {
  const auto number = format::ThreadPrefix(thread);
  return (tag_ ? std::string(1, *tag_) : std::string()) + std::string(number.data(), number.size());
}

std::optional<ThreadNumber> FamilyWalk::ThreadOfRow() const {
  const std::string_view bytes = key().substr(tag_ ? 1 : 0);
  if (bytes.size() < sizeof(std::uint64_t)) return std::nullopt;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(number); ++i) {
    number = number << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return ThreadNumber{number};
}

void FamilyWalk::Start(ThreadNumber thread, const Strays& strays) {
  if (!started_) {
    iterator_->Seek(tag_ ? std::string(1, *tag_) : std::string());
    started_ = true;
    LeaveDamage();
  }
  damaged_ = false;
  PassTo(thread, strays);
  thread_ = thread;
}

void FamilyWalk::Finish(const Strays& strays) {
  if (!started_) Start(ThreadNumber{1}, strays);
  PassTo(std::nullopt, strays);
}

/// Steps over rows of threads below `thread`, all of them where it is absent, and tells of each
/// such thread once.
void FamilyWalk::PassTo(std::optional<ThreadNumber> thread, const Strays& strays) {
  ThreadNumber stray{};
  std::uint64_t rows = 0;
  for (; iterator_->Valid(); Next()) {
    const std::optional<ThreadNumber> row = ThreadOfRow();
    if (!row) {
      faults_.Add(kFaultKey, family_,
                  fmt::format("a key of {} bytes names no thread", key().size()));
      continue;
    }
    if (thread && *row >= *thread) break;
    // The rest of a thread the caller left early is no stray.
    if (*row == thread_) continue;
    if (rows > 0 && *row != stray) strays(family_, stray, std::exchange(rows, 0));
    stray = *row;
    ++rows;
  }
  if (rows > 0) strays(family_, stray, rows);
}

bool FamilyWalk::valid() const {
  return iterator_->Valid() && ThreadOfRow() == thread_;
}

void FamilyWalk::Next() {
  last_key_.assign(key());
  iterator_->Next();
  LeaveDamage();
}

/// After a block that cannot be read, goes on at the first key behind it that can: tries farther
/// and farther away, first in the thread's seqs, which most keys end in, then at the next thread.
void FamilyWalk::LeaveDamage() {
  if (iterator_->Valid() || iterator_->status().ok()) return;
  damaged_ = true;
  faults_.Add(kFaultUnreadable, family_, iterator_->status().ToString());
  std::string prefix = PrefixOf(thread_);
  if (family_ == Family::kEvents && last_key_.starts_with(prefix)) {
    const auto last = format::DecodeEventKey(last_key_);
    for (std::uint64_t step = 1; last && step <= std::uint64_t{1} << 24U; step *= 2) {
      const auto next = format::Encode(format::EventKey{thread_, last->seq + step});
      iterator_->Seek({next.data(), next.size()});
      if (iterator_->status().ok()) return;
    }
  }
  for (std::uint64_t step = 1; step != 0; step *= 2) {
    const std::uint64_t next = Raw(thread_) + step;
    if (next < step) return;
    prefix = PrefixOf(ThreadNumber{next});
    iterator_->Seek(prefix);
    if (iterator_->status().ok()) return;
  }
}

}  // namespace runlog::engine
