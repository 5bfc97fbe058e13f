#!/usr/bin/env bash
# Builds the release preset and runs its tests; ctest's own summary comes last, its exit code is ours.
#   tools/test.sh [--tier short|nightly|release] [CTEST ARGUMENT...]
# short    everything but what is labelled `slow`
# nightly  everything, with longer random and crash tests
# release  everything, as long as before a release
# The tier reaches the tests as RUNLOG_TIER. Installs missing packages; works from any folder; never asks.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

tier=short
if [[ "${1:-}" == --tier ]]; then
  tier=${2:-}
  shift 2 || { echo "test.sh: --tier needs short, nightly or release" >&2; exit 2; }
fi
select_tests=()
case "$tier" in
  short) select_tests=(--label-exclude '^slow$') ;;
  nightly | release) ;;
  *) echo "test.sh: unknown tier '$tier': short, nightly or release" >&2; exit 2 ;;
esac

"$root/tools/install_packages.sh"
"$root/tools/build.sh" release
export RUNLOG_TIER=$tier
exec ctest --test-dir "$root/build/release" --parallel 2 --output-on-failure --no-label-summary \
  "${select_tests[@]}" "$@" </dev/null
