#!/bin/sh
# SPDX-License-Identifier: MIT
# Times and units of g6run as people give them: any interval, times and lengths with a unit, input in units of its
# own, and the table in those asked for.
. "$(dirname "$0")/../script.inc"
use_g6run

# ---- 0.1 has no exact double: lines at each 0.1 ----
runs --plummer 64 --eps 1/64 --t-end 0.5 --table 0.1 --snapshot 0.1 --quiet --output tenths
awk '!/^#/ { if ($1 * 10 != rows++) bad = 1 } END { exit bad || rows != 6 }' tenths/table.txt ||
    fail "tenths: $(cat tenths/table.txt)"
[ "$(ls tenths | wc -l)" = 7 ] || fail "tenths: $(ls tenths)"
for method in treewalk treecode; do
    runs --plummer 64 --eps 1/16 --t-end 0.3 --table 0.1 --method $method --quiet --output $method
    awk '!/^#/ { if ($1 * 10 != rows++) bad = 1 } END { exit bad || rows != 4 }' $method/table.txt ||
        fail "$method: $(cat $method/table.txt)"
done
runs --plummer 64 --eps 1/64 --t-end 0.001 --quiet --output short
grep -q '^     0.001 ' short/table.txt || fail "--t-end 0.001: $(cat short/table.txt)"
"$run" --restart tenths/snapshot_0003.hdf5 --t-end 0.77 2>err
[ $? = 2 ] && grep -q 'try 0.7 or 0.8, or give the snapshot to --input' err || fail "0.77: $(cat err)"

# ---- two stars of half a solar mass at 1 AU turn once in 2 pi sqrt(a^3 / GM); E = -(GM / 8 a) Msun ----
# With GM of the Sun 1.3271244e20 m^3/s^2, the AU 1.495978707e11 m.
orbit=$(awk 'BEGIN { gm = 1.3271244e20; a = 1.495978707e11; pi = atan2(0, -1)
    quarter = sprintf("%.12f", pi / 2 * sqrt(a * a * a / gm) / 3.15576e7)
    printf "%.9f %.9f %s %.12f %.12f", sqrt(gm / a) / 2000, gm / a / 8e6, quarter, 4 * quarter, 5 * quarter }')
speed=$(echo "$orbit" | cut -d ' ' -f 1) energy=$(echo "$orbit" | cut -d ' ' -f 2)
quarter=$(echo "$orbit" | cut -d ' ' -f 3) year=$(echo "$orbit" | cut -d ' ' -f 4) later=${orbit##* }
printf '0.5 0.5 0 0 0 %s 0\n0.5 -0.5 0 0 0 -%s 0\n' "$speed" "$speed" >stars.txt
turns() { # folder, options
    folder=$1
    shift
    runs "$@" --input stars.txt --input-units AU,Msun,km/s --format text --t-end "${year}yr" \
        --table-units yr,AU,Msun,km/s --quiet --output "$folder"
    awk -v year="$year" -v energy="$energy" '
        function near(a, b) { return a - b < 3e-6 * b && b - a < 3e-6 * b }
        !/^#/ { if (!near(-$2, energy)) bad = 1; time = $1; radius = $6 }
        /^# units of this table: time yr, length AU, energy Msun .km.s..2$/ { named = 1 }
        END { exit bad || !named || !near(time, year) || !near(radius, 0.5) }' "$folder/table.txt" ||
        fail "$folder: not $energy at $year in $(cat "$folder/table.txt")"
}
turns own --snapshot "${quarter}yr"
# The scheme is off by some 1e-5 of a turn.
grep -v '^#' own/snapshot_0004.txt | awk -v speed="$speed" '
    NR == 1 { off = ($2 - 0.5) ^ 2 + $3 ^ 2 + ($6 / speed - 1) ^ 2 } END { exit !(off < 1e-8) }' ||
    fail "a year: $(tail -2 own/snapshot_0004.txt), not 0.5 0 and $speed km/s"
grep -q '^# from stars.txt, in AU,Msun,km/s$' own/table.txt || fail "its input: $(head -3 own/table.txt)"
runs --input stars.txt --units 1AU,1Msun --t-end 1/8 --quiet --output as-it-is
tells as-it-is/table.txt '^# from stars.txt, as if in the units of the run, with G = 1 (--input-units'
turns nbody --units 1AU,1Msun
# The same orbit in units of G = 1: speed 1/2.
awk '/^0/ && !first { first = $6 } END { exit !(first > 0.499999 && first < 0.500001) }' nbody/snapshot_0000.txt ||
    fail "units 1AU,1Msun: $(tail -2 nbody/snapshot_0000.txt)"
# A restart keeps the table's units; another unit needs another folder.
"$run" --restart own/snapshot_0004.txt --t-end "${later}yr" --quiet --output later 2>err || fail "later: $(cat err)"
grep -q '^ 1.25002' later/table.txt || fail "later: $(cat later/table.txt)"
runs --plummer 64 --eps 0.01pc --units 1pc,1e3Msun --t-end 0.5Myr --table 0.1Myr --table-units Myr --quiet \
    --output million
awk '!/^#/ { if ($1 * 10 != rows++) bad = 1 } END { exit bad || rows != 6 }' million/table.txt ||
    fail "0.5Myr: $(cat million/table.txt)"
grep -q ', t = 0 to 0.5 Myr, eps 0.01$' million/table.txt || fail "0.01pc: $(head -1 million/table.txt)"
grep -q '^# t = 0 to 0.5 Myr in .* s per Myr$' million/table.txt || fail "the end of 0.5Myr: $(tail -7 million/table.txt)"
runs --restart million/snapshot_0001.hdf5 --t-end 0.6Myr --quiet
awk '!/^#/ { if ($1 * 10 != rows++) bad = 1 } END { exit bad || rows != 7 }' million/table.txt ||
    fail "0.6Myr: $(cat million/table.txt)"
runs --plummer 64 --units 1pc,1e3Msun --t-end 1/8 --table-units Myr --quiet --output eighth
for units in '--table-units yr' '--units 2pc,1e3Msun'; do
    # shellcheck disable=SC2086  # words
    "$run" --restart eighth --t-end 1/4 $units 2>err
    [ $? = 2 ] && grep -q 'the table that goes on would have two kinds of units' err || fail "$units: $(cat err)"
done
# Times of messages are those of the table: the third row has too large an error.
"$run" --plummer 64 --units 1pc,1e3Msun --t-end 0.5Myr --table 0.25Myr --table-units Myr --max-error 1e-300 --quiet \
    --output wrong 2>err
[ $? = 3 ] && grep -q 'at t = 0.25 Myr |dE/E|' err && grep -q 'the particles of t = 0 Myr, ' err || fail "--max-error: $(cat err)"
# Masses of stars are in Msun, and the run says where --units makes others of them.
kroupa="--model plummer:imf=kroupa --bodies 100 --t-end 0 --overwrite --output kroupa"
"$run" $kroupa >out 2>err && [ ! -s err ] || fail "kroupa without units: $(cat err)"
mass=$(sed -n 's/^# masses of Kroupa (2001), in all \([0-9.]*\) Msun$/\1/p' out)
"$run" $kroupa --units "1pc,${mass}Msun" >out 2>err && [ ! -s err ] || fail "kroupa in its own units: $(cat err)"
"$run" $kroupa --units 1pc,300Msun >out 2>err || fail "kroupa: $?"
tells err "stars have $mass Msun, but --units 1pc,300Msun makes 300 Msun of them: --units 1pc,${mass}Msun keeps"
# Two clusters 2 kpc apart are 1000 units of length apart, and 30 solar masses 3 units of mass.
runs --model two:d=2kpc,e=1,mass=30Msun,scale=5pc --bodies 100 --units 2pc,10Msun --t-end 1/8 --format text --quiet --output two
grep -v '^#' two/snapshot_0000.txt | awk '{ mass += $1; x[NR <= 50] += $2 / 50 }
    END { off = mass / 3 - 1; apart = x[1] - x[0] - 1000; exit !(off ^ 2 < 1e-12 && apart ^ 2 < 1e-12) }' ||
    fail "two clusters: $(head -3 two/snapshot_0000.txt)"
finish
