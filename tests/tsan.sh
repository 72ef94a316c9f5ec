#!/usr/bin/env bash
# tests/tsan.sh: ThreadSanitizer on searches of several threads, stopped, hit and resized. Prints
# "0 reports", or what was found. Needs Linux on x86-64; builds into the target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
target=x86_64-unknown-linux-gnu
out=${CARGO_TARGET_DIR:-target}/tsan
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" \
    cargo build --release --target $target --target-dir "$out" --bin qishou \
    --config profile.release.lto=false --config profile.release.codegen-units=16 \
    --config 'profile.release.strip="none"' --config 'profile.release.debug="line-tables-only"'
engine="$out/$target/release/qishou"
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.suppressions exitcode=66"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

"$engine" "setoption name Threads value 4" "setoption name Hash value 1" "go nodes 400000" \
    "position startpos moves e2e4 e7e5" "go nodes 200000" "setoption name Threads value 2" ucinewgame \
    "setoption name Hash value 2" "go movetime 5000" "setoption name MultiPV value 3" \
    "go nodes 100000" >"$log" 2>&1 || { cat "$log"; exit 1; }
{
    echo "setoption name Threads value 3"
    for _ in 1 2 3 4 5; do
        printf 'go infinite\nisready\n'
        sleep 1
        printf 'stop\ngo ponder wtime 1000 btime 1000\n'
        sleep 0.5
        printf 'ponderhit\n'
        sleep 0.5
        printf 'ucinewgame\nsetoption name Hash value 4\n'
    done
    echo quit
} | "$engine" >>"$log" 2>&1 || { cat "$log"; exit 1; }
test "$(grep -c '^bestmove' "$log")" = 14
echo "0 reports"
