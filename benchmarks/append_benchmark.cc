// How fast appends are: benchmarks/README.md, "Appends".

#include "benchmarks/append_benchmark.h"

#include "benchmarks/support/program.h"

int main(int argc, char** argv) {
  return runlog::bench::Main(argc, argv, [] {
    runlog::bench::RegisterThroughput();
    runlog::bench::RegisterBeside();
    runlog::bench::RegisterUniform();
  });
}
