// A folder of its own for one test, gone at the end.

#ifndef RUNLOG_TESTS_SUPPORT_SCRATCH_DIR_H_
#define RUNLOG_TESTS_SUPPORT_SCRATCH_DIR_H_

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace runlog::testing {

/// Lies under TMPDIR if that is set, else in `scratch` beside the program's folder, which is in the
/// build tree wherever the test is started: a memory file system would make durability and space
/// look like what they are not.
class ScratchDir {
 public:
  ScratchDir() {
    const char* const base = std::getenv("TMPDIR");
    const std::filesystem::path parent =
        base != nullptr && *base != '\0'
            ? std::filesystem::path(base)
            : std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() /
                  "scratch";
    std::filesystem::create_directories(parent);
    std::string name = (parent / "runlog-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("cannot make a scratch folder under " + parent.string());
    }
    path_ = name;
  }
  ~ScratchDir() {
    std::error_code ignored;  // a folder that stays behind fails no test
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_SUPPORT_SCRATCH_DIR_H_
