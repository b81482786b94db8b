#!/usr/bin/env bash
# CPU that rustc takes for the bindings of a number of tools, beside the same types written by hand with serde's derives,
# each read from a value and written to one; and beside the types alone, whose generic derives compile to nothing yet.
# Usage: benches/compile.sh SCHEMAS [FOLDER] [COUNT]
# SCHEMAS is a folder of contracts, such as the one that generation.sh imports: COUNT (100) are taken evenly from it.
# Dependencies are compiled before and not counted. Wants GNU time.
set -euo pipefail
schemas=$(realpath "$1")
folder=$(realpath -m "${2:-$(mktemp -d)}")
count=${3:-100}
cd "$(dirname "$0")/.."
project=$PWD
mkdir -p "$folder"

cargo build -q --release --locked
toolcast=${CARGO_TARGET_DIR:-$project/target}/release/toolcast

rm -rf "$folder/sample"
find "$schemas" -name '*.json' -not -path '*/defs/*' | sort | awk -v count="$count" '
  { line[NR] = $0 } END { for (i = 0; i < count; i++) print line[int(i * NR / count) + 1] }' |
  while read -r file; do
    mkdir -p "$folder/sample"
    cp "$file" "$folder/sample/"
  done

crate() { # NAME DEPENDENCIES
  mkdir -p "$folder/$1/src"
  printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\n%s\n\n[profile.dev]\nincremental = false\n' \
    "$1" "$2" >"$folder/$1/Cargo.toml"
  cp Cargo.lock "$folder/$1/"
}

crate bindings "toolcast = { path = \"$project/crates/runtime\" }"
"$toolcast" generate --schemas "$folder/sample" --out "$folder/bindings/src/tools" >/dev/null
echo 'pub mod tools;' >"$folder/bindings/src/lib.rs"
for name in handwritten types_only; do
  crate $name $'serde = { version = "1", features = ["derive"] }\nserde_json = "1"'
done
cargo run -q --locked -p parity --example handwritten -- "$folder/sample" "$folder/handwritten/src/lib.rs"
cargo run -q --locked -p parity --example handwritten -- "$folder/sample" "$folder/types_only/src/lib.rs" --types-only

for profile in dev release; do
  for name in bindings handwritten types_only; do
    export CARGO_TARGET_DIR=$folder/target
    cargo build -q -j2 --profile "$profile" --manifest-path "$folder/$name/Cargo.toml"
    best=
    for run in 1 2 3; do
      touch "$folder/$name/src/lib.rs"
      /usr/bin/time -o "$folder/time" -f '%U %S' cargo build -q -j2 --profile "$profile" --manifest-path "$folder/$name/Cargo.toml"
      best=$(awk -v best="$best" 'END { cpu = $1 + $2; print (best == "" || cpu < best) ? cpu : best }' "$folder/time")
    done
    unset CARGO_TARGET_DIR
    printf '%-8s %-12s %6.2f s CPU (least of three)\n' "$profile" "$name" "$best"
  done
done
