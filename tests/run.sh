#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the parts of the tests one after the other.  A line ahead of each part says which of how many
# it is and about how many minutes are left, going by the times of the last run in the same build
# folder.  At the end it lists the ten slowest parts and tests, and
# the parts that failed.
# usage: B=<build folder> sh tests/run.sh PART...
#   PART: a script, a GoogleTest program, or make:TARGET
set -u
B=${B:-build}
logs=$B/test-logs
here=$(dirname "$0")
. "$here/../tools/line_awk.inc"
mkdir -p "$logs"
rm -f "$logs"/*
now() { date +%s; }

# Seconds that each part took when it last passed, a line "seconds part" for each.
known=${TIMES:-$B/test-times.txt}
touch "$known"

# Seconds that a part may take: those of the last run, else those on two idle cores.
estimate() {
    seconds=$(awk -v part="$1" '$2 == part { print $1 }' "$known")
    [ -z "$seconds" ] || { echo "$seconds"; return; }
    case $1 in
    */install.sh | */recipes.sh) echo 10 ;;
    */clang.sh) echo 45 ;;
    */workers.sh) echo 25 ;;
    */package.sh | */g6plot.sh) echo 25 ;;
    */cosmology.sh | */pytest.sh | */wheel.sh) echo 15 ;;
    */clients.sh | */g6bench.sh | */g6run_cli.sh) echo 20 ;;
    */g6check.sh) echo 45 ;;
    */faults.sh) echo 40 ;;
    */driver_faults.sh) echo 40 ;;
    */fuzz.sh) echo 60 ;;
    *g6test-fake) echo 10 ;;
    *g6test) echo 150 ;;
    *) echo 3 ;;
    esac
}
keep() { # seconds, part
    awk -v part="$2" '$2 != part' "$known" >"$known.new"
    echo "$1 $2" >>"$known.new"
    mv "$known.new" "$known"
}
total=0
for part in "$@"; do total=$((total + $(estimate "$part"))); done

# A part has a process group of its own, so that all of it ends with this script, and files in a folder that goes away.
# A shell lets what it runs in the background ignore Ctrl-C; programs under test must not.
apart=
command -v setsid >/dev/null 2>&1 && apart=setsid
env --default-signal=INT,QUIT true 2>/dev/null && apart="env --default-signal=INT,QUIT $apart"
TMPDIR=$(mktemp -d) && chmod 1777 "$TMPDIR" || exit 1
export TMPDIR
group=
leave() { # exit status
    trap '' INT TERM HUP
    if [ -n "$group" ]; then
        case $apart in *setsid) kill -TERM "-$group" ;; *) kill -TERM "$group" ;; esac
        wait "$group"
    fi 2>/dev/null
    echo "tests/run.sh: stopped"
    exit "$1"
}
trap 'chmod -R u+w "$TMPDIR"; rm -rf "$TMPDIR"' EXIT
trap 'leave 130' INT
trap 'leave 143' TERM
trap 'leave 129' HUP

# Runs one part and returns its exit status; its output goes to the screen and to its log.
one() {
    log=$logs/$(basename "$1").txt
    show=cat
    case $1 in
    make:*) set -- "${MAKE:-make}" --no-print-directory "${1#make:}" ;;
    *.sh) set -- sh "$1" ;;
    *)
        show="$line_awk -v times=$logs/times -f $here/progress.awk"
        set -- sh "$here/in_shards.sh" "$1"
        ;;
    esac
    rm -f "$TMPDIR/output" && mkfifo "$TMPDIR/output"
    tee "$log" <"$TMPDIR/output" | $show &
    reader=$!
    $apart "$@" >"$TMPDIR/output" 2>&1 &
    group=$!
    wait "$group"
    status=$?
    group=
    wait "$reader"
    return "$status"
}

begin=$(now) passed=0 failed=0 names="" behind=0 k=0
for part in "$@"; do
    k=$((k + 1)) part_begin=$(now)
    # The parts that are done show how fast this machine is, compared with the estimates.
    left=$((total - behind))
    [ "$behind" -lt 30 ] || left=$((left * (part_begin - begin) / behind))
    echo "== part $k of $#: ${part#make:}; about $(((left + 59) / 60)) min left"
    estimated=$(estimate "$part")
    if one "$part"; then
        passed=$((passed + 1))
        keep $(($(now) - part_begin)) "$part"
    else
        failed=$((failed + 1)) names="$names $part"
    fi
    echo "$(($(now) - part_begin)) ${part#make:}" >>"$logs/parts"
    behind=$((behind + estimated))
done

echo
echo "Slowest parts and tests, in seconds ($(($(now) - begin)) s in all; logs in $logs):"
sort -rn "$logs/parts" "$logs/times" 2>/dev/null | head -n 10 | sed 's/^/  /'
[ -z "$names" ] || echo "failed:$names"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
