#!/bin/sh
# SPDX-License-Identifier: MIT
# The lists of mutants fit the sources: every old text is there once, every filter names a test.
. "$(dirname "$0")/../script.inc"
command -v python3 >/dev/null || skip "no python3"
python3 "$(dirname "$0")/mutants.py" --check --bins "$B/bin" >"$work/out" || fail "$(cat "$work/out")"
finish
