#!/bin/sh
# SPDX-License-Identifier: MIT
# g6check: libg6gpu keeps every rule, with every backend, precision, mode and instruction set of
# this machine.  The small library tests/faulty keeps the rules too; with each of its faults it
# fails the rules that name the fault and, in make check-long, no other rule.
. "$(dirname "$0")/../script.inc"
check=$B/bin/g6check
faulty=$B/test-faulty/libg6faulty.so
minimal=$B/test-faulty/libg6minimal.so
[ -x "$check" ] || skip "g6check was not built"

# ---- options ----
"$check" --help | grep -q -e '--lib' || fail "--help"
"$check" --version | grep -q '^g6check [0-9]' || fail "--version"
"$check" --list | grep -q 'pot-negative  *kira' || fail "--list"
program=$check
refuses 2 nonsense --nonsense
refuses 2 'no rule "nonsense"' --only nonsense
refuses 3 /nonexistent/libgrape.so --lib /nonexistent/libgrape.so
refuses 3 'lacks g6_open_' --lib "$(ldd "$check" | awk '/libm\.so/ { print $3; exit }')"
[ "$("$check" --csv --only self,pot-negative | grep -c ',pass,')" = 8 ] ||
    fail "--only takes a group and a rule"

# ---- settings that are not in force ----
names_settings "$check" --only self
names_settings "$check" --soak 0.1

for options in "--only self" --list "--csv --only self" --help; do disk_full "$check" $options; done

# ---- libg6gpu ----
# What every setting shares (marked "once") is looked at in a backend's first run only.  Opening a
# GPU takes a second in each of g6check's processes, so there a setting that changes one thing is
# checked by the rules that could notice.
runs=0
run() { # settings as NAME=VALUE ..., --, options
    set_to=
    while [ "$1" != -- ]; do set_to="$set_to $1"; shift; done
    shift
    env $set_to "$check" --quiet "$@" >"$work/out" 2>&1 || fail "$set_to: $(cat "$work/out")"
    tail -n 1 "$work/out" | grep -q '^[1-9].* 0 fail' || fail "$set_to: no summary"
    runs=$((runs + 1))
}
part() { # settings, the rules that could notice
    if [ "$backend" = cpu ]; then run "G6_BACKEND=cpu $1" --
    else run "G6_BACKEND=$backend $1" -- --only "$2"; fi
}
modes=$("$B/bin/g6info" | sed -n 's/^ *G6_MODE .*(\(.*\))$/\1/p' | tr -d ,)
case $modes in *hermite*) ;; *) fail "no modes found in g6info: $modes" ;; esac
for backend in $("$B/bin/g6info" | awk '/^  [a-z]+ +[0-9]+ device/ { print $1 }'); do
    run G6_BACKEND="$backend" --
    run G6_BACKEND="$backend" G6_MODE=treewalk G6_DIRECT=0 G6_THETA=0 -- --computing  # every block walks, and opens every cell
    [ "$backend" = cpu ] || [ -n "$LONG" ] || continue
    for precision in mixed double; do
        for mode in $modes; do
            [ "$precision $mode" = 'mixed hermite' ] ||
                run G6_BACKEND="$backend" G6_PRECISION="$precision" G6_MODE="$mode" -- --computing
        done
        part "G6_PRECISION=$precision G6_PROFILE=gpu" \
            'npipes-constant,ni-above-npipes,neighbour lists'
    done
    run G6_BACKEND="$backend" G6_PRECISION=single G6_MODE=treeonly -- --computing
    part G6_PROFILE=ph4 nearest-alone,nearest-empty
    part 'G6_NEIGHBOUR_SELF=0 G6_SNAP=0' \
        list-self-by-pipes,list-self-all,list-self-h2-zero,predictor
done
run G6_BACKEND=cpu G6_DEBUG=isa=generic -- --computing
run G6_BACKEND=cpu G6_LOG=debug -- --only arguments
for isa in avx2 avx512; do
    # g6info's status tells whether this processor has it.
    if G6_BACKEND=cpu G6_DEBUG=isa=$isa "$B/bin/g6info" >/dev/null 2>&1; then
        run G6_BACKEND=cpu G6_DEBUG=isa=$isa -- --computing
    fi
done
[ "$runs" -ge 10 ] || fail "only $runs runs of libg6gpu"
"$check" | tail -n 1 | grep -q ' 0 not offered$' || fail "the default settings leave rules out"
G6_BACKEND=cpu G6_MODE=treeonly "$check" | grep -q 'not offered .*accuracy-jerk' ||
    fail "treeonly has no jerk: not offered"
G6_BACKEND=cpu "$check" --csv --jobs 1 >"$work/one"
G6_BACKEND=cpu "$check" --csv --jobs 7 >"$work/seven"
cmp -s "$work/one" "$work/seven" || fail "the report depends on --jobs"
"$check" --list | awk '$2 == "once" { print $1 }' >"$work/once"
[ "$(G6_BACKEND=cpu "$check" --csv --computing | grep -c -F -f "$work/once")" = 0 ] ||
    fail "--computing runs rules that are marked \"once\""

# ---- faults ----
export OMP_NUM_THREADS=1  # the library is serial, and so are its small references quickest
failed_rules() { # library, options
    lib=$1
    shift
    "$check" --csv --lib "$lib" "$@" >"$work/csv" 2>"$work/err"
    status=$?
    awk -F, '$2 == "fail" { printf "%s ", $1 }' "$work/csv"
    [ -s "$work/err" ] && cat "$work/err"
    return $status
}
[ -f "$faulty" ] || fail "$faulty was not built"
got=$(failed_rules "$faulty") || fail "the honest library fails: $got"
got=$(failed_rules "$minimal") && fail "a library without lists must fail"
[ "$got" = "names-whole-set " ] || fail "a library without lists fails by: $got"
grep -q 'list-strict,not offered' "$work/csv" || fail "lists of a library without: not offered"

# make check runs the rules that must fail, make check-long all others beside them.
fault() { # name, rules that must fail; FAULT_TIME: seconds for one rule
    name=$1
    shift
    only="--only $(echo "$*" | tr ' ' ,)"
    [ -z "$LONG" ] || only=
    # shellcheck disable=SC2086  # words
    got=$(G6_FAULT=$name failed_rules "$faulty" --timeout "${FAULT_TIME:-30}" $only)
    [ "$(echo $got)" = "$*" ] || fail "$name: failed by: $got; not by: $*"
    faults=$((faults + 1))
}
faults=0
fault positive-pot pot-negative
fault jerk-sign jerk-sign
fault self-by-position self-elsewhere self-all coincident-softened
fault self-by-address self-by-index self-all
fault self-first-only self-all
fault self-in-pot self-not-in-pot
fault nan-when-coincident coincident-unsoftened
fault float-places close-pair
fault scales-by-old old-values-ignored
fault no-snap predict-position-snap predict-velocity-snap
fault velocity-term predict-velocity
fault predicts-on-set-ti predict-after-write
fault uses-dtj dtj-ignored
fault minus-one-is-empty index-minus-one list-is-index
fault stops-at-npipes ni-above-npipes
fault holes-at-origin holes-no-neighbour
fault forgets-beyond-nj nj-decides
fault nj-zero-untouched nj-zero nearest-empty
fault memory-of-4000 memory-grows
fault nearest-is-address nearest-is-index
fault nearest-is-self nearest-not-self nearest-self-by-index nearest-alone
fault nearest-by-h2 nearest-any-h2-mass
fault nearest-softened nearest-unsoftened
fault nearest-last-tie nearest-tie
fault nearest-limit nearest-far
fault alone-is-minus-one nearest-alone nearest-empty
fault skips-massless nearest-massless list-massless
fault h2-ignored list-within-h2 list-strict list-h2-zero list-latest-h2 list-of-each-pipe \
    list-self-h2-zero list-softened list-predicted
fault h2-closed list-strict list-h2-zero
fault list-is-address list-is-index
fault list-of-256 list-long
fault list-unsoftened list-softened
fault list-with-self list-self-by-pipes list-self-all
fault unsorted list-sorted
fault sticky-overflow list-overflow-cleared list-larger-array
fault overflow-without-length list-overflow
fault overflow-counts-all list-overflow
fault npipes-after-open npipes-before-open npipes-constant
fault npipes-of-32768 npipes-48 npipes-16384
fault npipes-of-40 npipes-48
fault npipes-varies npipes-constant
fault refusal-empties refused-untouched
fault refusal-throws refused-cheap
fault changed-index-0 changed-index
fault null-id id-null
fault needs-open id-other id-not-open
fault close-needs-open close-unopened
fault opens-10-times open-close-open
fault reset-clears reset-safe
fault needs-flush buffer-flushed
fault status-of-7 status-zero
fault reads-hints hints-4-bytes hints-by-value
fault writes-inputs inputs-unwritten
fault keeps-pointers inputs-copied
fault writes-behind outputs-only-ni
fault two-buffers-only outputs-one-buffer
fault current-directory folder-any
fault forwards names-not-forwarded
fault prints silent-stdout
fault prints-on-stderr silent-stderr
fault raises-flags traps-unharmed
fault exits never-exits
fault dies-at-exit exit-while-open
fault mxonly-keeps-motion treecode-mxonly
fault crashes list-read-old
fault eps2-mode-turned kf-eps2-each kf-eps2-for-all
fault eps2-mode-nonzero kf-eps2-each
FAULT_TIME=3 fault hangs njdata-hint
FAULT_TIME=3 fault blocks-uncollected firsthalf-uncollected firsthalf-then-write
# ---- a soak: the honest library holds what it held, one that leaks is told by what it leaks ----
soak() { # part of the verdict, options
    part=$1
    shift
    "$check" --soak 2 --lib "$faulty" "$@" >"$work/out" 2>&1
    status=$?
    grep -q -e "$part" "$work/out" || fail "a soak lacks \"$part\": $(cat "$work/out")"
    return $status
}
soak '^soak: good' --seed 2 || fail "the honest library grows"
for what in memory descriptors threads; do
    G6_FAULT=leaks-$what soak "FAIL, grows in $what\$" && fail "leaks-$what: status 0"
done
G6_FAULT=self-in-pot soak 'FAIL in session' && fail "a wrong force passes the soak"
G6_BACKEND=cpu "$check" --soak 2 >"$work/out" || fail "the library grows: $(cat "$work/out")"
# A device for one process: no rule fails for its neighbours' sake; each does while another has it.
got=$(G6_FAULT=one-process failed_rules "$faulty" --jobs 5) || fail "one process: failed by: $got"
if command -v flock >/dev/null; then
    G6_FAULT=one-process flock "$faulty" "$check" --lib "$faulty" --only pot-negative >"$work/out" &&
        fail "a device that another process has fails no rule"
fi
G6_FAULT=crashes "$check" --lib "$faulty" --only list-read-old | grep -q 'signal 6' ||
    fail "a crash is not named by its signal"

[ "$bad" = 0 ] && echo "g6check.sh: $runs settings of libg6gpu, $faults faults"
finish
