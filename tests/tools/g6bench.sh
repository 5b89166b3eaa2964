#!/bin/sh
# SPDX-License-Identifier: MIT
# g6bench: refusals, errors within their bounds, two libraries side by side, a library with faults.
. "$(dirname "$0")/../script.inc"
bench=$B/bin/g6bench
own=$B/lib/libg6gpu.so
export G6_BACKEND=cpu
[ -x "$bench" ] || skip "g6bench was not built"

# ---- refusals: status, and a message that names the culprit ----
program=$bench
refuses 2 --nonsense --nonsense
refuses 2 --ni -n 0
refuses 2 --nj -N many
refuses 2 "nj: '1.5' is not a whole number from 1 to 1073741824" -N 1.5
refuses 2 1/0 --eps 1/0
refuses 2 'nothing to time: all block sizes (-n, from 32) are above -N 16' -N 16,8 -n 64,32
refuses 2 '^g6bench: --h2: -1 is not zero or positive (' --h2 -1
refuses 2 '^g6bench: --seconds: 0 is not positive (' --seconds 0
refuses 2 "^g6bench: --seconds: 'long' is not a number (" --seconds long
refuses 2 'softenings does not go with --check' --softenings 2 --check
refuses 1 /nonexistent/libgrape.so --lib /nonexistent/libgrape.so
refuses 1 /nonexistent/table --output /nonexistent/table
refuses 1 'allowed: mixed, double' --precision tripel
refuses 1 'backend cannot be' --backend nothing

if [ -z "${SAN:-}" ] && (ulimit -v 4000000) 2>/dev/null; then
    (
        ulimit -v 4000000 # kB
        refuses 1 '^g6bench: out of memory; use fewer particles (-N)$' -N 1e9 -n 1
        exit $bad
    ) || bad=1
fi

# ---- numbers of particles may have exponents ----
"$bench" --csv -N 1e2,128 -n 1e1 --repeat 1 | awk -F, '/^step/ { print $4, $5 }' >"$work/out"
printf '100 10\n128 10\n' | cmp -s - "$work/out" || fail "-N 1e2,128 -n 1e1: $(cat "$work/out")"

# ---- the head names the devices that compute: the fake backend has four ----
fakes=$PWD/$B/test-backends/fakes
if [ -e "$fakes/g6_fake.so" ]; then
    for devices in 2 1,3; do
        for tree in "" --tree; do
            env G6_BACKEND_DIR="$fakes" G6_BACKEND=fake G6_DEVICES=$devices "$bench" $tree -N 64 \
                --repeat 1 -n 8 >"$work/out" 2>&1 || fail "fake devices: $(cat "$work/out")"
            names=$(echo $devices | sed 's/[0-9]/fake &/g; s/,/, /')
            tells "$work/out" "backend fake, device $devices $names, precision"
        done
    done
fi

# ---- several lists of devices: speed-up = first time / time, efficiency = speed-up / devices ----
# The first list names one device, the second one three.
scales() { # columns of a time, of its speed-up and of its efficiency; arguments of g6bench
    time=$1 speed_up=$2 efficiency=$3
    shift 3
    env G6_BACKEND_DIR="$fakes" "$bench" --csv --backend fake --devices 1 --devices 0,2,3 --repeat 2 \
        "$@" >"$work/out" 2>"$work/err" || fail "$*: $(cat "$work/err")"
    awk -F, -v time="$time" -v speed_up="$speed_up" -v efficiency="$efficiency" '
        function near(a, b) { return (a - b) ^ 2 <= (0.01 * b) ^ 2 }
        /^# .*, device 1 fake 1,/ { heads++ }
        /^# .*, device 0,2,3 fake 0, fake 2, fake 3,/ { heads++ }
        /^#/ { next }
        $1 == "kind" || $1 == "model" { for (k = 1; k <= NF; k++) at[$k] = k; names = NF; next }
        NF != names { wrong = 1 }
        ++rows == 1 { first = $at[time]; wrong += $at["devices"] != 1 || $at[speed_up] != "" || $at[efficiency] != "" }
        rows == 2 { wrong += $at["devices"] != 3 || !near($at[speed_up], first / $at[time]) }
        rows == 2 { wrong += !near($at[efficiency], 100 * $at[speed_up] / 3) }
        END { exit wrong || rows != 2 || heads != 2 }' "$work/out" || fail "$*: $(cat "$work/out")"
}
if [ -e "$fakes/g6_fake.so" ]; then
    scales us_median speed_up efficiency -N 64 -n 8
    scales us_median speed_up efficiency --kernel -N 64
    scales walk walk_speed_up walk_efficiency --tree -N 2000
    scales step step_speed_up step_efficiency --tree -N 2000
    # Each precision has its own first column, A and C.
    G6_BACKEND_DIR=$fakes "$bench" --backend fake --precision mixed,double --device-counts 1,4 -N 64 \
        -n 8 --load --steps --repeat 1 >"$work/out" || fail "--device-counts: status $?"
    [ "$(grep -c '| B: [^|]* speed-up  eff % | C: [^|]*C/A | D: [^|]* speed-up  eff %$' "$work/out")" = 1 ] ||
        fail "speed-ups of the columns B and D: $(cat "$work/out")"
    # Other devices than the column's name says are no measurement of that column.
    export G6_BACKEND_DIR="$fakes"
    refuses 1 'devices 0,4: fake device 0 computes instead' --backend fake --devices 0,4
    refuses 1 'devices 9: fake device 0 computes instead' --tree --backend fake --devices 9
    unset G6_BACKEND_DIR
else
    echo "g6bench.sh: lists of devices are left out (the fake backend was not built)"
fi
refuses 1 'devices cannot be "0,,1"' --devices 0,,1
refuses 2 'device-counts' --device-counts 0

# PoCL shows its processor as often as it is told.
export POCL_DEVICES="pthread pthread"
if env -u G6_BACKEND "$B/bin/g6info" 2>/dev/null | grep -q '^  opencl *2 devices'; then
    "$bench" --csv --check --backend opencl --device-counts 1,2 -N 256 -n 16 --repeat 2 >"$work/out" ||
        fail "two devices of PoCL: status $?"
    # The bounds on errors are those of precision mixed below.
    awk -F, '
        $1 == "kind" { for (k = 1; k <= NF; k++) at[$k] = k; next }
        $1 == "step" { rows++; devices = devices $at["devices"]; right += $at["acc_median"] <= 8 * 32 * 2 ^ -24 }
        END { exit rows != 2 || right != 2 || devices != "12" }' "$work/out" ||
        fail "two devices of PoCL: $(cat "$work/out")"
else
    echo "g6bench.sh: two OpenCL devices are left out (PoCL is not here)"
fi
unset POCL_DEVICES

# ---- help and version ----
"$bench" --help | grep -q -e '--lib' || fail "--help"
"$bench" --version | grep -q '^g6bench [0-9]' || fail "--version"

# ---- trees: theta 0 is a direct sum; a larger theta sums less and errs more, by no more than ----
# twice what Nakasato (2011) has for N = 1e5 (1.4e-3 at 0.5, 7.3e-3 at 1)
"$bench" --tree --csv -N 2000 --theta 0,0.5,1 --model plummer,galaxy --samples 500 --precision double \
    --multipole 0,2 --repeat 3 >"$work/tree" || fail "--tree: status $?"
awk -F, '
    /^#/ { next }
    $1 == "model" { for (k = 1; k <= NF; k++) at[$k] = k; next }
    { rows++; theta = $at["theta"]; sum = sums[theta] = $at["per_body"]; mean = $at["mean"] }
    theta == 0 && !(sum == 2000 && mean < 1e-12) || theta == 0.5 && !(mean < 2.8e-3 && mean > 1e-6) ||
    theta == 1 && !(mean < 1.5e-2 && sum < sums[0.5] && $at["pot"] < mean) ||
    # Each part has its repeats and a time.
    !($at["repeats"] == 3 && $at["build_min"] <= $at["build"] && $at["build"] <= $at["build_max"] &&
      $at["step"] > 0 && $at["refresh_min"] > 0) { print "g6bench.sh: " $0; bad = 1 }
    END { exit bad || rows != 12 }' "$work/tree" || fail "--tree: $(cat "$work/tree")"
"$bench" --tree -N 500 --samples 100 --repeat 2 >"$work/tree" || fail "--tree as a table: status $?"
awk '/^  plummer/ { rows++ } /^  model/ { head++ } END { exit rows != 1 || head != 1 }' "$work/tree" ||
    fail "--tree as a table: $(cat "$work/tree")"
"$bench" --tree -N 1 --repeat 3 >"$work/tree" || fail "--tree of one body: status $?"
! grep -Ei 'nan|inf' "$work/tree" || fail "--tree of one body: $(cat "$work/tree")"
refuses 1 'model nosuch' --tree --model nosuch -N 10
refuses 1 'mac near' --tree --mac near -N 10

# ---- errors ----
# Sums of |terms| bound the errors: mixed (float pairs, 2^-24 a rounding) 16, 32, 64 roundings of
# them in pot, acc, jerk; double 1e-14, 1e-14, 1e-13.  pot has terms of one sign: the bound holds
# for every particle.  In half of a Plummer sphere the terms of acc cancel to no less than 1/8 of
# their sum, those of jerk to 1/64: the medians are held to that.  nn and lists must be right.
"$bench" --csv --check --lists -N 1000,2048 -n 1,100 --seconds 0.02 --precision mixed,double \
    --output "$work/copy" >"$work/csv" || fail "--check: status $?"
cmp -s "$work/csv" "$work/copy" || fail "--output is not a copy of the table"
awk -F, '
    function bound(column, value, most) {
        if (!(value + 0 <= most) || value == "") {
            print "g6bench.sh: " $3 ", N = " $4 ", n = " $5 ": " column " " value ", bound " most
            bad = 1
        }
    }
    /^#/ { next }
    $1 == "kind" { for (k = 1; k <= NF; k++) at[$k] = k; next }
    {
        rows++
        mixed = $2 == "A"
        u = 2 ^ -24
        bound("pot_max", $at["pot_max"], mixed ? 16 * u : 1e-14)
        bound("acc_median", $at["acc_median"], 8 * (mixed ? 32 * u : 1e-14))
        bound("jerk_median", $at["jerk_median"], 64 * (mixed ? 64 * u : 1e-13))
        bound("nn_wrong", $at["nn_wrong"], 0)
        bound("lists_wrong", $at["lists_wrong"], 0)
    }
    END {
        if (rows != 8) print "g6bench.sh: " rows " rows, not 2 N x 2 n x 2 columns"
        exit bad || rows != 8
    }' "$work/csv" || bad=1

# ---- the parts of a step, each of which takes time; both ways to send give the right forces ----
"$bench" --csv --bulk --check -N 1000 -n 100 --repeat 3 >"$work/csv" || fail "--bulk: status $?"
awk -F, '
    $1 == "kind" { for (k = 1; k <= NF; k++) at[$k] = k; next }
    $1 == "step" {
        rows++
        right = $at["acc_median"] <= 8 * 32 * 2 ^ -24 && $at["nn_wrong"] == 0
        timed = $at["us_set_j"] > 0 && $at["us_firsthalf"] > 0 && $at["us_lasthalf"] > 0
    }
    END { exit !(rows == 1 && right && timed) }' "$work/csv" || fail "--bulk: $(cat "$work/csv")"
# The setting says which lists are right, even where the number of pipes suggests others.
for rule in 0,48 1,2048; do
    G6_NEIGHBOUR_SOFTENED=${rule%,*} "$bench" --csv --check --lists --eps 1/8 --npipes "${rule#*,}" -N 2048 -n 16 --repeat 3 |
        awk -F, '$1 == "kind" { for (k = 1; k <= NF; k++) at[$k] = k } $1 == "step" { wrong = $at["lists_wrong"] } END { exit wrong != "0" }' ||
        fail "lists by the rule $rule"
done
"$bench" --parts -N 100 -n 1,10 --repeat 1 | grep -c '^  parts A  set_j .* firsthalf .* lasthalf .* us$' |
    grep -q '^2$' || fail "--parts: no line below each of two rows"

# ---- the same library twice: two columns and their ratio ----
"$bench" --lib own --lib "$own" -N 512 -n 8 --seconds 0.02 >"$work/two" || fail "two: status $?"
for text in '^# A: /.*libg6gpu' '^# B: /.*libg6gpu' 'B/A' '^ *512 *8 .* [0-9.]*[1-9][0-9.]*$'; do tells "$work/two" "$text"; done

# ---- the other tables ----
"$bench" --load --kernel -N 300 --seconds 0.02 --check --no-nn --no-snap \
    >"$work/other" || fail "--load: $?"
for text in 'a2by18 = 0' 'ns a call' 'Force alone'; do tells "$work/other" "$text"; done
grep -q 'nn wrong' "$work/other" && fail "--no-nn looks at neighbours"

# ---- a library with the bare minimum, that talks on stdout and then ends the program ----
cat >"$work/peer.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
static int blocks;
void g6_open(int id) { printf("peer opens %d\n", id); }
void g6_open_(int *id) { g6_open(*id); }  /* by the dynamic linker, which must not find another one */
void g6_close_(int *id) { (void)id; }
int g6_npipes_(void) { return 48; }
void g6_set_ti_(int *id, double *t) { (void)id, (void)t; }
void g6_set_j_particle_(void) {}
void g6calc_firsthalf_(void) {}
int g6calc_lasthalf_(void)
{
    if (++blocks == 40 && getenv("PEER_EXITS")) exit(0);
    return getenv("PEER_FAILS") != NULL;
}
END
if $CC -shared -fPIC "$work/peer.c" -o "$work/libpeer.so" 2>/dev/null; then
    "$bench" --lib own --lib "$work/libpeer.so" -N 200 -n 100 --repeat 5 --seconds 0.001 --lists \
        >"$work/out" 2>"$work/err" || fail "with a small library: status $?"
    grep -q 'peer opens' "$work/out" && fail "what a library prints is in the table"
    tells "$work/err" 'peer opens 0'
    for text in 'no g6calc_lasthalf2_' 'no neighbour lists'; do tells "$work/out" "$text"; done
    PEER_EXITS=1 "$bench" --lib "$work/libpeer.so" -N 96 -n 1,48 --repeat 20 --seconds 0.00001 \
        >"$work/out" 2>"$work/err"
    [ $? = 3 ] || fail "a library that calls exit: status is not 3"
    tells "$work/err" 'ended the program'
    tells "$work/out" '^ *96  *1 '
    PEER_FAILS=1 "$bench" --lib "$work/libpeer.so" -N 96 -n 1 >"$work/out" 2>"$work/err" &&
        fail "a failing library must give a status"
    grep -q 'g6calc_lasthalf_ returned 1' "$work/err" || fail "a failing library is not named"
    refuses 1 'lacks g6_open_' --lib "$(ldd "$bench" | awk '/libm\.so/ { print $3; exit }')"
fi

# ---- settings that are not in force ----
names_settings "$bench" -N 64 -n 8 --repeat 1
names_settings "$bench" --tree -N 64 --repeat 1

# ---- a full disk ----
for options in "--csv" "" "--tree" "--help"; do disk_full "$bench" $options -N 64 -n 8 --repeat 1; done
"$bench" -N 64 -n 8 --repeat 1 --output /dev/full >"$work/out" 2>"$work/err"
[ $? = 4 ] || fail "--output on a full disk must give status 4"
grep -q '^g6bench: cannot write to /dev/full: No space left' "$work/err" || fail "$(cat "$work/err")"

finish
