#include "tools/progress.h"

#include <utility>

#include <fmt/format.h>

namespace runlog::tools {
namespace {

constexpr std::chrono::milliseconds kInterval{200};

}  // namespace

Progress::Progress(Console& console, std::string what)
    : console_(console), what_(std::move(what)), shown_(std::chrono::steady_clock::now()) {}

void Progress::Set(std::uint64_t count) {
  count_ = count;
  if (!console_.err_is_terminal()) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < kInterval) return;
  shown_ = now;
  console_.ShowProgress(fmt::format("{} {}", count_, what_));
}

}  // namespace runlog::tools
