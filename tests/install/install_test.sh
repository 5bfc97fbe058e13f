#!/usr/bin/env bash
# Goal: a stranger's project finds, builds against and runs an installed runlog.
# Method: installs a build tree, moves the installation, and builds the consumer by find_package and by
# pkg-config, with every warning on. Both must print the event they stored, before and after a reopen.
#   install_test.sh BUILD_DIR SCRATCH_DIR CXX
set -euo pipefail
build=$1 scratch=$2 cxx=$3
consumer=$(cd "$(dirname "${BASH_SOURCE[0]}")/consumer" && pwd)
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

rm -rf "$scratch"
mkdir -p "$scratch/by_cmake" "$scratch/by_pkg_config"
cmake --install "$build" --prefix "$scratch/first" --component library >/dev/null
mv "$scratch/first" "$scratch/moved"
if grep -rIl "$scratch/first" "$scratch/moved"; then
  echo "these files know the prefix they were installed to"
  exit 1
fi

expect_events() {  # PROGRAM: two runs make seqs 1 and 2
  local hello='llm.ai.response {"type":"ai","content":"Hello"}' printed
  (cd "$(dirname "$1")" && "$1" >/dev/null)
  printed=$(cd "$(dirname "$1")" && "$1")
  if [[ "$printed" != "1 $hello"$'\n'"2 $hello" ]]; then
    echo "$1 printed: $printed"
    exit 1
  fi
}

echo "== find_package"
cmake -S "$consumer" -B "$scratch/by_cmake" -DCMAKE_PREFIX_PATH="$scratch/moved" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_FLAGS="$warnings" >/dev/null
cmake --build "$scratch/by_cmake"
expect_events "$scratch/by_cmake/consumer"

echo "== pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/moved" -name runlog.pc)")
export PKG_CONFIG_PATH
static=--static
compgen -G "$scratch/moved/lib*/librunlog.so" >/dev/null && static=""
# shellcheck disable=SC2046,SC2086
"$cxx" -std=c++20 $warnings $(pkg-config --cflags runlog) "$consumer/main.cc" \
  -o "$scratch/by_pkg_config/consumer" $(pkg-config --libs $static runlog)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir runlog)
export LD_LIBRARY_PATH
expect_events "$scratch/by_pkg_config/consumer"
