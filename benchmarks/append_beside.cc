// What appends beside each other cost: small ones beside a bulk import, warm threads beside cold
// ones.

#include "benchmarks/append_benchmark.h"

namespace runlog::bench {

void RegisterBeside() {}

}  // namespace runlog::bench
