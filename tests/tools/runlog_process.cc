#include "tests/tools/runlog_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <utility>

#include <gtest/gtest.h>

extern char** environ;

namespace runlog::tools {
namespace {

// A test that waits longer has failed; nothing waits for this to pass.
constexpr int kPatienceMs = 60'000;

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe OpenPipe() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  return {ends[0], ends[1]};
}

pid_t Spawn(const Arguments& arguments, int in, int out, int err) {
  std::vector<std::string> words{RUNLOG_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t pid = -1;
  EXPECT_EQ(::posix_spawn(&pid, RUNLOG_BINARY, &actions, nullptr, argv.data(), environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  return pid;
}

int WaitFor(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// False at the end of the stream, or when nothing came for too long.
bool ReadSome(int fd, std::string& into) {
  pollfd readable{fd, POLLIN, 0};
  if (::poll(&readable, 1, kPatienceMs) != 1) return false;
  std::array<char, 65536> bytes{};
  const ssize_t count = ::read(fd, bytes.data(), bytes.size());
  if (count <= 0) return false;
  into.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

// Feeds stdin and drains stdout and stderr at the same time, so that no pipe can fill up and stop
// the child.
void Exchange(std::string_view input, int in, int out, int err, Ended& ended) {
  std::array<pollfd, 3> ends{{{in, POLLOUT, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}}};
  while (ends[1].fd >= 0 || ends[2].fd >= 0) {
    if (input.empty() && ends[0].fd >= 0) ::close(std::exchange(ends[0].fd, -1));
    if (::poll(ends.data(), ends.size(), kPatienceMs) <= 0) break;
    if (ends[0].revents != 0) {
      const ssize_t count = ::write(in, input.data(), input.size());
      input.remove_prefix(count < 0 ? input.size() : static_cast<std::size_t>(count));
    }
    if (ends[1].revents != 0 && !ReadSome(out, ended.out)) ::close(std::exchange(ends[1].fd, -1));
    if (ends[2].revents != 0 && !ReadSome(err, ended.err)) ::close(std::exchange(ends[2].fd, -1));
  }
  for (const pollfd& end : ends) {
    if (end.fd >= 0) ::close(end.fd);
  }
}

}  // namespace

std::vector<std::string> Ended::lines() const {
  std::vector<std::string> lines;
  std::string_view rest = out;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  return lines;
}

Ended RunRunlog(const Arguments& arguments, std::string_view input) {
  ::signal(SIGPIPE, SIG_IGN);  // a child may end before it has read its input
  const Pipe in = OpenPipe();
  const Pipe out = OpenPipe();
  const Pipe err = OpenPipe();
  ::fcntl(in.write, F_SETFL, O_NONBLOCK);
  const pid_t pid = Spawn(arguments, in.read, out.write, err.write);
  ::close(in.read);
  ::close(out.write);
  ::close(err.write);
  Ended ended;
  Exchange(input, in.write, out.read, err.read, ended);
  ended.code = WaitFor(pid);
  return ended;
}

RunlogProcess::RunlogProcess(const Arguments& arguments) {
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const Pipe out = OpenPipe();
  const Pipe err = OpenPipe();
  pid_ = Spawn(arguments, in, out.write, err.write);
  ::close(in);
  ::close(out.write);
  ::close(err.write);
  out_ = out.read;
  err_ = err.read;
}

RunlogProcess::~RunlogProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    WaitFor(pid_);
  }
  CloseOutput();
  ::close(err_);
}

std::optional<std::string> RunlogProcess::ReadLine() {
  for (;;) {
    const std::size_t end = buffered_.find('\n');
    if (end != buffered_.npos) {
      std::string line = buffered_.substr(0, end);
      buffered_.erase(0, end + 1);
      return line;
    }
    if (!ReadSome(out_, buffered_)) return std::nullopt;
  }
}

void RunlogProcess::CloseOutput() {
  if (out_ >= 0) ::close(std::exchange(out_, -1));
}

void RunlogProcess::Signal(int number) {
  ::kill(pid_, number);
}

Ended RunlogProcess::Wait() {
  Ended ended;
  ended.out = std::exchange(buffered_, {});
  while (out_ >= 0 && ReadSome(out_, ended.out)) {
  }
  while (ReadSome(err_, ended.err)) {
  }
  ended.code = WaitFor(std::exchange(pid_, -1));
  return ended;
}

}  // namespace runlog::tools
