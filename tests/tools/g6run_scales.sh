#!/bin/sh
# SPDX-License-Identifier: MIT
# g6run on systems of any scale: radii with digits in any units, and hints that come before the table.  Orbits at any
# scale are in g6run_first_steps.cpp.
. "$(dirname "$0")/../script.inc"
use_g6run

# ---- radii of a sphere in other units have the same digits ----
"$run" --plummer 200 --t-end 1/8 --format text --quiet --output unit
first() { awk '!/^#/ { print $5, $6, $7; exit }' "$1"; }
for scale in 1e18 1e-9; do
    grep -v '^#' unit/snapshot_0000.txt |
        awk -v scale=$scale '{ printf "%s %.17g %.17g %.17g 0 0 0\n", $1, $2 * scale, $3 * scale, $4 * scale }' >scaled.txt
    runs --input scaled.txt --t-end 1/1125899906842624 --quiet --output scaled --overwrite
    echo "$(first unit/table.txt) $(first scaled/table.txt)" | awk -v scale=$scale '{
        for (k = 1; k < 4; k++) { off = $(k + 3) / scale / $k - 1; if (off > 2e-4 || off < -2e-4) exit 1 } }' ||
        fail "radii times $scale: $(first unit/table.txt), $(first scaled/table.txt)"
done

# ---- hints come before the rows, and none with --quiet ----
printf '1 0 0 0 0 0 0\n1 1 0 0 0 1e4 0\n1 0 1 0 -1e4 0 0\n' >fast.txt
"$run" --input fast.txt --t-end 1/8 --output fast >out 2>&1 || fail "fast: status $?"
awk '/^g6run: T\/[|]W[|] is / { hint = NR } /^ / && !row { row = NR } END { exit !(hint && hint < row) }' out ||
    fail "fast: $(cat out)"
"$run" --input fast.txt --t-end 1/8 --output fast --overwrite --quiet 2>err || fail "fast: status $?"
[ -s err ] && fail "fast --quiet: $(cat err)"
finish
