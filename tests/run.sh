#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the parts of the tests one after the other.  A line ahead of each part says which of how many
# it is and about how many minutes are left.  At the end it lists the ten slowest parts and tests, and
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

# Seconds that a part takes on two idle cores.
estimate() {
    case $1 in
    */install.sh) echo 10 ;;
    */package.sh) echo 25 ;;
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
    if one "$part"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) names="$names $part"
    fi
    echo "$(($(now) - part_begin)) ${part#make:}" >>"$logs/parts"
    behind=$((behind + $(estimate "$part")))
done

echo
echo "Slowest parts and tests, in seconds ($(($(now) - begin)) s in all; logs in $logs):"
sort -rn "$logs/parts" "$logs/times" 2>/dev/null | head -n 10 | sed 's/^/  /'
[ -z "$names" ] || echo "failed:$names"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
