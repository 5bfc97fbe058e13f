#include "benchmarks/open_child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/support/check.h"
#include "benchmarks/support/event_deck.h"
#include "benchmarks/support/scratch_store.h"

extern char** environ;

namespace runlog::bench {
namespace {

constexpr std::string_view kChildFlag = "--append-until-killed";
constexpr std::uint64_t kBatch = 100;
constexpr std::size_t kPoolEvents = 20'000;

[[noreturn]] void AppendForEver(const std::filesystem::path& folder, std::uint64_t events) {
  const EventPool pool(/*seed=*/20260604, kPoolEvents);
  const std::unique_ptr<EventStore> store = OpenStore(folder, StoreOptions());
  std::vector<Event> batch;
  std::uint64_t appended = 0;
  for (std::uint64_t nth = 0;; ++nth) {
    batch.clear();
    for (std::uint64_t i = 0; i < kBatch; ++i)
      batch.push_back(pool.at((appended + i) % pool.size()));
    Check(store
              ->Append(ChildThread(nth % kChildThreads), batch,
                       AppendOptions{.durability = Durability::kBuffered})
              .status());
    appended += kBatch;
    if (appended >= events && appended - events < kBatch) {
      Check(::write(STDOUT_FILENO, "!", 1) == 1, "the parent does not listen");
    }
  }
}

/// The child's process id; its standard output goes to `output`.
::pid_t Start(std::vector<std::string> arguments, int output) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::pid_t child = 0;
  const int failed =
      ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  Check(failed == 0, "cannot start the child");
  return child;
}

}  // namespace

std::string ChildThread(std::uint64_t number) {
  return fmt::format("thread-{:03}", number);
}

void AppendAndKill(const std::filesystem::path& folder, std::uint64_t events) {
  std::array<int, 2> ends{};
  Check(::pipe2(ends.data(), O_CLOEXEC) == 0, "pipe");
  const ::pid_t child =
      Start({"open_benchmark", std::string(kChildFlag), folder.string(), fmt::format("{}", events)},
            ends[1]);
  ::close(ends[1]);
  char sign = 0;
  const bool ready = ::read(ends[0], &sign, 1) == 1;
  ::close(ends[0]);
  Check(::kill(child, SIGKILL) == 0, "kill");
  int state = 0;
  Check(::waitpid(child, &state, 0) == child, "waitpid");
  Check(ready && WIFSIGNALED(state), "the child ended by itself");
}

void BeChildIfAsked(std::span<char* const> arguments) {
  if (arguments.size() != 4 || arguments[1] != kChildFlag) return;
  AppendForEver(arguments[2], std::stoull(arguments[3]));
}

}  // namespace runlog::bench
