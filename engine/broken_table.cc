#include "engine/broken_table.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

std::string NumberNamed(std::string_view message, std::string_view extension) {
  const std::size_t end = message.find(extension);
  if (end == std::string_view::npos) return {};
  const std::size_t before = message.substr(0, end).find_last_not_of("0123456789");
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return std::string(message.substr(begin, end - begin));
}

std::string FindBrokenTable(const std::filesystem::path& folder, const rocksdb::Status& failed) {
  namespace fs = std::filesystem;
  const std::string message = failed.ToString();
  // RocksDB looks for a missing table under its old extension too, and names that one.
  for (const char* extension : {".sst", ".ldb"}) {
    const std::string number = NumberNamed(message, extension);
    if (!number.empty()) return number + ".sst";
  }
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".sst") continue;
    if (!IsWhole(entry->path())) return entry->path().filename().string();
  }
  return {};
}

}  // namespace runlog::engine
