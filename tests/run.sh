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
mkdir -p "$logs"
rm -f "$logs"/*
now() { date +%s; }

# Seconds that each part took when it last passed, a line "seconds part" for each.
known=$B/test-times.txt
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

# Runs one part and returns its exit status; its output goes to the screen and to its log.
one() {
    log=$logs/$(basename "$1").txt
    status=$logs/status
    case $1 in
    make:*) { ${MAKE:-make} --no-print-directory "${1#make:}" 2>&1; echo $? >"$status"; } | tee "$log" ;;
    *.sh) { sh "$1" 2>&1; echo $? >"$status"; } | tee "$log" ;;
    *) { "$1" 2>&1; echo $? >"$status"; } | tee "$log" |
        awk -v times="$logs/times" -f "$here/progress.awk" ;;
    esac
    return "$(cat "$status")"
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
