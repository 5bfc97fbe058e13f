#include "tools/example_runs.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/example_text.h"

namespace runlog::tools {
namespace {

constexpr Timestamp kFirstDay{1'772'438'400'000'000};  // 2026-03-02 08:00 UTC
constexpr std::int64_t kMinute = 60'000'000;
constexpr unsigned kPairedPercent = 15;
constexpr unsigned kSharedThreadPercent = 25;
constexpr unsigned kUnownedPercent = 12;

struct ExampleThread {
  std::string thread_id;
  std::vector<std::string> owners;  // empty: nobody was logged in
  Timestamp now;
  bool used = false;
};

/// The threads of one set of examples, and who runs what in them.
class ExampleCast {
 public:
  ExampleCast(const ExampleOptions& options, ExampleText& text)
      : shape_(options.shape), text_(text) {
    for (std::uint64_t i = 0; i < 1 + options.runs / 3; ++i)
      threads_.push_back(MakeThread());
  }

  ExampleThread& PickThread() {
    return threads_[static_cast<std::size_t>(text_.random().Below(threads_.size()))];
  }

  ExampleRun NextRun(ExampleThread& thread) {
    ExampleRandom& random = text_.random();
    ExampleRun run;
    run.thread_id = thread.thread_id;
    run.run_id = shape_ == ExampleShape::kAfk ? "run_" + text_.Hex(32) : text_.Uuid();
    if (!thread.owners.empty()) run.user_id = random.Pick(std::span(std::as_const(thread.owners)));
    thread.now.microseconds += static_cast<std::int64_t>(random.Between(3, 400)) * kMinute;
    thread.now.microseconds += static_cast<std::int64_t>(random.Below(1'000'000));
    run.start = thread.now;
    run.first_in_thread = !std::exchange(thread.used, true);
    return run;
  }

 private:
  ExampleThread MakeThread() {
    ExampleRandom& random = text_.random();
    ExampleThread thread;
    thread.thread_id = shape_ == ExampleShape::kAfk ? "thread_" + text_.Hex(32) : text_.Uuid();
    if (!random.Chance(kUnownedPercent)) thread.owners.push_back(MakeOwner());
    if (random.Chance(kSharedThreadPercent)) thread.owners.push_back(MakeOwner());
    thread.now = {kFirstDay.microseconds +
                  static_cast<std::int64_t>(random.Below(20'000)) * kMinute};
    return thread;
  }

  // Few people: most of them own several threads.
  std::string MakeOwner() {
    return fmt::format("user-{:04}", 1000 + text_.random().Below(1 + threads_.size()));
  }

  ExampleShape shape_;
  ExampleText& text_;
  std::vector<ExampleThread> threads_;
};

// Two runs of a thread whose buffers were flushed in turns.
std::vector<std::string> Interleave(std::vector<std::string> first, std::vector<std::string> second,
                                    ExampleRandom& random) {
  std::vector<std::string> merged;
  auto from_first = first.begin();
  auto from_second = second.begin();
  while (from_first != first.end() || from_second != second.end()) {
    const bool take_first =
        from_second == second.end() || (from_first != first.end() && random.Chance(50));
    auto& from = take_first ? from_first : from_second;
    const auto left = (take_first ? first.end() : second.end()) - from;
    const auto count =
        std::min<std::ptrdiff_t>(left, static_cast<std::ptrdiff_t>(random.Between(1, 8)));
    merged.insert(merged.end(), from, from + count);
    from += count;
  }
  return merged;
}

}  // namespace

void MakeExampleRuns(const ExampleOptions& options,
                     const std::function<bool(const std::string&)>& line) {
  ExampleText text(options.seed);
  ExampleCast cast(options, text);
  const auto write = options.shape == ExampleShape::kAfk ? WriteAfkRun : WriteDeerflowRun;
  for (std::uint64_t made = 0; made < options.runs; ++made) {
    ExampleThread& thread = cast.PickThread();
    text.ChangeSubject();
    std::vector<std::string> lines = write(cast.NextRun(thread), text);
    if (made + 1 < options.runs && text.random().Chance(kPairedPercent)) {
      ++made;
      std::vector<std::string> others = write(cast.NextRun(thread), text);
      lines = Interleave(std::move(lines), std::move(others), text.random());
    }
    if (!std::ranges::all_of(lines, line)) return;
  }
}

}  // namespace runlog::tools
