#!/bin/sh
# SPDX-License-Identifier: MIT
# g6run on systems of any scale and symmetry, from text and HDF5: orbits that are known, radii with digits in any
# units, and hints that come before the table.
. "$(dirname "$0")/../script.inc"
use_g6run

# A body without mass rises with speed 1 from the middle of a circular pair of half masses, r = 0.05 each
# (Sitnikov 1960): it feels nothing at the start.  Its motion z'' = -z/(z^2 + r^2)^(3/2) from there, by
# 100000 steps of the Runge-Kutta scheme of fourth order.
exact=$(awk 'function a(z) { return -z / (z * z + 0.0025) ^ 1.5 }
    BEGIN { v = 1; n = 100000; h = 1 / n
        for (k = 0; k < n; k++) {
            z1 = v; v1 = a(z); z2 = v + h / 2 * v1; v2 = a(z + h / 2 * z1)
            z3 = v + h / 2 * v2; v3 = a(z + h / 2 * z2); z4 = v + h * v3; v4 = a(z + h * z3)
            z += h / 6 * (z1 + 2 * z2 + 2 * z3 + z4); v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
        }
        printf "%.9f", z }')
# Positions and velocities of lengths times `scale`, of which velocities go as -1/2 power.
sitnikov() { # scale
    awk -v scale="$1" 'BEGIN { v = sqrt(2.5) / sqrt(scale)
        printf "0.5 %.17g 0 0 0 %.17g 0\n0.5 %.17g 0 0 0 %.17g 0\n0 0 0 0 0 0 %.17g\n",
            0.05 * scale, v, -0.05 * scale, -v, 1 / sqrt(scale) }'
}
# The amplitude of z is 0.013; steps at eta = 0.01 leave some 1e-4 of it after 14 radians.
rises() { # file of the run's end, scale, what ran
    awk -v exact="$exact" -v scale="$2" '!/^#/ { z = $4 }
        END { off = z / scale - exact; exit !(off < 1e-5 && off > -1e-5) }' "$1" ||
        fail "$3: z is not $exact times $2: $(tail -1 "$1")"
}
sitnikov 1 >pair.txt
"$run" --input pair.txt --t-end 1/1024 --quiet --output hdf5 || fail "status $?"
for mode in hermite treewalk; do
    "$run" --input pair.txt --mode $mode --t-end 1 --format text --quiet --output "$mode" || fail "$mode: status $?"
    rises "$mode/snapshot_0001.txt" 1 "$mode"
    "$run" --input hdf5/snapshot_0000.hdf5 --mode $mode --t-end 1 --format text --quiet --output "$mode-hdf5" ||
        fail "$mode of hdf5: status $?"
    rises "$mode-hdf5/snapshot_0001.txt" 1 "$mode of hdf5"
done
# Lengths times 2^-8 and 2^20: times go as 2^-12 and 2^30, which are powers of two.
sitnikov 0.00390625 >small.txt
sitnikov 1048576 >large.txt
"$run" --input small.txt --t-end 1/4096 --format text --quiet --output small || fail "small: status $?"
rises small/snapshot_0001.txt 0.00390625 small
"$run" --input large.txt --t-end 1073741824 --dt-max 134217728 --format text --quiet --output large ||
    fail "large: status $?"
rises large/snapshot_0001.txt 1048576 large

# ---- a step that no orbit allows ----
"$run" --input pair.txt --dt-min 1/8 --quiet --output long 2>err
[ $? = 3 ] && grep -q 'particle 1: its first step of 0.125 is too long for its orbit' err || fail "too long: $(cat err)"
[ -e long/last_good.hdf5 ] || fail "too long: no last_good.hdf5"

# ---- radii of a sphere in other units have the same digits ----
"$run" --plummer 200 --t-end 1/8 --format text --quiet --output unit
first() { awk '!/^#/ { print $5, $6, $7; exit }' "$1"; }
for scale in 1e18 1e-9; do
    grep -v '^#' unit/snapshot_0000.txt |
        awk -v scale=$scale '{ printf "%s %.17g %.17g %.17g 0 0 0\n", $1, $2 * scale, $3 * scale, $4 * scale }' >scaled.txt
    "$run" --input scaled.txt --t-end 1/1125899906842624 --quiet --output scaled --overwrite || fail "scaled: status $?"
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
