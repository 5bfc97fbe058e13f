#!/usr/bin/env bash
# Checks that every C++ file is as clang-format 14 would write it.
#   tools/check_style.sh         names what differs; exit 1 when something does
#   tools/check_style.sh --fix   rewrites it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=(--dry-run -Werror)
case "${1:-}" in
  "") ;;
  --fix) mode=(-i) ;;
  *) echo "usage: check_style.sh [--fix]" >&2; exit 2 ;;
esac

list_sources() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard --deduplicate -- '*.h' '*.cc'
  else
    find . -path ./build -prune -o \( -name '*.h' -o -name '*.cc' \) -print0
  fi
}

list_sources | xargs -0 --max-procs=2 --max-args=20 clang-format-14 --style=file "${mode[@]}"
