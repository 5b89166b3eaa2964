#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/initial-conditions.md: the pieces for galpy, AMUSE, AGAMA, NEMO and pynbody, as far as PYTHON and PATH have
# them, make what they say.
. "$(dirname "$0")/../script.inc"
[ -z "${SAN:-}" ] || skip "Python has no sanitizer's library"
[ -x "$B/bin/g6run" ] || skip "no g6run in this build"
find_python numpy h5py galpy || find_python numpy h5py pynbody || find_python numpy h5py amuse ||
    skip "no Python with h5py and galpy, pynbody or amuse"
"$MAKE" --no-print-directory B="$B" python >"$work/log" 2>&1 || fail "make python: $(tail -n 5 "$work/log")"
PYTHONPATH=$(cd "$B" && pwd)/python
PATH=$(cd "$B/bin" && pwd):$PATH
export PATH PYTHONPATH PYTHONDONTWRITEBYTECODE=1 G6_BACKEND=cpu
here=$PWD
(cd "$work" && "$python" -W ignore "$here/tests/docs/initial_conditions.py" "$here/docs/initial-conditions.md") \
    >"$work/out" 2>"$work/err" || fail "status $?: $(tail -n 8 "$work/err")"
grep ': ' "$work/out"
finish
