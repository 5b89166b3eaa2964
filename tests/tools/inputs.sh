#!/bin/sh
# SPDX-License-Identifier: MIT
# Random inputs of g6run and g6plot, right and damaged (tests/inputs/fuzz.py).  COUNT: files that are tried; SEED: the
# first of them.  PYTHON: an interpreter with numpy, h5py and matplotlib.
. "$(dirname "$0")/../script.inc"
find_python numpy h5py matplotlib || skip "no Python with numpy, h5py and matplotlib"
[ -x "$B/bin/g6run" ] || skip "g6run was not built"
export G6_BACKEND=cpu OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
"$python" tests/inputs/fuzz.py --bin "$B/bin" --count "${COUNT:-400}" --seed "${SEED:-1}" >"$work/out" 2>&1 ||
    fail "$(cat "$work/out")"
finish
