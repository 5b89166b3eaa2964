#!/bin/sh
# SPDX-License-Identifier: MIT
# A backend that only its own folder knows is built, found and right: physics tests, the rules of g6check and random
# sessions run on tests/toy/toy.cpp.
# usage: B=<build folder> sh tests/toy/toy.sh
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
[ -x "$B/bin/g6test" ] || skip "g6test was not built"
[ -z "${SAN:-}" ] || skip "sanitizers look at the backends of the library"

# g6test and g6fuzz take the backends of the folder beside its own.
mkdir -p "$work/bin" "$work/lib"
"$MAKE" --no-print-directory B="$B" L="$work/lib" BACKEND_FOLDERS="$here" "$work/lib/g6gpu/g6_toy.so" >"$work/log" 2>&1 ||
    fail "$(tail -n 5 "$work/log")"
cp "$B/bin/g6test" "$B/bin/g6fuzz" "$work/bin/"
suites=$(printf '%s.*/toy_double*:' BitsOfBlocks Force JMemory Lists Nearest Predictor Treecode)
timeout 300 "$work/bin/g6test" --gtest_filter="$suites" >"$work/log" 2>&1 || fail "$(grep -A 8 Failure "$work/log" | head -n 60)"
passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) .*/\1/p' "$work/log")
[ "${passed:-0}" -ge 30 ] || fail "less than 30 tests passed: $(tail -n 3 "$work/log")"
export G6_BACKEND=toy G6_PRECISION=double G6_BACKEND_DIR="$work/lib/g6gpu"
if [ -x "$B/bin/g6check" ]; then
    "$B/bin/g6check" --quiet >"$work/log" 2>&1 || fail "g6check: $(cat "$work/log")"
    grep -q 'backend toy' "$work/log" || fail "g6check has another backend: $(cat "$work/log")"
fi
# It marks no j-particle beyond the limits of range, and leaves trees to the cpu.
"$work/bin/g6fuzz" --backend toy --precision double --without range --set mode=auto --runs 20 --shrink 10 --out "$work" >"$work/log" 2>&1 ||
    fail "g6fuzz: $(cat "$work/log")"
finish
