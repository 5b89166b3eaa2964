#!/bin/sh
# SPDX-License-Identifier: MIT
# What make demo shows after the build: the table of a run, with the device that computed, and at the end the path
# of a picture, or one line where Python or its modules are missing.
. "$(dirname "$0")/../script.inc"
[ -x "$B/bin/g6run" ] || skip "no g6run in this build"
demo() { # further settings of make
    rm -rf "$work/demo"
    # -o: what g6run is made of counts as up to date.
    G6_BACKEND=cpu "$MAKE" --no-print-directory -o "$B/bin/g6run" B="$B" DEMO_FOLDER="$work/demo" \
        DEMO_RUN='--plummer 64 --eps 0.01 --t-end 0.25' run-demo "$@" >"$work/out" 2>&1 ||
        fail "status $?: $(tail -n 3 "$work/out")"
    grep -q '^# backend cpu, device' "$work/out" || fail "no device in the table's head"
    [ "$(grep -c '^ ' "$work/out")" = 3 ] || fail "not three rows: $(cat "$work/out")"
}
one_line() { # what is missing
    [ "$(grep -c -i -e picture -e matplotlib -e Traceback "$work/out")" = 1 ] || fail "$1: not one line: $(cat "$work/out")"
    tail -n 1 "$work/out" | grep -q 'no picture: .*python3-matplotlib' || fail "$1: $(tail -n 1 "$work/out")"
    [ ! -e "$work/demo/run.png" ] || fail "$1: a picture"
}

# The demo names what it leaves out of itself, and no part that it does not build.
"$MAKE" --no-print-directory B="$B" HAVE_CLI11=yes HAVE_HDF5=yes HAVE_FC= HAVE_GTEST= NVCC= GPU_ARCH= OPENCL= MPICXX= \
    -o "$B/bin/g6run" -o "$B/lib/g6gpu/g6probe" demo-parts >"$work/out" 2>&1 || fail "demo-parts: $(cat "$work/out")"
grep 'left out' "$work/out" | grep -v CUDA && fail "the demo speaks of parts that it does not build"
"$MAKE" --no-print-directory HAVE_HDF5= report-run 2>&1 | grep -q '^left out: g6run (HDF5 ' || fail "without HDF5: nothing is said"

demo PYTHON=no-such-python
one_line "without Python"

if command -v python3 >/dev/null 2>&1; then
    # Python without matplotlib: one whose import fails.
    mkdir -p "$work/without"
    echo 'raise ImportError("not there")' >"$work/without/matplotlib.py"
    PYTHONPATH=$work/without demo PYTHON=python3
    one_line "without matplotlib"
fi
if find_python numpy h5py matplotlib; then
    demo PYTHON="$python"
    tail -n 1 "$work/out" | grep -q "^picture: $work/demo/run.png" || fail "last line: $(tail -n 1 "$work/out")"
    [ "$(head -c 4 "$work/demo/run.png" | tail -c 3)" = PNG ] || fail "no PNG file: $(tail -n 1 "$work/out")"
fi
finish
