#!/usr/bin/env bash
# Generates a corpus with Toolcast, cargo-typify and quicktype: the same files, whole processes, one after another.
# Usage: benches/generation.sh CORPUS [FOLDER]
# CORPUS holds servers/*.json; FOLDER takes what is made (a temporary one by default). Wants GNU time; a peer that is not
# in PATH is passed over: `cargo install cargo-typify --version 0.8.0`, `npm install quicktype`.
set -euo pipefail
corpus=$(realpath "$1")
folder=$(realpath -m "${2:-$(mktemp -d)}")
cd "$(dirname "$0")/.."
mkdir -p "$folder"

measure() { # NAME COMMAND...: wall seconds, CPU seconds and peak memory of one run
  local name=$1
  shift
  /usr/bin/time -o "$folder/time" -f '%e %U %S %M' "$@" >"$folder/$name.log" 2>&1 || echo "  ($name: exit $?)"
  awk -v name="$name" 'END { printf "%-34s %8.2f s wall %8.2f s CPU %7.0f MiB\n", name, $1, $2 + $3, $4 / 1024 }' "$folder/time"
}

cargo build -q --release --locked
toolcast=${CARGO_TARGET_DIR:-target}/release/toolcast

echo "== import"
rm -rf "$folder/schemas"
# All at once, so that the names of tools are told apart across servers.
"$toolcast" import "$corpus"/servers/*.json --into "$folder/schemas" >"$folder/import.log" 2>&1 || true
find "$folder/schemas" -name '*.json' | sort >"$folder/files"
echo "$(wc -l <"$folder/files") contracts, $(du -sb "$folder/schemas" | cut -f1) bytes"

echo "== generate"
# A new folder each time: ext4 takes seconds to make files in place of as many that were deleted a moment ago.
rm -rf "$folder"/toolcast_*
for run in 1 2 3 4 5; do
  measure "toolcast (run $run)" "$toolcast" generate --schemas "$folder/schemas" --out "$folder/toolcast_$run"
done
measure "toolcast (nothing changed)" "$toolcast" generate --schemas "$folder/schemas" --out "$folder/toolcast_1"
cat $(find "$folder/toolcast_1" -name '*.rs' ! -name mod.rs) | awk '
  { all++ } !/^[[:space:]]*(\/\/.*)?$/ { code++ }
  END { printf "%d lines of Rust, %d without comments and blanks\n", all, code }'

if command -v cargo-typify >/dev/null; then
  mkdir -p "$folder/typify"
  measure "cargo-typify (a process a file)" bash -c '
    failed=0
    while read -r file; do
      cargo-typify typify "$file" --output "$1/$((++count)).rs" 2>/dev/null || failed=$((failed + 1))
    done <"$2"
    echo "$failed files failed"' _ "$folder/typify" "$folder/files"
  tail -n 1 "$folder/cargo-typify (a process a file).log"
else
  echo "cargo-typify: not in PATH"
fi

if command -v quicktype >/dev/null; then
  # Fifty files a process: a single one for all merges types of the whole corpus and does not end in minutes.
  mkdir -p "$folder/quicktype"
  measure "quicktype (a process 50 files)" bash -c '
    failed=0
    split -l 50 "$2" "$1/part_"
    for part in "$1"/part_*; do
      arguments=()
      while read -r file; do arguments+=(--src "$file"); done <"$part"
      quicktype --src-lang schema --lang rust --out "$part.rs" "${arguments[@]}" || failed=$((failed + 1))
    done
    echo "$failed processes failed"' _ "$folder/quicktype" "$folder/files"
  tail -n 1 "$folder/quicktype (a process 50 files).log"
else
  echo "quicktype: not in PATH"
fi
