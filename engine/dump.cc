#include "engine/dump.h"

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/read_moment.h"
#include "engine/row_text.h"
#include "format/key_space.h"
#include "format/keys.h"

namespace runlog::engine {
namespace {

/// Finds the thread_id of an event's key; empty where there is no record.
class ThreadIds {
 public:
  explicit ThreadIds(const StateLoader& loader) : loader_(loader) {}

  const std::string& Of(std::string_view event_key) {
    const auto key = format::DecodeEventKey(event_key);
    if (!key || key->thread == thread_) return thread_id_;
    thread_ = key->thread;
    Result<format::ThreadRecord> record = loader_.RecordOf(thread_);
    thread_id_ = record.ok() ? std::move(record->thread_id) : std::string();
    return thread_id_;
  }

 private:
  const StateLoader& loader_;
  format::ThreadNumber thread_{};
  std::string thread_id_;
};

}  // namespace

Status DumpStore(StoreCore& core, std::ostream& out) {
  ReadMoment moment(core);
  moment.Pin();
  ThreadIds thread_ids(core.loader);
  rocksdb::ReadOptions reading = moment.Reading();
  reading.fill_cache = false;
  for (std::size_t i = 0; i < format::kFamilyCount; ++i) {
    const auto family = static_cast<format::Family>(i);
    const std::unique_ptr<rocksdb::Iterator> rows(
        core.rocks->db().NewIterator(reading, core.rocks->family(family)));
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
      const std::string_view key = rows->key().ToStringView();
      const std::string_view value = rows->value().ToStringView();
      out << format::FamilyName(family) << ' ' << DescribeKey(family, key) << " = "
          << (family == format::Family::kEvents ? DescribeEvent(key, value, thread_ids.Of(key))
                                                : DescribeValue(family, key, value))
          << " | " << Hex(key) << " = " << Hex(value) << '\n';
      if (!out) return Status(StatusCode::kIoError, "the output cannot be written");
    }
    if (!rows->status().ok()) {
      return FromRocks(rows->status(), fmt::format("reading {}", format::FamilyName(family)));
    }
  }
  return {};
}

}  // namespace runlog::engine
