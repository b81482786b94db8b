#!/usr/bin/env bash
# How generating and building grow with the number of contracts.
# Usage: benches/growth.sh SCHEMAS [FOLDER] [SIZE...]
# SCHEMAS is a folder of contracts to draw from, such as the one that generation.sh imports; where a size needs more than
# it holds, contracts are taken again under another toolset. Wants GNU time.
set -euo pipefail
schemas=$(realpath "$1")
folder=$(realpath -m "${2:-$(mktemp -d)}")
shift "$(($# < 2 ? $# : 2))"
sizes=("$@")
[ ${#sizes[@]} -gt 0 ] || sizes=(10 100 1000 10000)
cd "$(dirname "$0")/.."
project=$PWD
mkdir -p "$folder"
# Contracts that are named after their files, so that a copy under another name is another tool.
# (grep's exit code says in some versions that all files were listed, in others that none was.)
{ find "$schemas" -name '*.json' -not -path '*/defs/*' -exec grep -L '^    "name": "' {} + || true; } | sort >"$folder/pool"

measure() { # NAME COMMAND...
  local name=$1
  shift
  /usr/bin/time -o "$folder/time" -f '%e %U %S %M' "$@" >"$folder/last.log" 2>&1 || { tail "$folder/last.log"; exit 1; }
  awk -v name="$name" 'END { printf "  %-30s %8.2f s wall %8.2f s CPU %7.0f MiB\n", name, $1, $2 + $3, $4 / 1024 }' "$folder/time"
}

cargo build -q --release --locked
toolcast=${CARGO_TARGET_DIR:-$project/target}/release/toolcast

for size in "${sizes[@]}"; do
  echo "== $size contracts"
  app=$folder/app_$size
  rm -rf "$app"
  mkdir -p "$app/src" "$app/schemas"
  awk -v size="$size" '{ line[NR] = $0 } END {
    # An even sample, so that a small size is not one server alone.
    for (i = 0; i < size; i++) print int(i / NR), line[size < NR ? int(i * NR / size) + 1 : i % NR + 1]
  }' "$folder/pool" >"$folder/sample"
  while read -r round file; do
    mkdir -p "$app/schemas/round_$round"
    name=$(basename "$file" .json)
    cp "$file" "$app/schemas/round_$round/${name:0:58}_r$round.json"
  done <"$folder/sample"
  measure generate "$toolcast" generate --schemas "$app/schemas" --out "$folder/generated_$size"
  [ "$size" -gt 1000 ] && continue
  cat >"$app/Cargo.toml" <<TOML
[package]
name = "growth"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
toolcast = { path = "$project/crates/runtime" }

[build-dependencies]
toolcast-codegen = { path = "$project/codegen" }
TOML
  cp "$project/Cargo.lock" "$app/"
  printf 'fn main() -> Result<(), toolcast_codegen::Error> {\n    toolcast_codegen::Build::new("schemas").compile()\n}\n' >"$app/build.rs"
  printf '//! Bindings and nothing else.\n\n/// All tools.\npub mod tools {\n    toolcast::include_tools!();\n}\n' >"$app/src/lib.rs"
  export CARGO_TARGET_DIR=$folder/target_$size
  rm -rf "$CARGO_TARGET_DIR"
  measure "cold build, dependencies too" cargo build -q -j2 --manifest-path "$app/Cargo.toml"
  touch "$app/src/lib.rs"
  measure "the bindings' crate alone" cargo build -q -j2 --manifest-path "$app/Cargo.toml"
  changed=$(find "$app/schemas" -name '*.json' | sort | head -n 1)
  sed -i '0,/"description": *"/s//&Changed. /' "$changed"
  measure "after one contract changed" cargo build -q -j2 --manifest-path "$app/Cargo.toml"
  measure "after no change" cargo build -q -j2 --manifest-path "$app/Cargo.toml"
  unset CARGO_TARGET_DIR
done
