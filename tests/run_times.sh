#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/run.sh: the minutes that it announces are from the last run of the same parts, if there was
# one; a part that fails keeps its old time, makes the status bad, and is named at the end.  For a
# GoogleTest program it shows the reason of each skip, whether or not an empty line follows it, and
# the progress.  A signal ends the part that runs, with all its processes and files.
. "$(dirname "$0")/script.inc"
run=$(dirname "$0")/run.sh
export SHARDS=1 LANES=1
parts() {
    B=$work/build sh "$run" "$work/short.sh" "$work/long.sh" >"$work/out" 2>&1
    status=$?
}
announced() { sed -n "s/^== part $1 of 2: .*; about \([0-9]*\) min left/\1/p" "$work/out"; }
echo 'echo short' >"$work/short.sh"
echo 'sleep 2' >"$work/long.sh"

# Scripts of unknown names count 3 seconds each.
parts
[ "$status" = 0 ] || fail "status $status: $(cat "$work/out")"
[ "$(announced 1) $(announced 2)" = "1 1" ] || fail "unknown parts: $(grep == "$work/out")"
seconds=$(sed -n "s|^\([0-9]*\) $work/long.sh$|\1|p" "$work/build/test-times.txt")
[ "${seconds:-0}" -ge 2 ] && [ "$seconds" -lt 60 ] || fail "kept: $(cat "$work/build/test-times.txt")"

# Ten minutes and two, of the last run.
printf '120 %s\n600 %s\n' "$work/short.sh" "$work/long.sh" >"$work/build/test-times.txt"
echo 'exit 1' >"$work/long.sh"
parts
[ "$(announced 1)" = 12 ] || fail "not 12 minutes: $(grep == "$work/out")"
[ "$status" = 1 ] || fail "a part failed, status $status"
grep -q "^failed: $work/long.sh$" "$work/out" || fail "the failed part is not named: $(tail -n 2 "$work/out")"
grep -q "^600 $work/long.sh$" "$work/build/test-times.txt" || fail "the failed part's time: $(cat "$work/build/test-times.txt")"
grep -q "^[0-9] $work/short.sh$" "$work/build/test-times.txt" || fail "the passed part's time: $(cat "$work/build/test-times.txt")"

# Scripts run side by side: each of these two waits for the other.
for name in a b; do
    cat >"$work/$name.sh" <<END
touch $work/$name
for try in \$(seq 50); do [ -e $work/a ] && [ -e $work/b ] && exit; sleep 0.1; done
exit 1
END
done
LANES=2 B=$work/build sh "$run" "$work/a.sh" "$work/b.sh" >"$work/out" 2>&1 || fail "not side by side: $(cat "$work/out")"

for after in '' '\n'; do
    printf '[==========] Running 1 test\n[ RUN      ] A.b\na.cpp:1: Skipped\nno device\n'"$after"'[  SKIPPED ] A.b (0 ms)\n' |
        awk -f "$(dirname "$0")/progress.awk" >"$work/out"
    grep -q '^  skipped: 1, no device$' "$work/out" || fail "the reason of a skip: $(cat "$work/out")"
done

# Processes side by side: each output goes to its own test, and a failure in one of them counts.
cat >"$work/shards" <<'END'
#!/bin/sh
echo '[==========] Running 2 tests from 1 test suite.'
for name in a b; do
    echo "[ RUN      ] A.$name$GTEST_SHARD_INDEX"
    sleep 0.2
    echo "of $name$GTEST_SHARD_INDEX"
    case $name$GTEST_SHARD_INDEX in
    b1) echo "[  FAILED  ] A.$name$GTEST_SHARD_INDEX (1 ms)" ;;
    *) echo "[       OK ] A.$name$GTEST_SHARD_INDEX (1 ms)" ;;
    esac
done
[ "$GTEST_SHARD_INDEX" != 1 ]
END
chmod +x "$work/shards"
SHARDS=3 B=$work/build sh "$run" "$work/shards" >"$work/out" 2>&1 && fail "a failure in one process is lost"
grep -q '6 of 6 tests' "$work/out" || fail "tests of three processes: $(cat "$work/out")"
[ "$(grep '^of ' "$work/out")" = "of b1" ] || fail "the output of the test that failed: $(cat "$work/out")"

ended() { ! kill -0 "$1"; } # process
cat >"$work/program" <<'END'
#!/bin/sh
echo '[==========] Running 2 tests from 1 test suite.'
for name in A.a A.b; do
    printf '[ RUN      ] %s\n[       OK ] %s (1 ms)\n' $name $name
    [ $name = A.b ] || sleep 60
done
END
# What a part leaves behind when nobody ends it: a file, and a process.
cat >"$work/part.sh" <<END
. "$PWD/$(dirname "$0")/script.inc"
sleep 60 &
echo "\$! \$work"
wait
END
chmod +x "$work/program"
# nohup makes the system ignore SIGHUP, and a shell cannot trap what was ignored when it started.
signals="TERM HUP"
ignored=$(sed -n 's/^SigIgn:[^0-9a-f]*//p' /proc/self/status 2>/dev/null)
case $ignored in *[13579bdf]) signals=TERM ;; esac
for part in part.sh program; do
    for signal in $signals; do
        rm -f "$work/out"
        B=$work/build sh "$run" "$work/$part" >"$work/out" 2>&1 &
        process=$!
        case $part in
        program) wait_until grep -q '^  1 of 2 tests' "$work/out" || fail "no progress while a program runs: $(cat "$work/out")" ;;
        *) wait_until grep -q '^[0-9]* /' "$work/out" || fail "$part does not run: $(cat "$work/out")" ;;
        esac
        kill -$signal $process
        wait $process
        status=$?
        [ $status -gt 128 ] || fail "$part, $signal: status $status"
        grep '^[0-9]* /' "$work/out" | while read -r child folder; do
            wait_until ended "$child" || fail "$part, $signal: its process runs on"
            [ ! -e "$folder" ] || fail "$part, $signal: $folder is left"
            [ "$bad" = 0 ]
        done || bad=1
    done
done
finish
