#!/usr/bin/env bash
# Installs the Debian 12 packages that building and testing runlog takes. This list is their one home.
#   tools/install_packages.sh [--list]
# As root or with sudo; never asks. Does nothing, and needs no network, when all of them are installed.
set -euo pipefail

packages=(
  g++ cmake ninja-build git ccache
  librocksdb-dev       # with the development files of snappy, lz4, zstd, bz2, zlib and gflags
  libflatbuffers-dev flatbuffers-compiler
  libxxhash-dev
  libisal-dev          # CRC32C, which RocksDB checks its logs with
  libboost1.81-dev     # Boost.JSON with basic_parser; it replaces the 1.74 development files
  libfmt-dev
  libcli11-dev
  libjemalloc-dev      # the programs' allocator
  libgtest-dev libgmock-dev libbenchmark-dev
  pkg-config           # the consumer project of tests/install
  clang-format-14      # tools/check_style.sh
)

if [[ "${1:-}" == --list ]]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null || true)
  [[ "$state" == ii* ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install_packages.sh: needs root or sudo to install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "installing ${missing[*]}" >&2
apt_get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
"${apt_get[@]}" update </dev/null >&2
"${apt_get[@]}" install --yes --no-install-recommends "${missing[@]}" </dev/null >&2
