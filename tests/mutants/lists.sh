#!/bin/sh
# SPDX-License-Identifier: MIT
# The lists of mutants fit the sources: every old text is there once, every filter names a test.  Filters of
# a backend of which no device answers, or of tests that were not built, are not looked at.
. "$(dirname "$0")/../script.inc"
command -v python3 >/dev/null || skip "no python3"
check() { python3 "$(dirname "$0")/mutants.py" --check --bins "$B/bin" >"$work/out" || fail "$(cat "$work/out")"; }
check
grep 'not looked at' "$work/out"
export OCL_ICD_VENDORS=/nonexistent
check
finish
