// Finds the table that keeps RocksDB from opening: its own error names the manifest.

#ifndef RUNLOG_ENGINE_BROKEN_TABLE_H_
#define RUNLOG_ENGINE_BROKEN_TABLE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include <rocksdb/status.h>

namespace runlog::engine {

/// The number of the first file with `extension` that `message` names, as digits, or nothing.
std::string NumberNamed(std::string_view message, std::string_view extension);

/// The name of the table in `folder` that `failed`, an opening's outcome, is about: one that is
/// missing, or the first whose footer, index or properties do not read. Empty where it is none.
std::string FindBrokenTable(const std::filesystem::path& folder, const rocksdb::Status& failed);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_BROKEN_TABLE_H_
