// The process that the crash test kills: crash_writer FOLDER SEED
//
// Opens the store and writes from several workers until it is killed. Says on stdout what it is
// about to do and, after the store returned, what it answered. Ends by itself only on an error.

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include <runlog/event_store.h>

#include "tests/crash/action.h"
#include "tests/crash/report.h"
#include "tests/support/seeded_random.h"
#include "tests/support/workers.h"

namespace runlog::testing {
namespace {

[[noreturn]] void Fail(const std::string& what) {
  std::cerr << "crash_writer: " + what + "\n";
  std::_Exit(3);
}

void Tell(const Report& report) {
  const std::string line = report.Line();
  if (::write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    Fail("cannot report");
  }
}

template <typename T>
T Checked(Result<T> result, const Action& action) {
  if (!result.ok()) {
    Fail("action " + std::to_string(action.seed) + ": " + result.status().ToString());
  }
  return *std::move(result);
}

void Append(EventStore& store, const Action& action) {
  const AppendReceipt receipt =
      Checked(store.Append(action.thread_id, AsEvents(action.drafts),
                           {.durability = action.durability, .idempotency_key = action.key}),
              action);
  Tell({.kind = ReportKind::kAppended,
        .seed = action.seed,
        .first_seq = receipt.first_seq,
        .count = receipt.count,
        .commit = receipt.commit,
        .replayed = receipt.replayed});
}

void Put(EventStore& store, const Action& action) {
  const Event event = action.drafts.front().AsEvent();
  const PutResult put = Checked(
      store.PutIfAbsent(action.thread_id, event, {.durability = action.durability}), action);
  if (put.page.empty() && !put.created) Fail("a put without its event");
  // What was made and deleted at once has no event to show.
  const Origin found =
      put.page.empty() ? Origin{action.seed, 0} : OriginOf(put.page.events().front());
  if (put.created && found != Origin{action.seed, 0}) Fail("a put answered with another event");
  Tell({.kind = ReportKind::kPut,
        .seed = action.seed,
        .first_seq = put.seq,
        .count = 1,
        .commit = put.commit,
        .found = found});
}

void Delete(EventStore& store, const Action& action) {
  const DeleteReceipt receipt = Checked(
      store.DeleteRun(action.thread_id, action.run, {.durability = action.durability}), action);
  Tell({.kind = ReportKind::kDeleted,
        .seed = action.seed,
        .count = receipt.deleted,
        .commit = receipt.commit});
}

void Do(EventStore& store, const Action& action) {
  Tell({.kind = ReportKind::kIntent, .seed = action.seed});
  switch (action.kind) {
    case ActionKind::kAppend:
      Append(store, action);
      if (!action.key.empty() && action.seed % 2 == 0) Append(store, action);
      break;
    case ActionKind::kPut:
      Put(store, action);
      break;
    case ActionKind::kDeleteRun:
      Delete(store, action);
      break;
  }
}

StoreOptions OptionsOf(std::uint64_t seed) {
  SeededRandom random(seed);
  StoreOptions options;
  options.memtable_bytes = random.Between(1, 4) << 20;
  options.block_cache_bytes = std::uint64_t{16} << 20;
  if (random.OneIn(2)) options.thread_cache_bytes = std::uint64_t{64} << 10;
  return options;
}

void WriteForEver(const std::string& folder, std::uint64_t seed) {
  Result<std::unique_ptr<EventStore>> store = EventStore::Open(folder, OptionsOf(seed));
  if (!store.ok()) Fail("open: " + store.status().ToString());
  InParallel(kCrashWorkers, [&](std::size_t worker) {
    for (std::uint64_t n = 0;; ++n)
      Do(**store, ActionOf(Mixed(seed, worker, n)));
  });
}

}  // namespace
}  // namespace runlog::testing

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // never left behind by a test that dies
  if (argc != 3) return 2;
  runlog::testing::WriteForEver(argv[1], std::strtoull(argv[2], nullptr, 10));
  return 1;
}
