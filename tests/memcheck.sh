#!/usr/bin/env bash
# tests/memcheck.sh [FOLDER]: valgrind (memcheck) on a short search with one and two threads and on
# every reader of files, with the programs in FOLDER (target/release). Prints a line for each and ends
# with 1 if memcheck found an error anywhere. A debug build does as well, and names the lines.
set -uo pipefail
cd "$(dirname "$0")/.."
programs=${1:-target/release}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# memcheck NAME EXPECTED INPUT PROGRAM [WORD...]: what was expected has to be in the output, or nothing
# was checked. Exit statuses of the program itself don't matter, many inputs are damaged on purpose.
memcheck() {
    local name=$1 expected=$2 input=$3 log="$folder/log"
    shift 3
    printf '%b' "$input" | valgrind --error-exitcode=99 --leak-check=full \
        --errors-for-leak-kinds=definite --log-file="$log" "$@" >"$folder/out" 2>&1
    local status=$?
    printf '%-28s %s\n' "$name" "$(sed -n 's/.*ERROR SUMMARY: //p' "$log" | tail -n 1)"
    if [ $status -eq 99 ] || ! grep -q 'ERROR SUMMARY: 0 errors' "$log" ||
        ! grep -q "$expected" "$folder/out"; then
        failed=1
        cat "$log"
        tail -n 20 "$folder/out"
    fi
}

# What a host would have waited for is waited for here by a limit of nodes and the end of the input.
search='setoption name Hash value 1\nposition startpos moves e2e4\ngo nodes 3000\nisready\n'
memcheck "search" '^bestmove' "" "$programs/qishou" "setoption name Hash value 1" "go nodes 3000"
memcheck "search, two threads" '^bestmove' "" "$programs/qishou" "setoption name Threads value 2" "go nodes 3000"
memcheck "session cut short" '^readyok' "$search" "$programs/qishou"
memcheck "FEN, whole and broken" '^Fen: ' "$(cut -f1 tests/data/illegal_fens.tsv tests/data/odd_fens.tsv | sed 's/^/position fen /;s/\\/\\\\/g')\nd\n" "$programs/qishou"
for seed in fuzz/seeds/epd/*; do cat "$seed"; echo; done >"$folder/suite.epd"
memcheck "EPD" '^solved' "" "$programs/qishou" analyse "$folder/suite.epd" --nodes 50
memcheck "PGN" 'games, ' "" "$programs/qishou-arbiter" check tests/data/pgn/tricky.pgn tests/data/pgn/malformed.pgn
memcheck "Syzygy" 'tbhits [1-9]' "" "$programs/qishou" "setoption name SyzygyPath value tests/data/syzygy" \
    "position fen 8/8/8/8/8/2k5/4P3/K7 w - - 0 1" "go nodes 500"
tail -c +2 fuzz/seeds/book/start >"$folder/book.bin"
memcheck "Polyglot book" 'a move of the book' "" "$programs/qishou" "setoption name BookFile value $folder/book.bin" \
    "setoption name OwnBook value true" "go nodes 10"
cp src/eval/qishou.nnue "$folder/whole.nnue"
head -c 5000 src/eval/qishou.nnue >"$folder/cut.nnue"
memcheck "network" 'file ends after' "" "$programs/qishou" "setoption name EvalFile value $folder/whole.nnue" \
    "setoption name EvalFile value $folder/cut.nnue" eval
memcheck "datagen" 'games' "" "$programs/qishou-learn" datagen --out "$folder/games" --games 1 --nodes 20 \
    --exit-nodes 20 --hash 1
cp "$folder/games" "$folder/damaged"
printf 'rubbish' >>"$folder/damaged"
memcheck "training data" 'damaged blocks  *1' "" "$programs/qishou-learn" stats "$folder/games" "$folder/damaged"
tail -n +2 fuzz/seeds/arbiter/file >"$folder/match.toml"
memcheck "match in TOML" 'no-such-option' "" "$programs/qishou-arbiter" match "$folder/match.toml" -no-such-option
exit $failed
