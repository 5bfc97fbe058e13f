#!/usr/bin/env bash
# Goal: what is shipped is built so that a slip in it is hard to use: at another address each time, with
# nothing writable that is jumped through, no stack that runs, checks in string functions and in frames.
# Method: readelf on the program, and on the library's objects for what the linker only keeps where the
# C library's start-up objects have it too (Debian 12's have no IBT and SHSTK notes).
#   hardening_test.sh PROGRAM LIBRARY
set -euo pipefail
program=$1 library=$2
failed=0

expect() {  # WHAT PATTERN FILE
  if ! grep -qE -- "$2" "$3"; then
    echo "not so: $1"
    failed=1
  fi
}
refuse() {  # WHAT PATTERN FILE
  if grep -qE -- "$2" "$3"; then
    echo "not so: $1"
    grep -E -- "$2" "$3" | head -3
    failed=1
  fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
readelf -hW "$program" >"$scratch/header"
readelf -lW "$program" >"$scratch/segments"
readelf -dW "$program" >"$scratch/dynamic"
readelf -sW --dyn-syms "$program" >"$scratch/symbols"

expect "loaded at any address" 'Type: +DYN' "$scratch/header"
expect "a program, not a library" ' INTERP ' "$scratch/segments"
expect "marked position-independent" 'FLAGS_1.*PIE' "$scratch/dynamic"
expect "every symbol bound before main" 'BIND_NOW|FLAGS_1.*NOW' "$scratch/dynamic"
expect "relocations read-only after binding" ' GNU_RELRO ' "$scratch/segments"
expect "no stack that runs" ' GNU_STACK .* RW +0x' "$scratch/segments"
refuse "no segment both written and run" ' LOAD .* RWE ' "$scratch/segments"
refuse "no relocations in code" 'TEXTREL' "$scratch/dynamic"
refuse "no search path for libraries in the installed program" 'RUNPATH|RPATH' "$scratch/dynamic"
expect "frames with guards" '__stack_chk_fail' "$scratch/symbols"
expect "string functions that check their bounds" '__mem(cpy|move|set)_chk' "$scratch/symbols"

readelf -nW "$library" >"$scratch/notes"
objects=$(grep -c '^File: ' "$scratch/notes" || true)
guarded=$(grep -c 'x86 feature: IBT, SHSTK' "$scratch/notes" || true)
if [[ $library == *.a && ($objects -lt 10 || $guarded -ne $objects) ]]; then
  echo "not so: jump targets marked in each of the $objects objects of the library, but in $guarded"
  failed=1
fi
exit "$failed"
