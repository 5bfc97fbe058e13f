// Each answer of the store against the model's, field by field. A difference fails the test and
// names the field.

#ifndef RUNLOG_TESTS_ENGINE_MODEL_COMPARE_H_
#define RUNLOG_TESTS_ENGINE_MODEL_COMPARE_H_

#include <vector>

#include <runlog/event_store.h>

#include "tests/engine/model/model.h"
#include "tests/engine/model/model_tail.h"

namespace runlog::testing {

void ExpectSame(const AppendReceipt& got, const AppendReceipt& wanted);
void ExpectSame(const DeleteReceipt& got, const DeleteReceipt& wanted);
void ExpectSame(const EventView& got, const ModelEvent& wanted, std::string_view thread_id);
void ExpectSame(const Page& got, const PageAnswer& wanted, std::string_view thread_id);
void ExpectSame(const Counts& got, const Counts& wanted);
void ExpectSame(const ThreadSummary& got, const ThreadSummary& wanted);
void ExpectSame(const RunSummary& got, const RunSummary& wanted);
/// Change::at is checked apart: `after` must not be later than it.
void ExpectSame(const Change& got, const Change& wanted);
void ExpectSame(const TailBatch& got, const TailAnswer& wanted, const ModelThread* thread,
                std::string_view thread_id);

/// The holes are the dead seqs between two seqs, each under a reason and commit that erased it, and
/// neighbours of one delete are joined.
void ExpectHoles(const std::vector<Hole>& got, const ModelThread* thread, std::uint64_t after_seq,
                 std::uint64_t before_seq);

/// Everything a thread can be asked without arguments.
void ExpectSameThread(const Reader& reader, const Model& model, const std::string& thread_id);
/// Every thread, and the list of them.
void ExpectSameStore(const Reader& reader, const Model& model);

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_ENGINE_MODEL_COMPARE_H_
