#!/bin/sh
# SPDX-License-Identifier: MIT
# Recorded sessions: what a client has recorded is replayed with the same bits, also when the client was killed, when it
# is a Fortran code, and for random sessions with every call; full disks cost the client nothing but a line.
. "$(dirname "$0")/../script.inc"
bench=$B/bin/g6bench
check=$B/bin/g6check
[ -x "$bench" ] || skip "g6bench was not built"
[ -x "$B/bin/g6run" ] || skip "g6run was not built"
folder=$(cd "$B" && pwd)
export G6_BACKEND=cpu

# Every result has the recorded bits, and there is one of each kind that is named.
replays() { # file, kinds of result
    file=$1
    shift
    "$bench" --replay "$file" >"$work/out" 2>"$work/err" || fail "$file: status $?: $(cat "$work/err")"
    awk '/^result/ { on = 1; next }
         on { for (k = 1; k <= NF; k++) if ($k ~ /^[0-9]+$/) { if ($k != $(k + 1)) exit 1; break } }' "$work/out" ||
        fail "$file: other bits: $(cat "$work/out")"
    for kind in "$@"; do grep -q "^$kind  *[1-9]" "$work/out" || fail "$file: no $kind in $(cat "$work/out")"; done
}

# ---- clients in C and Fortran: examples keep the rules of the hardware, too ----
for client in two_body two_body_f cluster own_names; do
    program=$folder/examples/$client
    [ -x "$program" ] || continue
    "$program" >"$work/plain" || fail "$client: status $?"
    G6_TRACE=$work/$client.g6t "$program" >"$work/traced" 2>"$work/err" || fail "$client, recorded: status $?"
    cmp -s "$work/plain" "$work/traced" || fail "$client: a recording changes what the client prints"
    [ -s "$work/err" ] && fail "$client: $(cat "$work/err")"
    replays "$work/$client.g6t" acc pot
    "$check" --trace "$work/$client.g6t" >"$work/out" || fail "$client breaks rules: $(cat "$work/out")"
    grep -q ', 0 kept here only$' "$work/out" || fail "$client breaks rules of the hardware: $(cat "$work/out")"
done

# ---- calls after main() has returned ----
cat >"$work/late.c" <<'END'
#include <g6lib.h>
#include <stdlib.h>
static void late(void)
{
    g6_set_ti(0, 2);
    g6_close(0);
}
int main(void)
{
    atexit(late);
    return g6_open(0) || g6_set_ti(0, 1);
}
END
# shellcheck disable=SC2086  # SAN may hold several flags
$CC ${SAN:-} -I"$(dirname "$0")/../../include" "$work/late.c" -o "$work/late" -L"$folder/lib" -lg6gpu \
    -Wl,-rpath,"$folder/lib" || fail "late.c cannot be built"
G6_TRACE=$work/late.g6t "$work/late" || fail "late.c: status $?"
"$bench" --replay "$work/late.g6t" --csv >"$work/out" || fail "late.c: replay"
grep -q '^g6_close,1,1,' "$work/out" && grep -q '^g6_set_ti,2,2,' "$work/out" && grep -q '^# 4 calls$' "$work/out" ||
    fail "late.c: $(cat "$work/out")"

# ---- a call that was refused because another thread was in one: it has recorded no number of i-particles ----
cat >"$work/busy.c" <<'END'
#include <g6lib.h>
#include <pthread.h>
#include <stdio.h>
enum { N = 4000, PIPES = 1000 };
static double x[N][3], acc[N][3], jerk[N][3], pot[N], mass[N];
static int index_[N];
static volatile int done;
static void *other(void *none)
{
    while (!done) g6calc_lasthalf(0, N, 1000, index_, x, x, 1, NULL, acc, jerk, pot), x[0][0] += 1;
    return none;
}
int main(void)
{
    static double a[PIPES][3], j[PIPES][3], p[PIPES];
    pthread_t thread;
    for (int k = 0; k < N; k++) x[k][0] = k;
    g6_open(0);
    g6_set_j_particles(0, N, NULL, NULL, NULL, mass, NULL, NULL, NULL, NULL, x);
    g6_set_nip(0, PIPES);
    g6_set_njp(0, 1);
    pthread_create(&thread, NULL, other, NULL);
    while (g6_get_force(0, a, j, p, NULL) != G6_ERR_STATE) {}
    done = 1;
    pthread_join(thread, NULL);
    return 0;
}
END
# shellcheck disable=SC2086  # SAN may hold several flags
$CC ${SAN:-} -I"$(dirname "$0")/../../include" "$work/busy.c" -o "$work/busy" -L"$folder/lib" -lg6gpu \
    -Wl,-rpath,"$folder/lib" -pthread || fail "busy.c cannot be built"
G6_LOG=none G6_TRACE=$work/busy.g6t "$work/busy" || fail "busy.c: status $?"
"$bench" --replay "$work/busy.g6t" >"$work/out" 2>"$work/err" || fail "busy.c, replay: status $?: $(cat "$work/err")"
grep -q '^g6_get_force  *[1-9]' "$work/out" || fail "busy.c: $(cat "$work/out")"

# ---- a run of g6run: times, other precisions, CSV ----
G6_TRACE=$work/run.g6t "$B/bin/g6run" --plummer 256 --seed 1 --eps 1/256 --t-end 1/64 --output "$work/run" >"$work/out" ||
    fail "g6run, recorded"
replays "$work/run.g6t" acc jerk pot
grep -q '^g6calc_firsthalf0  *[1-9]' "$work/out" || fail "times of calls: $(cat "$work/out")"
"$bench" --replay "$work/run.g6t" --precision double --csv >"$work/out" || fail "--precision double"
# Mixed differs from double, by the errors of float at most.
awk -F, '$1 == "acc" { seen = 1; if ($2 == $3 || $5 > 1e-4 || $4 > 1e-6) exit 1 } END { exit !seen }' "$work/out" ||
    fail "differences of precisions: $(cat "$work/out")"
"$bench" --replay "$work/run.g6t" --threads 2 >"$work/out" || fail "--threads"
grep -q '^acc  *\([0-9]*\)  *\1$' "$work/out" || fail "two threads: $(cat "$work/out")"
for backend in $("$B/bin/g6info" | awk '/^  [a-z]+ +[0-9]+ device/ { print $1 }'); do
    "$bench" --replay "$work/run.g6t" --backend "$backend" --csv >"$work/out" 2>"$work/err" || fail "$backend"
    grep -q "backend $backend" "$work/out" || fail "$backend: $(cat "$work/out")"
    awk -F, '$1 == "acc" { seen = 1; if ($5 > 1e-4) exit 1 } END { exit !seen }' "$work/out" ||
        fail "$backend: $(cat "$work/out")"
done
# Softenings of types reach the replay, whose bits would be others without them.
G6_TRACE=$work/types.g6t "$B/bin/g6run" --model galaxy --bodies 150 --eps 1/64 --eps-type 1=1/4 --t-end 1/64 --quiet \
    --output "$work/types" || fail "g6run with --eps-type, recorded"
replays "$work/types.g6t" acc jerk pot
grep -q '^g6_set_j_softening  *1 ' "$work/out" || fail "softenings of a replay: $(cat "$work/out")"
"$check" --trace "$work/types.g6t" >"$work/out" || fail "--eps-type breaks rules: $(cat "$work/out")"
# Any library with Fortran names: the small one of the tests.
G6_TRACE=$work/two.g6t "$folder/examples/two_body" >/dev/null 2>&1
minimal=$B/test-faulty/libg6minimal.so
if [ -f "$minimal" ] && [ -f "$work/two.g6t" ]; then
    "$bench" --replay "$work/two.g6t" --lib "$minimal" >"$work/out" 2>"$work/err" || fail "--lib: $(cat "$work/err")"
    grep -q 'not played' "$work/out" || fail "--lib: $(cat "$work/out")"
fi

# ---- random sessions with every call of the interface ----
if [ -x "$B/bin/g6fuzz" ]; then
    "$B/bin/g6fuzz" --backend cpu --seed 3000 --runs 12 --runs-per-process 1 --without memory \
        --env "trace=$work/fuzz-%p.g6t" --out "$work" >"$work/out" 2>&1 || fail "g6fuzz: $(cat "$work/out")"
    for file in "$work"/fuzz-*.g6t; do
        G6_LOG=none replays "$file"
        "$check" --trace "$file" >"$work/out" 2>&1
        [ $? -le 1 ] || fail "g6check of a random session: $(cat "$work/out")"
    done
fi

# ---- a client that is killed ----
G6_TRACE=$work/killed.g6t "$B/bin/g6run" --plummer 1024 --seed 1 --eps 1/256 --t-end 64 --output "$work/long" \
    >"$work/out" 2>&1 &
pid=$!
recorded() { [ -f "$work/killed.g6t" ] && [ "$(wc -c <"$work/killed.g6t")" -gt 1000000 ]; }
wait_until recorded
kill -9 $pid
wait $pid 2>/dev/null
replays "$work/killed.g6t" acc
grep -q 'the program was killed' "$work/out" || fail "killed: $(head -4 "$work/out")"
"$check" --trace "$work/killed.g6t" | grep -q 'was killed or still runs' || fail "g6check: killed"

# ---- no room for the file: the client computes the same, and one line tells why the recording ends ----
no_room() { # what, command
    what=$1
    shift
    "$@" >"$work/out" 2>"$work/err" || fail "$what: status $?: $(cat "$work/err")"
    [ "$(grep -c G6_TRACE "$work/err")" = 1 ] || fail "$what: $(cat "$work/err")"
}
no_room "ulimit -f" sh -c "ulimit -f 800; G6_TRACE='$work/limited.g6t' \
    '$folder/bin/g6bench' -N 64 -n 16 --repeat 200"
grep -q 'ulimit -f.* the recording ends here, the run goes on' "$work/err" || fail "ulimit: $(cat "$work/err")"
"$bench" --replay "$work/limited.g6t" >"$work/out" || fail "what a limit has left is readable"
grep -q '^acc  *[1-9]' "$work/out" || fail "what a limit has left: $(cat "$work/out")"
mkdir "$work/small"
if mount -t tmpfs -o size=64k none "$work/small" 2>/dev/null; then
    no_room "full disk" env G6_TRACE="$work/small/full.g6t" "$bench" -N 64 -n 16 --repeat 200
    grep -q 'No space left on device; the recording ends here' "$work/err" || fail "full disk: $(cat "$work/err")"
    "$bench" --replay "$work/small/full.g6t" >"$work/out" 2>&1 || fail "what a full disk has left is readable"
    umount "$work/small"
fi

# ---- command lines ----
program=$bench
refuses 1 'absent: No such file' --replay "$work/absent"
refuses 1 'is no recorded session' --replay "$bench"
refuses 2 'plays a session once' --replay "$work/run.g6t" --backend cpu,opencl
program=$check
refuses 3 'absent: No such file' --trace "$work/absent"
refuses 3 'is no recorded session' --trace "$bench"
# The page has a row for each rule.
"$check" --csv --trace "$work/run.g6t" | awk -F, '/^[a-z-]+,(kept|broken|here only),/ { print $1 }' >"$work/rules"
[ "$(wc -l <"$work/rules")" = "$(grep -c '^| [a-z]*-[a-z-]* |' "$(dirname "$0")/../../docs/trace.md")" ] ||
    fail "docs/trace.md has other rules than g6check"
while read -r rule; do
    grep -q "^| $rule |" "$(dirname "$0")/../../docs/trace.md" || fail "docs/trace.md lacks the rule $rule"
done <"$work/rules"
"$check" --csv --trace "$work/run.g6t" | grep -q '^call-refused,kept,0,0,,""$' || fail "g6check --csv"
finish
