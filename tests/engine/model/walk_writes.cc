#include <algorithm>
#include <future>
#include <memory>

#include <gtest/gtest.h>

#include "tests/engine/model/compare.h"
#include "tests/engine/model/store_walk.h"
#include "tests/support/store_test.h"

namespace runlog::testing {

Result<AppendReceipt> StoreWalk::AppendToStore(const std::string& thread_id,
                                               const std::vector<Draft>& drafts,
                                               const AppendOptions& options) {
  const std::vector<Event> events = AsEvents(drafts);
  if (!random_.OneIn(5)) return store_->Append(thread_id, events, options);
  std::promise<Result<AppendReceipt>> promise;
  std::future<Result<AppendReceipt>> answer = promise.get_future();
  if (Status s = store_->AppendAsync(
          thread_id, events, options,
          [&](Result<AppendReceipt> receipt) { promise.set_value(std::move(receipt)); });
      !s.ok()) {
    return s;
  }
  return answer.get();
}

void StoreWalk::Check(const Result<AppendReceipt>& got, const Answer<AppendReceipt>& wanted,
                      const std::string& thread_id) {
  if (wanted.code != StatusCode::kOk) {
    EXPECT_THAT(got, FailsWith(wanted.code));
    return;
  }
  ASSERT_OK(got);
  AppendReceipt expected = wanted.value;
  if (expected.incarnation == Model::kNewIncarnation) {
    EXPECT_GT(got->incarnation, highest_incarnation_);
    highest_incarnation_ = expected.incarnation = got->incarnation;
    model_.Learn(thread_id, got->incarnation);
  }
  ExpectSame(*got, expected);
}

void StoreWalk::AppendToBoth(const std::string& thread_id, const std::vector<Draft>& drafts,
                             AppendOptions options) {
  SCOPED_TRACE("append of " + std::to_string(drafts.size()) + " to \"" + thread_id + "\"");
  if (random_.OneIn(40)) options.durability = Durability::kSync;
  const Answer<AppendReceipt> wanted = model_.Append(thread_id, drafts, options, clock_.Now());
  Check(AppendToStore(thread_id, drafts, options), wanted, thread_id);
}

void StoreWalk::Append() {
  const std::string thread_id = ThreadId();
  const std::size_t most = random_.OneIn(3) ? 1 : random_.OneIn(20) ? 120 : 12;
  AppendToBoth(thread_id, drafts_.Some(most), {});
}

void StoreWalk::AppendWithKey() {
  std::string thread_id = ThreadId();
  std::string key = "key-" + std::to_string(used_keys_.size());
  std::vector<Draft> drafts = drafts_.Some(4);
  if (!used_keys_.empty() && random_.OneIn(2)) {
    const std::uint64_t again = random_.Below(used_keys_.size());
    std::tie(thread_id, key) = used_keys_[again];
    // Now and then with other events, which is a conflict.
    if (!random_.OneIn(4)) drafts = used_drafts_[again];
  }
  AppendOptions options{.idempotency_key = key};
  if (random_.OneIn(4)) options.expect_incarnation = SomeIncarnation(thread_id);
  const std::uint64_t commits = model_.last_commit();
  AppendToBoth(thread_id, drafts, options);
  if (model_.last_commit() == commits) return;
  used_keys_.emplace_back(thread_id, key);
  used_drafts_.push_back(std::move(drafts));
}

void StoreWalk::AppendConditionally() {
  const std::string thread_id = ThreadId();
  const ModelThread* thread = model_.Find(thread_id);
  AppendOptions options;
  if (random_.OneIn(2)) options.expect_incarnation = SomeIncarnation(thread_id);
  if (random_.OneIn(2)) {
    options.expected_seq = thread == nullptr || random_.OneIn(3) ? 0 : thread->mark();
    if (random_.OneIn(4)) *options.expected_seq += 1;
  }
  AppendToBoth(thread_id, drafts_.Some(3), options);
}

/// A bad event anywhere in an append: nothing of it is written.
void StoreWalk::AppendInvalid() {
  std::vector<Draft> drafts = drafts_.Some(4);
  Draft& bad = drafts[random_.Below(drafts.size())];
  switch (random_.Below(5)) {
    case 0:
      bad.category = std::string(17, 'c');
      break;
    case 1:
      bad.type = "";
      break;
    case 2:
      bad.run = "line\nbreak";
      break;
    case 3:
      bad.metadata = "[1]";
      break;
    default:
      bad.kind = ContentKind::kJson;
      bad.content = R"("\ud800")";
      break;
  }
  EXPECT_THAT(AppendToStore(ThreadId(), drafts, {}), FailsWith(StatusCode::kInvalidArgument));
}

void StoreWalk::AppendNothing() {
  AppendToBoth(ThreadId(), {}, {});
}

void StoreWalk::Put() {
  const std::string thread_id = ThreadId();
  Draft draft = drafts_.One();
  PutOptions options;
  if (random_.OneIn(5)) options.expect_incarnation = SomeIncarnation(thread_id);
  SCOPED_TRACE("put_if_absent of " + draft.type + " to \"" + thread_id + "\"");
  const Answer<PutAnswer> wanted = model_.Put(thread_id, draft, options, clock_.Now());
  const Result<PutResult> got = store_->PutIfAbsent(thread_id, draft.AsEvent(), options);
  if (wanted.code != StatusCode::kOk) {
    EXPECT_THAT(got, FailsWith(wanted.code));
    return;
  }
  ASSERT_OK(got);
  EXPECT_EQ(got->created, wanted.value.created);
  EXPECT_EQ(got->seq, wanted.value.seq);
  EXPECT_EQ(got->commit, wanted.value.commit);
  ASSERT_EQ(got->page.size(), 1U);
  if (model_.Find(thread_id)->incarnation == Model::kNewIncarnation) {
    highest_incarnation_ = got->page.incarnation();
    model_.Learn(thread_id, got->page.incarnation());
  }
  EXPECT_EQ(got->page.incarnation(), model_.Find(thread_id)->incarnation);
  ExpectSame(got->page.events().front(), model_.Find(thread_id)->events[wanted.value.seq - 1],
             thread_id);
}

void StoreWalk::DeleteRun() {
  const std::string thread_id = ThreadId();
  const std::string run_id = drafts_.RunId();
  const std::optional<std::string> user =
      random_.OneIn(2) ? std::nullopt : std::optional(drafts_.User());
  SCOPED_TRACE("delete_run " + run_id + " of \"" + thread_id + "\" user " + user.value_or("any"));
  const Result<DeleteReceipt> got = store_->DeleteRun(thread_id, run_id, {.user_id = user});
  ASSERT_OK(got);
  ExpectSame(*got, model_.Delete(thread_id, run_id, user));
}

void StoreWalk::DeleteThread() {
  const std::string thread_id = ThreadId();
  const std::optional<std::string> user =
      random_.OneIn(3) ? std::nullopt : std::optional(drafts_.User());
  SCOPED_TRACE("delete_thread \"" + thread_id + "\" user " + user.value_or("any"));
  const Result<DeleteReceipt> got = store_->DeleteThread(thread_id, {.user_id = user});
  ASSERT_OK(got);
  ExpectSame(*got, model_.Delete(thread_id, std::nullopt, user));
}

void StoreWalk::Resolve() {
  std::string thread_id = ThreadId();
  std::string key = "never used";
  if (!used_keys_.empty()) std::tie(thread_id, key) = used_keys_[random_.Below(used_keys_.size())];
  if (random_.OneIn(4)) thread_id = ThreadId();
  SCOPED_TRACE("resolve " + key + " of \"" + thread_id + "\"");
  Check(store_->Resolve(thread_id, key), model_.Resolve(thread_id, key), thread_id);
}

}  // namespace runlog::testing
