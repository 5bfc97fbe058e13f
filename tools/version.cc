#include "tools/version.h"

#include <fmt/format.h>

namespace runlog::tools {
namespace {

constexpr int kStoreFormat = 1;

}  // namespace

std::string VersionLine(std::string_view program) {
  return fmt::format("{} {}, store format {}", program, RUNLOG_VERSION, kStoreFormat);
}

}  // namespace runlog::tools
