#!/bin/sh
# Runs every benchmark program, one after the other, and prints their tables: what README.md here shows.
# usage: benchmarks/run.sh [FLAGS OF THE PROGRAMS]   e.g. --full, --smoke, --dir=FOLDER
set -eu
cd "$(dirname "$0")/.."
programs="append_benchmark beside_benchmark page_benchmark memory_benchmark open_benchmark"
cmake --preset release >/dev/null
# shellcheck disable=SC2086 # a list of names
cmake --build --preset release --target $programs >/dev/null
lscpu | grep -E '^(Model name|CPU\(s\))'
for program in $programs; do
  out=$(mktemp)
  "build/release/bin/$program" "$@" >"$out" 2>&1 || { cat "$out"; rm -f "$out"; exit 1; }
  echo
  sed -n '/^| benchmark |/,$p' "$out"
  rm -f "$out"
done
