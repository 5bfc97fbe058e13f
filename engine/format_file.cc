#include "engine/format_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "engine/private_files.h"
#include "format/anchor.h"
#include "format/key_space.h"

namespace runlog::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormatFile = "FORMAT";
constexpr const char* kTemporaryFile = "FORMAT.new";
/// `marks`: every batch in the log carries a mark, and ANCHOR is kept. A build that does neither
/// would leave a store in which loss cannot be told from a torn log.
constexpr std::array<std::string_view, 2> kFeatures = {"postings", "marks"};

Status IoError(std::string_view doing, const fs::path& path, int error) {
  return Status(StatusCode::kIoError, fmt::format("{} {}: {}", doing, path.string(),
                                                  std::generic_category().message(error)));
}

std::optional<std::uint32_t> ParseVersion(std::string_view text) {
  std::uint32_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return version;
}

/// One `key value` line. `format` lines are versions this build must reach, `feature` lines words
/// it must know.
Status CheckLine(const fs::path& path, std::string_view key, std::string_view value) {
  if (key == "store_id") return {};
  if (key == "feature") {
    for (const std::string_view known : kFeatures) {
      if (value == known) return {};
    }
    return Status(StatusCode::kUnsupported,
                  fmt::format("{} names the feature '{}', which this build does not know",
                              path.string(), value));
  }
  if (key != "format" && key != "min_reader" && key != "min_writer") return {};
  const std::optional<std::uint32_t> version = ParseVersion(value);
  if (!version) {
    return Status(StatusCode::kCorruption,
                  fmt::format("{}: {} '{}' is no number", path.string(), key, value));
  }
  if (*version > format::kFormatVersion) {
    return Status(StatusCode::kUnsupported,
                  fmt::format("{}: {} {} is above this build's {}", path.string(), key, *version,
                              format::kFormatVersion));
  }
  return {};
}

Status CheckFormatFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return IoError("cannot open", path, errno);
  std::string line;
  if (!std::getline(file, line) || line != "runlog store") {
    return Status(StatusCode::kCorruption,
                  fmt::format("{} does not begin with 'runlog store'", path.string()));
  }
  bool has_format = false;
  while (std::getline(file, line)) {
    const std::size_t space = line.find(' ');
    const std::string_view key = std::string_view(line).substr(0, space);
    const std::string_view value =
        space == std::string::npos ? std::string_view() : std::string_view(line).substr(space + 1);
    if (Status s = CheckLine(path, key, value); !s.ok()) return s;
    has_format = has_format || key == "format";
  }
  if (!has_format) {
    return Status(StatusCode::kCorruption, fmt::format("{} has no format line", path.string()));
  }
  return {};
}

bool IsStoreId(std::string_view id) {
  return id.size() == format::kStoreIdSize &&
         id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Writes `text`, if any, to what `flags` opens, and syncs it.
Status WriteAndSync(const fs::path& path, int flags, std::string_view text) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (descriptor < 0) return IoError("cannot open", path, errno);
  const bool written = text.empty() || ::write(descriptor, text.data(), text.size()) ==
                                           static_cast<ssize_t>(text.size());
  const bool synced = written && ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  if (!synced) return IoError(written ? "cannot sync" : "cannot write", path, error);
  return {};
}

}  // namespace

Result<FolderKind> InspectFolder(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return FolderKind::kMissing;
  if (error) return IoError("cannot look at", folder, error.value());
  if (status.type() != fs::file_type::directory) {
    return Status(StatusCode::kInvalidArgument, fmt::format("{} is no folder", folder.string()));
  }
  if (fs::exists(folder / kFormatFile, error)) {
    if (Status s = CheckNobodyElseWrites(folder, ::geteuid()); !s.ok()) return s;
    if (Status s = CheckFormatFile(folder / kFormatFile); !s.ok()) return s;
    return FolderKind::kStore;
  }
  if (error) return IoError("cannot look at", folder / kFormatFile, error.value());
  if (fs::exists(folder / "ANCHOR", error)) {
    return Status(StatusCode::kCorruption, fmt::format("{} is missing, and the rest of a store is "
                                                       "there: restore it",
                                                       (folder / kFormatFile).string()));
  }
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    // What a crash while the store was being made may leave; FORMAT comes before RocksDB's first
    // file.
    if (entry->path().filename() == kTemporaryFile || entry->path().filename() == "WRITER")
      continue;
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("{} is no runlog store and holds other files, {} among them",
                              folder.string(), entry->path().filename().string()));
  }
  if (error) return IoError("cannot list", folder, error.value());
  return FolderKind::kEmpty;
}

Result<std::string> ReadStoreId(const fs::path& folder) {
  constexpr std::string_view kKey = "store_id ";
  const fs::path path = folder / kFormatFile;
  std::ifstream file(path, std::ios::binary);
  if (!file) return IoError("cannot open", path, errno);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kKey) && IsStoreId(std::string_view(line).substr(kKey.size()))) {
      return line.substr(kKey.size());
    }
  }
  return Status(StatusCode::kCorruption, fmt::format("{} has no store_id line of {} hex digits",
                                                     path.string(), format::kStoreIdSize));
}

Status CreateFormatFile(const fs::path& folder, const std::string& store_id) {
  std::string text =
      fmt::format("runlog store\nformat {0}\nmin_reader {0}\nmin_writer {0}\nstore_id {1}\n",
                  format::kFormatVersion, store_id);
  for (const std::string_view feature : kFeatures)
    text += fmt::format("feature {}\n", feature);
  const fs::path temporary = folder / kTemporaryFile;
  if (Status s = WriteAndSync(temporary, O_WRONLY | O_CREAT | O_TRUNC, text); !s.ok()) return s;
  std::error_code error;
  fs::rename(temporary, folder / kFormatFile, error);
  if (error) return IoError("cannot rename", temporary, error.value());
  return WriteAndSync(folder, O_RDONLY | O_DIRECTORY, {});
}

bool HasDatabaseFiles(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path extension = entry->path().extension();
    if (extension == ".sst" || extension == ".log") return true;
  }
  return static_cast<bool>(error);  // a folder that cannot be listed is not taken for empty
}

std::string NewStoreId() {
  std::random_device random;
  std::string id;
  for (int i = 0; i < 4; ++i)
    id += fmt::format("{:08x}", random());
  return id;
}

}  // namespace runlog::engine
