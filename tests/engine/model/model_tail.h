// What one reading of a tail must hand out, said from the model alone.

#ifndef RUNLOG_TESTS_ENGINE_MODEL_MODEL_TAIL_H_
#define RUNLOG_TESTS_ENGINE_MODEL_MODEL_TAIL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include <runlog/tail.h>

#include "tests/engine/model/model.h"

namespace runlog::testing {

struct TailAnswer {
  bool reset = false;
  std::uint64_t incarnation = 0;
  std::vector<const ModelEvent*> events;
  /// Dead seqs of this stretch, both exclusive, are handed out as holes.
  std::uint64_t holes_after = 0;
  std::uint64_t holes_before = 0;
  bool caught_up = false;
  std::optional<TailEnd> end;
};

class ModelTail {
 public:
  ModelTail(const Model& model, TailRequest request);

  TailAnswer Next(const Model& model, std::size_t limit);
  const TailRequest& request() const { return request_; }
  std::uint64_t cursor() const { return cursor_; }
  std::uint64_t incarnation() const { return incarnation_; }

 private:
  void AddEnd(const Model& model, TailAnswer& answer);

  TailRequest request_;
  std::uint64_t cursor_ = 0;
  std::uint64_t incarnation_ = 0;
  bool said_caught_up_ = false;
  bool saw_run_ = false;
  std::optional<TailEnd> end_;
};

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_ENGINE_MODEL_MODEL_TAIL_H_
