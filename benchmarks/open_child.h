// A process of its own that writes a store until it is killed.

#ifndef RUNLOG_BENCHMARKS_OPEN_CHILD_H_
#define RUNLOG_BENCHMARKS_OPEN_CHILD_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace runlog::bench {

inline constexpr std::uint64_t kChildThreads = 1'000;

std::string ChildThread(std::uint64_t number);

/// Starts the program again as a child that appends `events` buffered events to the store in
/// `folder` and then goes on appending; kills it with SIGKILL as soon as it says that it has
/// appended them.
void AppendAndKill(const std::filesystem::path& folder, std::uint64_t events);

/// Does the child's part, for ever, if the arguments are a child's.
void BeChildIfAsked(std::span<char* const> arguments);

}  // namespace runlog::bench

#endif  // RUNLOG_BENCHMARKS_OPEN_CHILD_H_
