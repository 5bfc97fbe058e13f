#!/usr/bin/env bash
# Configures and builds a preset into build/PRESET.
#   tools/build.sh PRESET [TARGET...]
# At most RUNLOG_JOBS compilers at a time (2): some files take 1 GB. Checkouts of any place share one ccache.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${1:?usage: build.sh PRESET [TARGET...]}
shift
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1

cd "$root"
log="build/$preset.configure.log"
mkdir -p build
if ! cmake --preset "$preset" >"$log" 2>&1 </dev/null; then
  cat "$log" >&2
  exit 1
fi
targets=()
[[ $# -gt 0 ]] && targets=(--target "$@")
cmake --build --preset "$preset" --parallel "${RUNLOG_JOBS:-2}" "${targets[@]}" </dev/null
