#!/bin/sh
# SPDX-License-Identifier: MIT
# A selection of what make faults does: each 500th request for memory or a thread is refused; in
# make check-long it is each 60th request.
. "$(dirname "$0")/../script.inc"
every=500
[ -z "$LONG" ] || every=60
[ -x "$B/bin/g6test-faults" ] || skip "no g6test-faults in this build"
"$B/bin/g6test-faults" --every "$every" >"$work/out" 2>&1 || {
    cat "$work/out"
    fail "see the rows with bad outcomes"
}
tail -n 1 "$work/out"
finish
