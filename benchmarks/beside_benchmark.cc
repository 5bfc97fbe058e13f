// What appends beside each other cost: benchmarks/README.md, "Beside each other".

#include "benchmarks/beside_benchmark.h"

#include "benchmarks/support/program.h"

int main(int argc, char** argv) {
  return runlog::bench::Main(argc, argv, [] {
    runlog::bench::RegisterImport();
    runlog::bench::RegisterColdThreads();
  });
}
