#!/bin/sh
# SPDX-License-Identifier: MIT
# Random calls against a model of the library, on each backend that is here.
# usage: B=<build folder> sh tests/fuzz/fuzz.sh                     the stored sequences and fixed seeds
#        B=<build folder> sh tests/fuzz/fuzz.sh SECONDS FOLDER      so long on each backend, new seeds
. "$(dirname "$0")/../script.inc"
fuzz=$B/bin/g6fuzz
seconds=${1:-} out=${2:-$work}
[ -x "$fuzz" ] || skip "g6fuzz was not built"
corpus=$(dirname "$0")/corpus
mkdir -p "$out"

for file in "$corpus"/*.txt; do
    "$fuzz" --replay "$file" --silence 30 >"$work/log" 2>&1 || fail "$(cat "$work/log")"
done

# Each backend with the options that it needs.
run() { # name, runs in the bounded part, options
    name=$1 runs=$2
    shift 2
    if [ -n "$seconds" ]; then
        seed=$(date +%s)000
        "$fuzz" --backend "$name" --seed "$seed" --seconds "$seconds" --all-calls --out "$out" "$@" ||
            fail "$name: see above, and $out"
    else
        "$fuzz" --backend "$name" --seed 3000 --runs "$runs" --shrink 10 --out "$out" "$@" ||
            fail "$name: see above"
    fi
}
# What to leave out: see g6fuzz --help.
without=${G6FUZZ_WITHOUT-}
run cpu "$((${LONG:-0} * 100 + 100))" --without "$without"
for name in $("$B/bin/g6info" | awk '/^  [a-z]+ +[0-9]+ device/ { print $1 }'); do
    [ "$name" = cpu ] || run "$name" "$((${LONG:-0} * 40 + 20))" --without "$without"
    # Groups and launches that blocks of this size do not get by themselves.
    [ "$name" != cuda ] || run cuda 60 --without "$without" --set debug=cuda_group=64,cuda_few=1
done
# The fake devices mark no j-particle that is predicted beyond the limits of range.
run fake "$((${LONG:-0} * 50 + 50))" --without "$without${without:+,}range" --precision double
finish
