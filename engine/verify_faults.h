// Where the parts of verify leave what they find.

#ifndef RUNLOG_ENGINE_VERIFY_FAULTS_H_
#define RUNLOG_ENGINE_VERIFY_FAULTS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <runlog/store_view.h>

#include "format/key_space.h"

namespace runlog::engine {

/// Kinds of faults. Scripts read them: never rename.
inline constexpr std::string_view kFaultUnreadable = "unreadable";  // RocksDB cannot read a block
inline constexpr std::string_view kFaultChecksum = "checksum";      // an event does not verify
inline constexpr std::string_view kFaultKey = "key";                // a key that is none
inline constexpr std::string_view kFaultValue = "value";            // a record that is none
inline constexpr std::string_view kFaultOrphan = "orphan";          // rows of no thread
inline constexpr std::string_view kFaultMark = "mark";              // above the high-water mark
inline constexpr std::string_view kFaultMissing = "missing";        // neither event nor hole
inline constexpr std::string_view kFaultOverlap = "overlap";        // event and hole at once
inline constexpr std::string_view kFaultName = "name";              // ids and numbers disagree
inline constexpr std::string_view kFaultClass = "class";            // header and body disagree
inline constexpr std::string_view kFaultCount = "count";            // events, messages, bytes
inline constexpr std::string_view kFaultBounds = "bounds";          // first, last, times
inline constexpr std::string_view kFaultDigest = "digest";
inline constexpr std::string_view kFaultState = "state";  // of a run
inline constexpr std::string_view kFaultIndexMissing = "index_missing";
inline constexpr std::string_view kFaultIndexExtra = "index_extra";
inline constexpr std::string_view kFaultIndexOrder = "index_order";  // chunks of a list overlap
inline constexpr std::string_view kFaultCommit = "commit";           // numbers or times

/// Counts faults and hands them on.
class FaultSink {
 public:
  explicit FaultSink(const std::function<void(const Fault&)>& report) : report_(report) {}

  void Add(std::string_view kind, format::Family family, std::string detail,
           std::string_view thread_id = {}, std::uint64_t seq = 0) {
    ++count_;
    if (!report_) return;
    report_({std::string(kind), std::string(thread_id), seq,
             std::string(format::FamilyName(family)), std::move(detail)});
  }
  std::uint64_t count() const { return count_; }

 private:
  const std::function<void(const Fault&)>& report_;
  std::uint64_t count_ = 0;
};

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_VERIFY_FAULTS_H_
