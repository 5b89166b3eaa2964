#!/bin/sh
# SPDX-License-Identifier: MIT
# g6run from outside: refusals (status, one line of text, nothing overwritten), a run, its files,
# exact restarts.
. "$(dirname "$0")/../script.inc"
use_g6run

# What lies in the work folder, to see that a refusal changed nothing.
listing() { (cd "$work" && find . -type f ! -name err ! -name out ! -name before ! -name after \
    -exec cksum {} + 2>/dev/null | sort); }

refuses() { # status, part of the message, arguments
    want=$1 part=$2
    shift 2
    listing >"$work/before"
    "$run" "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got = "$want" ] || fail "$*: status $got, not $want"
    grep -q -e "^g6run: .*$part" "$work/err" ||
        fail "$*: the message lacks \"$part\": $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" = 1 ] || fail "$*: more than one line: $(cat "$work/err")"
    [ -s "$work/out" ] && fail "$*: something on stdout"
    listing >"$work/after"
    cmp -s "$work/before" "$work/after" || fail "$*: files changed"
}

rows() { grep -v '^#' "$1" | cut -c 1-89; } # all but the times it took
sphere="--plummer 64 --eps 1/64 --quiet"
small="$sphere --t-end 1/4"
out=$work/first

printf '1 0 0 0 0 0 0\n1 1 0 0 0 0 0\n1 0 1 0 0 0 0\n' >"$work/three.txt"

# ---- wrong options ----
refuses 2 'nothing to integrate'
refuses 2 'give one of' --plummer 10 --input x
refuses 2 'unknown option --nonsense (' --plummer 10 --nonsense
refuses 2 'unknown option --plumer; did you mean --plummer? (' --plumer 100
refuses 2 'unknown option --quite; did you mean --quiet? (' --plummer 10 --quite
refuses 2 "unexpected word '100' (" --plummer 10 100
refuses 2 '--eps: a value must follow: NUMBER (' --plummer 10 --eps
refuses 2 'theta: -1 is not zero or positive' --plummer 10 --mode treewalk --theta=-1
refuses 2 'plummer' --plummer 1
refuses 2 "plummer: 'many' is not a whole number from 2 to 2147483647" --plummer many
for seed in -1 18446744073709551616 0x10; do
    refuses 2 "seed: '$seed' is not a whole number from 0 to 18446744073709551615" --plummer 10 --seed $seed
done
refuses 2 'eps: the value is empty' --plummer 10 --eps ''
refuses 2 "'tiny' is not a number" --plummer 10 --eps tiny
refuses 2 'eps: one value expected, not 2' --plummer 10 --eps 1/16 --eps 1/32
refuses 2 "'1/0' is not a number" --plummer 10 --eps 1/0
refuses 2 "t-end: '10Mir' is not a number, nor a time with one of the units s, day, yr" --plummer 10 --t-end 10Mir
refuses 2 'eps 1km: the run has no units; give --units' --plummer 10 --eps 1km
refuses 2 'table-units Myr: the run has no units' --plummer 10 --table-units Myr
refuses 2 'eps 1km: the run has no units; give --input-units, as --input-units pc,Msun,km/s, ' --input "$work/three.txt" --eps 1km
refuses 2 'input-units goes with --input' --plummer 10 --input-units pc,Msun,km/s
refuses 2 'snapshot does not go with a cosmological run' --cosmology --input x --snapshot 1Myr
refuses 2 "format: 'binary' is not one of: hdf5, text (" --plummer 10 --format binary
refuses 2 "method: 'tree' is not one of: hermite, treewalk, treecode (" --plummer 10 --method tree
refuses 2 't-begin' --plummer 10 --t-begin 1
refuses 2 'gravity goes with --input' --plummer 10 --gravity 1
refuses 2 'give one of --gravity and --input-units' --input x --gravity 2 --input-units pc,Msun
refuses 2 'precision tripel' --plummer 10 --precision tripel --output "$out"
refuses 2 'mode treewander' --plummer 10 --mode treewander --output "$out"
refuses 2 'treeonly computes no jerk' --plummer 10 --mode treeonly --output "$out"
refuses 2 'm_min=5Msun is no number' --model plummer:imf=kroupa,m_min=5Msun --bodies 10 --units 1pc,10Msun
refuses 2 'model two:d=3pc: the run has no units; give --units' --model two:d=3pc --bodies 10 --output "$out"
refuses 2 'model and --bodies go together' --model cube
refuses 2 'method treecode uses mode treeonly' --plummer 10 --method treecode --mode hermite
refuses 2 'backend abacus' --plummer 10 --backend abacus --output "$out"
refuses 2 'cosmology goes with --input or --restart' --plummer 10 --cosmology 0.3,0.7,0.7
refuses 2 'go with --cosmology' --plummer 10 --z-end 0
refuses 2 'step-in' --cosmology --input x --step-in days
refuses 1 'nosuch.hdf5: no such file' --cosmology --restart nosuch.hdf5
echo 1 0 0 0 0 0 0 >"$work/bodies.txt"
refuses 1 'bodies.txt: not an HDF5 file' --cosmology --input "$work/bodies.txt" --output "$out"
refuses 2 '--group must be a whole number, not 0' --plummer 10 --method treecode --group 0 --output "$out"
# A backend that is known but not there.
export G6_BACKEND_DIR="$work/none"
refuses 1 'backend cuda: cpu would' --plummer 10 --backend cuda --output "$out"
unset G6_BACKEND_DIR

# ---- methods over trees: done, and energy kept within what theta 0.5 allows ----
for method in treewalk treecode; do
    [ $method = treecode ] && groups='--group 32' direct= || groups= direct=G6_DIRECT=0
    env $direct "$run" --model hernquist --bodies 4000 --eps 1/16 --theta 0.5 --t-end 0.25 \
        --method $method $groups \
        --output "$work/$method" --quiet || fail "--method $method: status $?"
    awk '/max .dE\/E/ { if (!($5 < 1e-3)) exit 1; found = 1 } END { exit !found }' \
        "$work/$method/table.txt" || fail "--method $method: $(tail -1 "$work/$method/table.txt")"
    # bodies and cells that were summed: fewer than all pairs
    awk '/particle steps/ { steps = $8 } / interactions/ { sums = $2 }
        END { exit !(sums > 0 && sums < 0.9 * 4000 * steps) }' "$work/$method/table.txt" ||
        fail "--method $method: $(grep -e ' interactions' -e 'particle steps' "$work/$method/table.txt")"
    runs --restart "$work/$method/snapshot_0001.hdf5" --t-end 0.5 --quiet
    grep -q "method $method, dt .*, theta 0.5" "$work/$method/table.txt" || fail "$method: no word of it"
    [ $method = treewalk ] || [ "$(grep -c 'groups of 32$' "$work/$method/table.txt")" = 2 ] ||
        fail "the head of a treecode or of its restart does not tell its groups"
done

# ---- a galaxy has Gadget's types, in the head and in its files, and so has what is read from these ----
G6_MODE=treewalk "$run" --model galaxy --bodies 150 --eps 1/4 --t-end 1/8 --quiet --output "$work/galaxy" ||
    fail "galaxy: status $?"
runs --input "$work/galaxy/snapshot_0001.hdf5" --eps 1/4 --t-end 1/4 --quiet --output "$work/types"
for folder in galaxy types; do
    grep -qx '# types: 1 (halo) 120, 2 (disk) 20, 3 (bulge) 10' "$work/$folder/table.txt" ||
        fail "$folder: $(head -3 "$work/$folder/table.txt")"
done
grep -q '^# types' "$work/treewalk/table.txt" && fail "one type is counted"

# ---- softenings of types ----
types="--model galaxy --bodies 150 --t-end 1/4 --quiet"
runs $types --eps 1/16 --eps-type 1=1/8,3=1/32 --snapshot 1/8 --output "$work/soft"
tells "$work/soft/table.txt" '^# eps of type 1 (halo) 0.125, 2 (disk) 0.0625, 3 (bulge) 0.03125;'
refuses 2 'the restart has --eps-type 1=0.125,3=0.03125' --restart "$work/soft/snapshot_0001.hdf5" --t-end 1/4 \
    --eps-type 1=1/4
refuses 2 'eps-type goes with --format hdf5' $types --eps-type 1=1/4 --format text
refuses 2 'eps-type goes with hermite and treewalk' $types --eps-type 1=1/4 --method treecode
refuses 2 'or an --eps-type for each type' $types --eps-type 1=1/4 --eps 0 --method treewalk --steps block
refuses 2 'names types without particles: 0' $types --eps-type 0=1 --strict
refuses 2 'eps-type does not go with a cosmological run' --cosmology --input x --eps-type 1=1

# ---- a leapfrog goes on with the Hermite scheme: without jerks its energy would jump by 1e-4 ----
runs --plummer 200 --eps 1/64 --t-end 1/4 --method treewalk --dt 1/32 --dt-max 1/32 --quiet --output "$work/leaps"
cp "$work/leaps/table.txt" "$work/leaps.txt"
runs --restart "$work/leaps/snapshot_0001.hdf5" --method hermite --t-end 3/8 --quiet \
    --output "$work/leaps-on"
cat "$work/leaps.txt" "$work/leaps-on/table.txt" | awk '/^ / { before = energy; energy = $2 }
    END { d = energy / before - 1; exit !(d * d < 1e-6 ^ 2) }' ||
    fail "--restart with --method hermite: the energy jumps: $(cat "$work/leaps-on/table.txt")"
grep -q 'it was run with method treewalk, shared steps: forces and steps are computed anew' "$work/leaps-on/table.txt" &&
    grep -q ', mode hermite$' "$work/leaps-on/table.txt" || fail "--restart with --method hermite: $(head "$work/leaps-on/table.txt")"

# ---- a record of the steps: its sums are the totals at the end of the table ----
for scheme in '--method hermite' '--method treewalk --steps block' '--method treewalk --dt 1/64' \
    '--method treecode --dt 1/32'; do
    runs --model hernquist --bodies 300 --eps 1/32 --t-end 1/2 $scheme --quiet --overwrite \
        --output "$work/logged" --steps-log "$work/steps.txt"
    awk 'function same(sum, total) { return sum > 0.999 * total && sum < 1.001 * total }
        FNR == NR { if (/^#/) next
            lines++; if ($1 <= t) bad = "times"; t = $1; n += $2; pairs += $3
            seconds += $4; library += $5 + $7; parts += $5 + $6 + $7 + $8; next }
        /steps take/ { for (k = 2; k <= NF; k++) if ($(k - 1) == "take") if (!same(seconds / 0.5, $k)) bad = $0 }
        /^# library/ { if (!same(library, $3)) bad = $0 }
        /block steps of/ { if (lines != $2 || n != $8) bad = $0 }
        / interactions, / { if (!same(pairs, $2)) bad = $0; totals = 1 }
        END { if (t != 0.5) bad = "t " t; if (!(parts <= seconds * 1.00001)) bad = "parts " parts " of " seconds
            if (bad || !totals) { print bad; exit 1 } }' "$work/steps.txt" "$work/logged/table.txt" >"$work/bad" ||
        fail "--steps-log $scheme: $(cat "$work/bad"); $(tail -6 "$work/logged/table.txt")"
done
refuses 2 'steps-log .*steps.txt: the file exists' $small --output "$out" --steps-log "$work/steps.txt"
for file in table.txt ../t/table.txt table.txt.tmp snapshot_0000.hdf5; do
    refuses 2 "steps-log ./t/$file: has the name of another file of the run" $small --output "$work/t" --steps-log "./t/$file"
done
refuses 2 'steps-log .*three.txt: the file exists and is no record of steps' $small --output "$work/t" --overwrite \
    --steps-log "$work/three.txt"
refuses 2 'steps-log does not go with a cosmological run' --cosmology --input x --steps-log x

# ---- wrong files ----
refuses 2 'input takes one file, not 3: of a snapshot in several' --input a.0.hdf5 a.1.hdf5 a.2.hdf5 --eps 1
printf '# three\n1 0 0 0 0 0 0\n1 1 0 0 0 0\n' >"$work/short.txt"
refuses 1 'short.txt:3: 6 columns, expected 7' --input "$work/short.txt" --output "$out"
gzip -c "$work/short.txt" >"$work/packed.gz"
printf '# m[Msun] x[pc] y z vx[km/s] vy vz\n1 0 0 0 0 0 0\n1 1 0 0 0 0 0\n' >"$work/units.txt"
refuses 2 'units.txt: the names of its columns have units: give --input-units pc,Msun,km/s,' --input "$work/units.txt" \
    --output "$out"
printf '# m[Msun] x[pc] y z vx[miles/h] vy vz\n1 0 0 0 0 0 0\n1 1 0 0 0 0 0\n' >"$work/miles.txt"
refuses 2 'does not tell the constant of gravity: give --input-units' --input "$work/miles.txt" --output "$out"
refuses 2 'not those that the input names: pc,Msun$' --input "$work/miles.txt" --input-units kpc,Msun,km/s --output "$out"
# Two bodies of mass 1 at a distance of 1: in the units of the run W = -1.
runs --input "$work/units.txt" --gravity 0.00430091 --t-end 1/8 --quiet --output "$work/gravity"
awk '!/^#/ { e = $2; exit } END { exit !(e == -1) }' "$work/gravity/table.txt" ||
    fail "--gravity: $(cat "$work/gravity/table.txt")"
"$run" --input - --t-end 1/8 --quiet --output "$work/piped" <"$work/packed.gz" 2>"$work/err"
[ $? = 1 ] && grep -q 'standard input: a binary file, packed by gzip' "$work/err" || fail "gz in a pipe"

# ---- a run ----
"$run" --plummer 64 --eps 1/64 --t-end 1/2 --snapshot 1/4 --output "$out" \
    >"$work/out" 2>"$work/err" ||
    fail "a run: status $?"
[ -s "$work/err" ] && fail "a run that is no terminal's: $(cat "$work/err")"
ls "$out" >"$work/files"
printf 'snapshot_0000.hdf5\nsnapshot_0001.hdf5\nsnapshot_0002.hdf5\ntable.txt\n' |
    cmp -s - "$work/files" || fail "files of a run: $(tr '\n' ' ' <"$work/files")"
cmp -s "$work/out" "$out/table.txt" || fail "stdout and table.txt differ"
# Lines at 0, 1/8 ... 1/2; an energy error of 1e-5 would be a fault at this eta (default 1e-7).
awk '!/^#/ { rows++; if ($1 != (rows - 1) / 8 || $3 > 1e-5 || $3 < -1e-5) bad = 1 }
    END { exit bad || rows != 5 }' "$out/table.txt" || fail "rows: $(cat "$out/table.txt")"
grep -q 'max |dE/E| = ' "$work/out" || fail "no summary"
# The parts are the whole, and half a unit of time has half of what a unit takes; four digits each.
awk '/of wall time/ { wall = $8; unit = $15 }
    /^# library/ { sum = $3 + $6 + $11; steps = $3 + $6 }
    function same(a, b) { return a > 0 && a < 1.002 * b && b < 1.002 * a }
    END { exit !(same(sum, wall) && same(2 * steps, unit)) }' "$work/out" ||
    fail "times: $(tail -6 "$work/out")"
"$run" $small --output "$work/quiet" >"$work/out" 2>&1 || fail "--quiet: status $?"
[ -s "$work/out" ] && fail "--quiet: $(cat "$work/out")"
"$run" --restart "$work/quiet" --t-end 1/2 --output "$work/heard" >"$work/out" || fail "heard: status $?"
cmp "$work/out" "$work/heard/table.txt" || fail "--quiet of a run silences its restart"

# ---- a terminal sees from the first moment what goes on ----
if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$run' --plummer 64 --eps 1/64 --output '$work/terminal'" /dev/null >"$work/out" \
        </dev/null || fail "on a terminal: status $?"
    tr '\r' '\n' <"$work/out" | awk '/making the model \.\.\./ { made = NR }
        /g6run.*64 particles, t = 0/ { head = NR } /first forces of 64 particles \.\.\./ { forces = NR }
        / 0 -0?\.?[0-9]/ && !row { row = NR }
        /t = 0 of 1 \.\.\./ { steps = NR }
        END { exit !(made && head > made && forces > head && row > forces && steps > row) }' ||
        fail "on a terminal: $(head -c 2000 "$work/out" | cat -v)"
fi

# ---- files that are no snapshots: the message names one ----
refuses 1 "first: is a folder; its newest snapshot is $out/snapshot_0002.hdf5" --cosmology --input "$out"
mkdir "$work/bare"
refuses 1 'bare: is a folder$' --input "$work/bare"
refuses 1 "table.txt: is the table of a run; give one of the run's snapshots" --restart "$out/table.txt"
refuses 1 'cannot be read: Not a directory' --input "$work/short.txt/below"
if [ "$(id -u)" != 0 ]; then
    cp "$out/snapshot_0001.hdf5" "$work/closed.hdf5"
    cp "$work/short.txt" "$work/closed.txt"
    chmod a-r "$work/closed.hdf5" "$work/closed.txt"
    refuses 1 'closed.hdf5: cannot be read: Permission denied' --restart "$work/closed.hdf5"
    refuses 1 'closed.txt: cannot be read: Permission denied' --input "$work/closed.txt"
    rm -f "$work/closed.hdf5" "$work/closed.txt"
fi

# ---- a device that fails: the run goes on, and says so ----
if [ -e "$B/test-backends/fakes/g6_fake.so" ]; then
    for start in 1 30; do # at the first forces, and later
        G6_BACKEND_DIR=$(cd "$B" && pwd)/test-backends/fakes G6_BACKEND=fake G6_DEBUG=fault=start:$start:lost \
            "$run" $sphere --t-end 1/8 --overwrite --output "$work/lost" 2>"$work/err" || fail "a lost device: status $?"
        [ "$(cat "$work/err")" = 'g6run: fake device 0 failed (fake loss); going on with cpu device 0, results are not affected' ] ||
            fail "a lost device: $(cat "$work/err")"
        rows "$work/lost/table.txt" | cut -c 1-20 >"$work/before" # other devices have other last digits
        rows "$work/quiet/table.txt" | cut -c 1-20 | head -n 2 | cmp - "$work/before" ||
            fail "a lost device: the table differs"
    done
fi

# ---- output folders ----
refuses 1 'first: not empty' $small --output "$out"
refuses 1 'snapshot_0002.hdf5: exists already' --restart "$out/snapshot_0001.hdf5"
refuses 1 'exists and is not a folder' $small --output "$work/short.txt"
refuses 1 'cannot be' $small --output /proc/g6run
if [ "$(id -u)" != 0 ]; then
    mkdir "$work/locked"
    chmod a-w "$work/locked"
    refuses 1 'cannot be written' $small --output "$work/locked"
    refuses 1 'cannot be written' $small --output "$work/locked/below"
fi
# ---- settings and options that are not in force: one line on stderr, with --strict a status ----
says() { # setting, part of the line, options
    setting=$1 part=$2
    shift 2
    env "$setting" "$run" $sphere --t-end 1/8 --overwrite --output "$work/says" "$@" >"$work/out" 2>"$work/err" ||
        fail "$setting $*: status $?"
    grep -q "^g6run: .*$part" "$work/err" || fail "$setting $*: stderr lacks $part: $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" = 1 ] || fail "$setting $*: more than one line: $(cat "$work/err")"
    env "$setting" "$run" $sphere --t-end 1/8 --output "$work/strict" --strict "$@" >"$work/out" 2>"$work/err"
    [ $? = 2 ] || fail "$setting $*: --strict must give status 2"
    [ -e "$work/strict" ] && fail "$setting $*: --strict left files"
}
says G6_BACKEND=nonsense 'backend nonsense refused'
says G6_MODE=foo 'G6_MODE=foo is not one of'
says G6_LOG=none 'theta has no effect' --theta 0.5
says G6_THETA=0.5 'G6_THETA has no effect: direct sums have no tree'
says G6_LOG=none 'eta has no effect' --method treewalk --eta 0.02
says G6_MODE=hermite 'G6_MODE=hermite has no effect: the run has mode treeonly' --method treecode
says G6_MODE=treeonly 'G6_MODE=treeonly has no effect: the run has mode treewalk' --method treewalk
# What a restart takes from its snapshot; an option of the command line comes first without a word.
G6_PRECISION=double "$run" --restart "$work/says" --t-end 1/4 --output "$work/mixed" >"$work/out" 2>"$work/err" &&
    grep -q '^g6run: G6_PRECISION=double has no effect: the run has precision mixed$' "$work/err" &&
    [ "$(wc -l <"$work/err")" = 1 ] || fail "G6_PRECISION of a restart: $(cat "$work/err")"
G6_PRECISION=double G6_MODE=treewalk "$run" --restart "$work/says" --t-end 1/4 --precision mixed --quiet \
    --output "$work/asked" 2>"$work/err" && [ ! -s "$work/err" ] || fail "options that come first: $(cat "$work/err")"
refuses 2 'seed has no effect: it goes with --plummer and --model' --restart "$work/says" --t-end 1/4 --seed 5 --strict \
    --output "$work/seeded"
says G6_LOG=none 'precision single has no effect' --precision single
G6_PRECISION=' Mixed' "$run" $sphere --t-end 1/8 --strict --mode treewalk --theta 0.5 --output "$work/good" 2>"$work/err" ||
    fail "--strict: status $?: $(cat "$work/err")"
[ -s "$work/err" ] && fail "settings in force: $(cat "$work/err")"
tells "$work/good/table.txt" '^# block steps, .*, theta 0.5, criterion combined$'
tells "$work/says/table.txt" '^# backend cpu, device [A-Za-z].*, precision mixed, mode hermite$'
G6_MAC=bmax G6_MULTIPOLE=2 "$run" --plummer 100 --eps 1/16 --t-end 0.125 --method treewalk --theta 0.5 --quiet --output "$work/opens" || fail "G6_MAC: $?"
tells "$work/opens/table.txt" '^# method treewalk, dt 0.00390625, theta 0.5, criterion bmax, multipole 2$'
for theta in 0.50 0.9; do
    G6_THETA=$theta "$run" --restart "$work/opens" --t-end 0.25 --strict --quiet --output "$work/on$theta" 2>"$work/err"; done
[ -e "$work/on0.50" ] && [ "$(cat "$work/err")" = 'g6run: G6_THETA=0.9 has no effect: the run has theta 0.5' ] ||
    fail "G6_THETA of a restart: $(cat "$work/err")"
# What the library's environment chose in the first run is kept, too.
G6_THETA=0.3 G6_MULTIPOLE=2 "$run" --plummer 100 --t-end 1/8 --mode treewalk --quiet --output "$work/chosen" &&
    G6_MAC=bmax G6_THETA=0.4 G6_MULTIPOLE=0 "$run" --restart "$work/chosen" --t-end 1/4 --quiet --output "$work/kept" 2>"$work/err"
[ "$(cat "$work/err")" = "$(printf 'g6run: %s has no effect: the run has %s\n' G6_THETA=0.4 'theta 0.3' \
    G6_MAC=bmax 'mac combined' G6_MULTIPOLE=0 'multipole 2')" ] ||
    fail "a restart keeps what the environment chose: $(cat "$work/err")"

refuses 0 'nothing to do' --restart "$out/snapshot_0002.hdf5"
mkdir "$work/again" "$work/three" && cp "$out"/* "$work/again" && cp "$out/snapshot_0001.hdf5" "$work/three"
cp "$work/three.txt" "$work/three/table.txt"
refuses 1 'three/table.txt: is no table of g6run' --restart "$work/three/snapshot_0001.hdf5" --t-end 1/2
ln -s three/table.txt "$work/link" && cp "$work/three.txt" "$work/three/table.txt.old"
for file in three/table.txt link; do refuses 1 "$file: lies in the output" --input "$work/$file" --output "$work/three" --overwrite; done
runs --input "$work/three/table.txt.old" --t-end 1/8 --output "$work/three" --overwrite --eps 1 --quiet
echo mine >"$work/again/notes" && runs $small --output "$work/again" --overwrite
refuses 1 'snapshot_0001.hdf5: lies in the output folder, and --overwrite would remove it' --input "$work/again/snapshot_0001.hdf5" \
    --t-end 1 --output "$work/./again" --overwrite
[ -e "$work/again/snapshot_0002.hdf5" ] && fail "--overwrite left a snapshot of the earlier run"
runs --restart "$out/snapshot_0001.hdf5" --quiet --output "$work/again" --overwrite
[ "$(ls "$work/again" | tr '\n' ' ')" = 'notes snapshot_0002.hdf5 table.txt ' ] || fail "--overwrite of a restart: $(ls "$work/again")"
cp "$out"/snapshot_000[01].hdf5 "$work/again" && cp "$out/snapshot_0002.hdf5" "$work/again/interrupted.hdf5"
runs --restart "$work/again/snapshot_0001.hdf5" --format text --quiet --overwrite && left=$(cd "$work/again" && echo *)
[ "$left" = 'notes snapshot_0000.hdf5 snapshot_0001.hdf5 snapshot_0002.txt table.txt' ] || fail "left behind a restart: $left"

# ---- text in, text out ----
runs $small --format text --output "$work/text"
runs --input "$work/text/snapshot_0001.txt" --t-end 1/2 --eps 1/64 --quiet --output "$work/text2"
grep -q 't = 0.25 to 0.5' "$work/text2/table.txt" || fail "the time of a text snapshot is lost"

runs --plummer 6.4e1 --eps 1/64 --quiet --t-end 1/4 --format text --output "$work/power"
cmp "$work/text/snapshot_0001.txt" "$work/power/snapshot_0001.txt" || fail "--plummer 6.4e1 is not 64"
runs --input - --t-end 1/2 --eps 1/64 --quiet --output "$work/stdin" <"$work/text/snapshot_0001.txt"
cmp "$work/text2/snapshot_0001.hdf5" "$work/stdin/snapshot_0001.hdf5" || fail "--input - differs"
grep -q '^# from standard input' "$work/stdin/table.txt" || fail "--input -: $(cat "$work/stdin/table.txt")"
refuses 1 'standard input: no particles' --input - --output "$out" </dev/null

# A restart of it has the softening and eta of the run, where none is given; one that lacks them is
# refused.
runs $small --eta 1/64 --format text --snapshot 1/8 --output "$work/text3"
runs --restart "$work/text3/snapshot_0001.txt" --quiet --output "$work/text4"
grep -q 't = 0.125 to 0.25, eps 0.015625' "$work/text4/table.txt" &&
    grep -q 'eta 0.015625, eta-start 0.03125,' "$work/text4/table.txt" &&
    [ -e "$work/text4/snapshot_0001.hdf5" ] ||
    fail "--restart of a text snapshot: $(head -5 "$work/text4/table.txt")"
grep -v 'g6run Softening' "$work/text3/snapshot_0001.txt" >"$work/bare.txt"
refuses 2 'bare.txt: holds no settings of a run' --restart "$work/bare.txt" --output "$out-bare"
refuses 0 'nothing to do: the particles are at t = 0.25' --restart "$work/text3/snapshot_0002.txt"

# ---- a run that ends where it begins: the particles of the run's start, without a force ----
"$run" --plummer 64 --eps 1/64 --t-end 0 --units 1pc,1e4Msun --format text --output "$work/start" --overwrite >"$work/out" ||
    fail "--t-end 0: status $?"
grep -q '^# 64 particles, t = 0: .*/start/snapshot_0000.txt$' "$work/out" || fail "--t-end 0: $(cat "$work/out")"
[ "$(ls "$work/start")" = snapshot_0000.txt ] || fail "--t-end 0: $(ls "$work/start")"
bodies() { grep -v '^#' "$1"; }
bodies "$work/text/snapshot_0000.txt" >"$work/before"
bodies "$work/start/snapshot_0000.txt" | cmp - "$work/before" || fail "--t-end 0 writes other particles"
grep -q '^# g6run Units 1pc,1e4Msun' "$work/start/snapshot_0000.txt" || fail "--t-end 0 loses --units"
for seed in 9223372036854775807 9223372036854775808 18446744073709551615; do
    runs --plummer 8 --seed $seed --t-end 0 --format text --quiet --output "$work/seed$seed"
    tail -n 8 "$work/seed$seed/snapshot_0000.txt"
done | sort -u | awk 'END { exit NR != 24 }' || fail "seeds of 64 bits make the same bodies"
runs --input "$work/text/snapshot_0001.txt" --t-end 1/4 --quiet --output "$work/start" --overwrite
[ "$(ls "$work/start")" = snapshot_0000.hdf5 ] || fail "converted: $(ls "$work/start")"
runs --input "$work/start/snapshot_0000.hdf5" --t-end 1/2 --eps 1/64 --quiet --output "$work/on"
cmp "$work/text2/snapshot_0001.hdf5" "$work/on/snapshot_0001.hdf5" || fail "--t-end of the input's time changes the input"

# ---- a restart gives the same bytes as a run that never stopped ----
mkdir "$work/second"
cp "$out/snapshot_0001.hdf5" "$work/second"
runs --restart "$work/second/snapshot_0001.hdf5" --quiet
cmp "$out/snapshot_0002.hdf5" "$work/second/snapshot_0002.hdf5" || fail "a restart differs"
runs --restart "$out/snapshot_0002.hdf5" --t-end 3/4 --quiet
runs $sphere --t-end 3/4 --snapshot 1/4 --output "$work/straight"
rows "$out/table.txt" >"$work/before"
rows "$work/straight/table.txt" | cmp - "$work/before" || fail "two parts: the table differs"

# ---- a folder to go on from: the newest snapshot that is whole ----
mkdir "$work/third" "$work/none"
cp "$out/snapshot_0001.hdf5" "$work/third"
cp "$out/table.txt" "$work/third"
head -c 3000 "$out/snapshot_0002.hdf5" >"$work/third/snapshot_0002.hdf5"
cp "$out/snapshot_0000.hdf5" "$work/third/interrupted.hdf5" # of an earlier time, written last
"$run" --restart "$work/third" --quiet 2>"$work/err" || fail "--restart FOLDER: $(cat "$work/err")"
grep -q '^g6run: left out: .*third/snapshot_0002.hdf5: cannot be opened' "$work/err" || fail "damaged: $(cat "$work/err")"
cmp "$out/snapshot_0002.hdf5" "$work/third/snapshot_0002.hdf5" || fail "--restart FOLDER differs"
refuses 0 'nothing to do: the particles are at t = 0.5' --restart "$work/third"
mkdir "$work/halted"
cp "$out/snapshot_0001.hdf5" "$work/halted/interrupted.hdf5"
cp "$out/snapshot_0000.hdf5" "$out/table.txt" "$work/halted"
runs --restart "$work/halted" --quiet
cmp "$out/snapshot_0002.hdf5" "$work/halted/snapshot_0002.hdf5" || fail "--restart FOLDER leaves interrupted.hdf5 out"
refuses 1 'none: has no snapshot that a run can go on from' --restart "$work/none"
refuses 2 'go with --cosmology' --restart "$work/third" --t-end 1 --sphere 3

# ---- options from a file: the command line comes first ----
printf '# a run\nplummer = 64\neps = 1/64\nquiet = true\nt-end = 1\nunits = 1pc,1e4Msun\n' >"$work/options.ini"
runs --config "$work/options.ini" --t-end 1/4 --output "$work/file"
grep -q '64 particles, t = 0 to 0.25, eps 0.015625$' "$work/file/table.txt" &&
    grep -q '^# units: length 1pc, mass 1e4Msun' "$work/file/table.txt" || fail "--config: $(head -4 "$work/file/table.txt")"
echo 't_end = 2' >>"$work/options.ini"
refuses 2 'options.ini:7: unknown option t_end; did you mean --t-end?' --config "$work/options.ini"
refuses 2 'nowhere.ini' --config "$work/nowhere.ini"
in_file() { # lines of the file, part of the message, options
    printf "$1" >"$work/options.ini"
    shift
    refuses 2 "$@" --config "$work/options.ini"
}
in_file '\nplummer = many\n' "options.ini:2: --plummer: 'many' is not a whole number"
in_file '\nplummer = 64\n' "plummer: 'many' is not a whole number" --plummer many
grep -q 'options.ini' "$work/err" && fail "a value of the command line: $(cat "$work/err")"
in_file '\357\273\277plummer = 1\n' 'options.ini:1: --plummer: .1. is not a whole number' # a byte-order mark
in_file 'plummer = 64\nquiet = perhaps\n' 'options.ini:2: .*--quiet'
in_file 'plummer = 64\nt-end 10\n' 'options.ini:2: unknown option t-end 10; a line is NAME = VALUE'
in_file '[model]\nplummer = 64\n' 'options.ini:1: unknown option \[model\]'
in_file 'plummer = 10\neps =\n' 'options.ini:2: --eps: the value is empty'
in_file 'help = true\n' 'options.ini:1: .*help'

finish
