// Stores whose writer was killed, and their files as bytes to change and put back.

#ifndef RUNLOG_TESTS_ENGINE_KILLED_STORE_H_
#define RUNLOG_TESTS_ENGINE_KILLED_STORE_H_

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "tests/support/store_test.h"

namespace runlog::testing {

inline std::string ReadBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// In place: the file keeps its inode.
inline void WriteBytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// The files of a folder, by name.
using FolderBytes = std::map<std::string, std::string>;

inline FolderBytes BytesOfFolder(const std::filesystem::path& folder) {
  FolderBytes files;
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[entry.path().filename().string()] = ReadBytes(entry.path());
    }
  }
  return files;
}

class KilledStoreTest : public StoreTest {
 protected:
  /// Opens the store in another process, lets `write` use it there, and ends that process without
  /// closing. Requires: no other worker runs.
  template <typename Write>
  void WriteAndDie(Write write) {
    const pid_t writer = ::fork();
    if (writer == 0) {
      Open();
      write();
      ::_exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    ASSERT_EQ(status, 0);
  }

  /// Puts the folder back as `files` say; WRITER is written in place, for its identity counts.
  void Restore(const FolderBytes& files) const {
    for (const auto& [name, bytes] : BytesOfFolder(folder())) {
      if (files.count(name) == 0) std::filesystem::remove(folder() / name);
    }
    for (const auto& [name, bytes] : files)
      WriteBytes(folder() / name, bytes);
  }

  /// The one file of this extension or name prefix; the newest where there are several.
  std::string Newest(const std::string& part) const {
    std::string newest;
    for (const auto& [name, bytes] : BytesOfFolder(folder())) {
      if (name.find(part) != std::string::npos) newest = name;
    }
    return newest;
  }
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_ENGINE_KILLED_STORE_H_
