#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the parts of the tests: scripts side by side, then GoogleTest programs, which divide their tests
# among the processors themselves.  A line ahead of each part says which of how many it is and about
# how many minutes are left, going by the times of the last run in the same build folder.  At the end
# it lists the ten slowest parts and tests, and the parts that failed.
# usage: B=<build folder> sh tests/run.sh PART...
#   PART: a script, a GoogleTest program, or make:TARGET
# LANES: how many scripts at once; otherwise one more than there are processors, because scripts often
# wait, at most four, or one alone where there is an NVIDIA GPU.
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
    */clang.sh) echo 45 ;;
    */workers.sh | */fuzz.sh) echo 60 ;;
    */package.sh | */g6plot.sh | */faults.sh | */g6check.sh) echo 40 ;;
    */site.sh | */pytest.sh | */wheel.sh | */install.sh | */driver_faults.sh) echo 20 ;;
    */recipes.sh | */g6info.sh | */commands.sh | */g6run_cli.sh | */cosmology.sh | */architectures.sh) echo 10 ;;
    *g6test-fake) echo 10 ;;
    *g6test) echo 120 ;;
    *) echo 3 ;;
    esac
}
if [ -z "${LANES:-}" ]; then
    LANES=$(($(nproc 2>/dev/null || echo 1) + 1))
    [ "$LANES" -le 4 ] || LANES=4
    [ ! -e /dev/nvidia0 ] || LANES=1
fi

# A part has a process group of its own, so that all of it ends with this script, and files in a folder that goes away.
# A shell lets what it runs in the background ignore Ctrl-C; programs under test must not.
apart=
command -v setsid >/dev/null 2>&1 && apart=setsid
env --default-signal=INT,QUIT true 2>/dev/null && apart="env --default-signal=INT,QUIT $apart"
TMPDIR=$(mktemp -d) && chmod 1777 "$TMPDIR" || exit 1
export TMPDIR
group=
end_group() {
    trap '' INT TERM HUP
    if [ -n "$group" ]; then
        case $apart in *setsid) kill -TERM "-$group" ;; *) kill -TERM "$group" ;; esac
        wait "$group"
    fi 2>/dev/null
}
lanes=
leave() { # exit status
    end_group
    for lane in $lanes; do kill -TERM "$lane"; done 2>/dev/null
    wait
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
    rm -f "$TMPDIR/output$k" && mkfifo "$TMPDIR/output$k"
    tee "$log" <"$TMPDIR/output$k" | $show &
    reader=$!
    $apart "$@" >"$TMPDIR/output$k" 2>&1 &
    group=$!
    wait "$group"
    status=$?
    group=
    wait "$reader"
    return "$status"
}

# Each lane takes the next part that no other one has taken.  All parts are in $queue, as "order estimate part", in each order
# the longest at the front: 1 for what calls make in the build folder, which one lane does, 2 for other scripts, 3 for programs.
# Those that ended are in $ended, as "seconds status estimate part".
queue=$TMPDIR/queue ended=$TMPDIR/ended begin=$(now)
for part in "$@"; do
    case $part in
    make:*) order=1 ;;
    *.sh) grep -qF 'B="$B"' "$part" && order=1 || order=2 ;;
    *) order=3 ;;
    esac
    echo "$order $(estimate "$part") $part"
done | sort -s -k 1,1n -k 2,2nr >"$queue"
: >"$ended"
lane() { # orders of the parts that this lane runs
    k=0
    while read -r order seconds part; do
        k=$((k + 1))
        case $1 in *$order*) mkdir "$TMPDIR/part$k" 2>/dev/null || continue ;; *) continue ;; esac
        part_begin=$(now)
        # The parts that are done show how fast this machine is, compared with the estimates.
        minutes=$(awk -v lanes="$LANES" -v spent=$((part_begin - begin)) '
            FILENAME == ARGV[1] { weight[$3] = $1 < 3 ? 1 / lanes : 1; all += $2 * weight[$3]; next }
            { done += $3 * weight[$4] }
            END { left = all - done; if (done >= 30) left *= spent / done; print int((left + 59) / 60) }' "$queue" "$ended")
        echo "== part $k of $parts: ${part#make:}; about $minutes min left"
        one "$part" </dev/null
        status=$?
        echo "$(($(now) - part_begin)) $status $seconds $part" >>"$ended"
    done <"$queue"
}
parts=$#
for count in $(seq "$LANES"); do
    [ "$count" = 1 ] && orders=12 || orders=2
    (trap 'end_group; exit 1' TERM; lane $orders) &
    lanes="$lanes $!"
done
for lane in $lanes; do wait "$lane"; done
lanes=
lane 3

awk '$2 == 0 { print $1, $4 }' "$ended" >"$TMPDIR/times"
awk '!($2 in seen) { seen[$2] = 1; print }' "$TMPDIR/times" "$known" >"$known.new" && mv "$known.new" "$known"
awk '{ print $1, $4 }' "$ended" >"$logs/parts"
failed=$(awk '$2 != 0 { printf " %s", $4 }' "$ended")
echo
echo "Slowest parts and tests, in seconds ($(($(now) - begin)) s in all; logs in $logs):"
sort -rn "$logs/parts" "$logs/times" 2>/dev/null | head -n 10 | sed 's/^/  /'
[ -z "$failed" ] || echo "failed:$failed"
echo "$(awk '$2 == 0' "$ended" | wc -l) passed, $(echo "$failed" | wc -w) failed"
[ -z "$failed" ]
