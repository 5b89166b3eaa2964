#!/bin/sh
# SPDX-License-Identifier: MIT
# `make -n test` says what it would run, and runs none of it.  Neither `make` nor `make test` installs packages.
# make of g6test alone makes the programs that g6test starts.
. "$(dirname "$0")/../script.inc"

timeout 120 "$MAKE" --no-print-directory -n B="$B" all test >"$work/out" 2>&1 || fail "status $?: $(tail -n 3 "$work/out")"
grep -q '^sh tests/run.sh .*g6test' "$work/out" || fail "no line of tests/run.sh: $(tail -n 3 "$work/out")"
grep -q '^== part' "$work/out" && fail "the tests were run"
grep -Eq 'apt-get|tools/setup.sh' "$work/out" && fail "packages would be installed: $(grep -E 'apt-get|setup.sh' "$work/out")"
# g6test alone comes with the programs that it starts.
"$MAKE" --no-print-directory -n B="$work/b" "$work/b/bin/g6test" >"$work/out" 2>&1
for program in probe static; do
    grep -q -e "-o $work/b/bin/g6test-$program" "$work/out" || fail "make .../g6test builds no g6test-$program"
done
finish
