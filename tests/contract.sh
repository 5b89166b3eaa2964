#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the contract on the cpu in half a minute: each rule of g6check in each mode and profile, and sessions of g6fuzz.
# Run by make check-quick, make asan and make mutants; in make check tools/g6check.sh and fuzz/fuzz.sh test more of both.
. "$(dirname "$0")/script.inc"
export G6_BACKEND=cpu
[ -x "$B/bin/g6fuzz" ] || skip "g6fuzz was not built"
# theta 0 opens every cell.
for setting in G6_MODE=auto G6_MODE=treeonly "G6_MODE=treewalk G6_DIRECT=0 G6_THETA=0" G6_PRECISION=double G6_PROFILE=gpu \
    G6_PROFILE=ph4 G6_SNAP=0; do
    [ -x "$B/bin/g6check" ] && [ -z "${SAN:-}" ] || break # a sanitizer writes and traps as no library may
    # shellcheck disable=SC2086  # words
    env $setting "$B/bin/g6check" --quiet >"$work/out" 2>&1 || fail "$setting: $(cat "$work/out")"
done
fuzz() { "$B/bin/g6fuzz" --seed 3000 --shrink 10 --out "$work" "$@" >"$work/out" 2>&1 || fail "$(cat "$work/out")"; }
fuzz --backend cpu --runs 100
fuzz --backend fake --runs 50 --without range --precision double # devices that share the work, and fail
finish
