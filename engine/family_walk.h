// One pass over a family in the order of T, for a caller that goes through the threads in that
// order.

#ifndef RUNLOG_ENGINE_FAMILY_WALK_H_
#define RUNLOG_ENGINE_FAMILY_WALK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <rocksdb/iterator.h>

#include "engine/read_moment.h"
#include "engine/verify_faults.h"
#include "format/key_space.h"
#include "format/numbers.h"

namespace runlog::engine {

/// What cannot be read is a fault; the walk goes on behind it.
/// Concurrency: one caller at a time.
class FamilyWalk {
 public:
  /// Called with a T that was passed over, and how many rows it has in the family.
  using Strays = std::function<void(format::Family, format::ThreadNumber, std::uint64_t)>;

  /// `tag` is the byte in front of T; absent where keys start with T.
  FamilyWalk(const ReadMoment& moment, format::Family family, FaultSink& faults,
             std::optional<char> tag = std::nullopt);
  FamilyWalk(const FamilyWalk&) = delete;
  FamilyWalk& operator=(const FamilyWalk&) = delete;

  /// Goes to the first row of `thread`. Requires: threads ascend.
  void Start(format::ThreadNumber thread, const Strays& strays);
  /// Passes over what is left, behind the last thread.
  void Finish(const Strays& strays);

  /// Whether the walk stands on a row of the thread.
  bool valid() const;
  void Next();
  std::string_view key() const { return iterator_->key().ToStringView(); }
  std::string_view value() const { return iterator_->value().ToStringView(); }
  /// Some row of the thread could not be read.
  bool damaged() const { return damaged_; }

 private:
  std::optional<format::ThreadNumber> ThreadOfRow() const;
  std::string PrefixOf(format::ThreadNumber thread) const;
  void PassTo(std::optional<format::ThreadNumber> thread, const Strays& strays);
  void LeaveDamage();

  const format::Family family_;
  const std::optional<char> tag_;
  FaultSink& faults_;
  const std::string upper_;
  const rocksdb::Slice upper_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  std::string last_key_;
  format::ThreadNumber thread_{};
  bool damaged_ = false;
  bool started_ = false;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_FAMILY_WALK_H_
