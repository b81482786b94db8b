#!/usr/bin/env bash
# CPU seconds of a cold build of a project whose only dependency is a code generator in its build script: toolcast-codegen
# beside tonic-prost-build with prost-build. Both build an empty library and run nothing. Usage: benches/cold_build.sh [ROUNDS]
set -euo pipefail
rounds=${1:-3}
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

project() { # name, build-dependency lines
  mkdir -p "$work/$1/src"
  printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[build-dependencies]\n%s\n' "$1" "$2" \
    >"$work/$1/Cargo.toml"
  echo 'fn main() {}' >"$work/$1/build.rs"
  : >"$work/$1/src/lib.rs"
  (cd "$work/$1" && cargo fetch -q)
}

project toolcast "toolcast-codegen = { path = \"$top/codegen\" }"
project tonic 'tonic-prost-build = "0.14"
prost-build = "0.14"'

printf '%-10s %s\n' project 'CPU seconds (user + system), packages'
for round in $(seq "$rounds"); do
  for name in toolcast tonic; do
    rm -rf "$work/target"
    TIMEFORMAT='%U %S'
    cpu=$({ time (cd "$work/$name" && CARGO_INCREMENTAL=0 cargo build -q --offline --target-dir "$work/target" 2>/dev/null); } 2>&1)
    packages=$(grep -c '^name = ' "$work/$name/Cargo.lock")
    echo "$cpu" | awk -v n="$name" -v p="$packages" '{printf "%-10s %.1f, %d\n", n, $1 + $2, p}'
  done
done
