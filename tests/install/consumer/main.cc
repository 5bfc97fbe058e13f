#include <iostream>
#include <span>

#include <runlog/event_store.h>

int Fail(const runlog::Status& status) {
  std::cerr << status.ToString() << '\n';
  return 1;
}

int main() {
  auto store = runlog::EventStore::Open("agent-runs");
  if (!store.ok()) return Fail(store.status());

  runlog::Event event;
  event.run_id = "run-1";
  event.event_type = "llm.ai.response";
  event.category = "message";
  event.content = runlog::Content::Json(R"({"type":"ai","content":"Hello"})");
  auto receipt = (*store)->Append("thread-1", std::span(&event, 1));  // On disk when it returns.
  if (!receipt.ok()) return Fail(receipt.status());

  auto page = (*store)->reader().ThreadEvents("thread-1", runlog::PageRequest());
  if (!page.ok()) return Fail(page.status());
  for (const runlog::EventView& stored : page->events()) {
    std::cout << stored.seq() << ' ' << stored.event_type() << ' ' << stored.content().bytes
              << '\n';
  }
}
