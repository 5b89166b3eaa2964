#!/bin/sh
# SPDX-License-Identifier: MIT
# The generator of mutants, whose tests are in tests/mutants/test_mutate.py.
. "$(dirname "$0")/../script.inc"
find_python unittest || skip "no python3"
export PYTHONDONTWRITEBYTECODE=1
"$python" -m unittest discover -s tests/mutants -p 'test_*.py' >"$work/out" 2>&1 || fail "$(cat "$work/out")"
"$python" tests/mutants/mutants.py --help >"$work/out" 2>&1 || fail "--help: $(cat "$work/out")"
finish
