#!/usr/bin/env bash
# Checks that every C++ file is as clang-format 14 would write it.
#   tools/check_style.sh         names the files that are not; exit 1 when there are any
#   tools/check_style.sh --fix   rewrites them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

list_sources() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard --deduplicate -- '*.h' '*.cc'
  else
    find . -path ./build -prune -o \( -name '*.h' -o -name '*.cc' \) -print0
  fi
}

case "${1:-}" in
  "") ;;
  --fix)
    list_sources | xargs -0 -P 2 -n 20 clang-format-14 -i
    exit
    ;;
  *)
    echo "usage: check_style.sh [--fix]" >&2
    exit 2
    ;;
esac

differ=$(list_sources | xargs -0 -P 2 -n 1 sh -c \
  'clang-format-14 --dry-run -Werror "$0" 2>/dev/null || echo "$0"' | sort)
if [[ -n "$differ" ]]; then
  printf '%s\nnot as clang-format 14 writes them: tools/check_style.sh --fix\n' "$differ"
  exit 1
fi
