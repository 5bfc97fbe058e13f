#include "engine/broken_table.h"

#include <cstdint>
#include <cstdlib>
#include <regex>
#include <system_error>

#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table_properties.h>

namespace runlog::engine {
namespace {

/// Whether the table opens, and is the one it was written as: a table knows its own number.
bool IsWhole(const std::filesystem::path& path) {
  rocksdb::SstFileReader reader{rocksdb::Options()};
  if (!reader.Open(path.string()).ok()) return false;
  const std::uint64_t number = reader.GetTableProperties()->orig_file_number;
  return number == std::strtoull(path.stem().c_str(), nullptr, 10);
}

}  // namespace

std::string FindBrokenTable(const std::filesystem::path& folder, const rocksdb::Status& failed) {
  namespace fs = std::filesystem;
  // RocksDB looks for a missing table under its old extension too, and names that one.
  static const std::regex kTable("([0-9]{6,})\\.(ldb|sst)");
  const std::string message = failed.ToString();
  std::smatch named;
  if (std::regex_search(message, named, kTable)) return named[1].str() + ".sst";
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".sst") continue;
    if (!IsWhole(entry->path())) return entry->path().filename().string();
  }
  return {};
}

}  // namespace runlog::engine
