#!/bin/sh
# SPDX-License-Identifier: MIT
# A backend that only its own folder knows is built, found and right: physics tests run on tests/toy/toy.cpp.
# usage: B=<build folder> sh tests/toy/toy.sh
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
[ -x "$B/bin/g6test" ] || skip "g6test was not built"
[ -z "${SAN:-}" ] || skip "sanitizers look at the backends of the library"

# g6test takes the backends of the folder beside its own.
mkdir -p "$work/bin" "$work/lib"
"$MAKE" --no-print-directory B="$B" L="$work/lib" BACKEND_FOLDERS="$here" "$work/lib/g6gpu/g6_toy.so" >"$work/log" 2>&1 ||
    fail "$(tail -n 5 "$work/log")"
cp "$B/bin/g6test" "$work/bin/"
suites=$(printf '%s.*/toy_double*:' Force Halves JMemory Lists Nearest Predictor Treecode Wanted)
timeout 300 "$work/bin/g6test" --gtest_filter="$suites" >"$work/log" 2>&1 || fail "$(grep -A 8 Failure "$work/log" | head -n 60)"
grep -q '\[  PASSED  \] [0-9][0-9][0-9]' "$work/log" || fail "less than 100 tests passed: $(tail -n 3 "$work/log")"
finish
