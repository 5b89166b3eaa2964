#!/bin/sh
# SPDX-License-Identifier: MIT
# How a run of g6run ends: impossible particles or energies, signals, closed pipes, full disks.
. "$(dirname "$0")/../script.inc"
use_g6run

program=$run
ends() { # status, part of what stderr says, arguments
    want=$1 part=$2
    shift 2
    refuses "$want" "^g6run: .*$part" "$@"
}

# ---- two bodies in one place ----
printf '0.5 1 0 0 0 0 0\n0.25 0 0 0 0 1 0\n0.25 1 0 0 0 -1 0\n' >twins.txt
ends 3 'particles 1 and 3 are in the same place' --input twins.txt --output twins
[ -e twins ] && fail "two bodies in one place: a folder was made"
runs --input twins.txt --eps 1/16 --quiet --output twins
# Bodies without mass do not attract each other, wherever they are.
printf '1 1 0 0 0 0 0\n0 0 0 0 0 1 0\n0 0 0 0 0 1 0\n1 -1 0 0 0 0 0\n' >probes.txt
runs --input probes.txt --t-end 1/8 --quiet --output probes

# ---- coordinates whose squares are infinite ----
printf '1 0 0 0 0 0 0\n1 1e200 0 0 0 0 0\n' >far.txt
ends 3 'particle 2: position is beyond 1e150' --input far.txt --output far
printf '1 0 0 0 0 0 0\n1 0 0 1 0 0 -1e160\n' >fast.txt
ends 3 'particle 2: velocity is beyond 1e150' --input fast.txt --output fast
[ -e far ] || [ -e fast ] && fail "coordinates of 1e200: a folder was made"

# ---- an energy that is off: mass 1 with two bodies on a path that a step of 1/8 cannot follow ----
printf '0.5 0.5 0 0 0 0.1 0\n0.5 -0.5 0 0 0 -0.1 0\n' >plunge.txt
plunge="--input plunge.txt --method treecode --dt 1/8 --t-end 4 --quiet"
ends 3 'dE/E| = .* is above --max-error 0.01; try' $plunge --output percent
ends 3 'dE/E| = .* is above --max-error 1; try' $plunge --max-error 1 --snapshot 1/8 --output plunge
at=$(sed -n 's/^g6run: the particles of t = \([0-9.]*\), the last good ones, are in .*/\1/p' err)
[ -n "$at" ] || fail "an energy that is off: $(cat err)"
# The last line of the table is the one that is wrong, the snapshots end before it.
grep -v '^#' plunge/table.txt | awk -v at="$at" '{ was = now; now = $1; e = $3 < 0 ? -$3 : $3 }
    END { exit !(e > 1 && was == at) }' || fail "an energy that is off: $(tail -3 plunge/table.txt)"
last=$(ls plunge | grep snapshot | tail -1)
cmp "plunge/$last" plunge/last_good.hdf5 && [ "$(grep -vc '^#' plunge/table.txt)" -gt 2 ] ||
    fail "last_good.hdf5 is not the last snapshot"
runs $plunge --max-error 1e9 --output on
grep -q '^ *4 ' on/table.txt || fail "--max-error 1e9 does not go on: $(tail -3 on/table.txt)"
# From the good particles the run goes wrong likewise, unless more is allowed.
ends 3 'above --max-error 1' --restart plunge/last_good.hdf5 --output again
runs --restart plunge/last_good.hdf5 --max-error 1e9 --quiet --output again --overwrite
ends 3 'above --max-error 1e-14' --plummer 64 --eps 1/64 --max-error 1e-14 --quiet --output strict
ends 2 'max-error must be positive' --plummer 64 --max-error 0
# Two bodies of 1/2 on a parabola, of distance 10 at the start and 0.01 at t = 14.9: the energy is that of rounding errors,
# and the errors of the steps grow with the potential energy, 25 at the pericentre.
printf '0.5 5 0 0 -0.2234949663862701 0.0070710678118654752 0\n0.5 -5 0 0 0.2234949663862701 -0.0070710678118654752 0\n' >parabola.txt
runs --input parabola.txt --t-end 40 --table 1/8 --quiet --output parabola
tail -1 parabola/table.txt | awk '{ exit !($5 < 1e-3) }' || fail "a parabola: $(tail -1 parabola/table.txt)"

# ---- signals: the last particles are kept ----
sphere="--plummer 256 --eps 1/64 --snapshot 1/8 --quiet" long="$sphere --t-end 4096"
# Whoever starts the tests may ignore SIGHUP, which a run would inherit.
fresh=
env --default-signal=HUP true 2>/dev/null && fresh="env --default-signal=HUP"
for signal in INT TERM HUP; do
    # shellcheck disable=SC2086  # words
    # The shell starts background jobs deaf to SIGINT, but g6run sets its own action.
    $fresh "$run" $long --output stop$signal 2>err &
    pid=$!
    wait_until [ -e stop$signal/snapshot_0000.hdf5 ]
    sleep 0.1
    kill -$signal $pid
    wait $pid
    got=$?
    [ $got = 130 ] || fail "SIG$signal: status $got"
    grep -q "g6run: stopped at t = .*g6run --restart stop$signal/interrupted.hdf5" err || fail "SIG$signal: $(cat err)"
    find stop$signal -name '*.tmp' | grep -q . && fail "SIG$signal left an unfinished file"
    [ "$(head -n 1 err)" = "g6run: stopping after this step; again: at once" ] || fail "SIG$signal: $(cat err)"
done
# The run goes on to the next multiple of 1/8 that lies at least one such step ahead, as if nothing had stopped it.
end=$(awk '/stopped at t = / { t = $6 } END { print (int(8 * t) + 2) / 8 }' err)
runs --restart stopHUP/interrupted.hdf5 --t-end "$end" --quiet
runs $sphere --t-end "$end" --output whole
tail -n 1 stopHUP/table.txt | grep -q '^# interrupted.hdf5, .*may be deleted$' || fail "interrupted.hdf5 is left without a word"
for folder in stopHUP whole; do grep -v '^#' $folder/table.txt | cut -c 1-89 >$folder.rows; done
cmp stopHUP.rows whole.rows || fail "the table after SIGHUP differs"
(
    trap '' HUP # as nohup does
    exec "$run" $long --output deaf 2>err
) &
pid=$!
wait_until [ -e deaf/snapshot_0000.hdf5 ]
ends 1 'deaf: another g6run is writing there' $long --overwrite --output deaf
ends 1 'deaf: another g6run is writing there' --restart deaf --overwrite --quiet
kill -HUP $pid
sleep 0.3
kill -0 $pid 2>/dev/null || fail "a run under nohup ended by SIGHUP: $(cat err)"
kill -TERM $pid
wait $pid

# ---- the first forces, on a terminal ----
if command -v script >/dev/null 2>&1; then
    echo "echo \$\$ >first.pid; exec '$run' --plummer 65536 --eps 1/64 --t-end 1/8 --output forces" >first.sh
    script -qefc 'sh first.sh' first.txt </dev/null >/dev/null 2>&1 &
    pid=$!
    wait_until grep -q 'first forces of 65536 particles  [0-9]* %  [0-9]*:[0-9][0-9] left' first.txt ||
        fail "no progress of the first forces: $(cat first.txt)"
    kill -TERM "$(cat first.pid)"
    wait $pid
    got=$?
    [ $got = 130 ] || fail "SIGTERM at the first forces: status $got, $(cat first.txt)"
    grep -q 'g6run: stopping after this step' first.txt || fail "not acknowledged: $(cat first.txt)"
    grep -q 'g6run: stopped at its first forces' first.txt || fail "not ended there: $(cat first.txt)"
fi

# ---- a pipe that nobody writes to, and one that somebody does ----
mkfifo pipe
"$run" --input pipe --quiet --output piped 2>err &
pid=$!
sleep 0.3
kill -TERM $pid
is_gone() { ! kill -0 $pid; }
wait_until is_gone || fail "a run that waits for a pipe does not end by SIGTERM"
kill -KILL $pid 2>/dev/null
wait $pid
cat plunge.txt >pipe &
timeout 20 "$run" --input pipe --t-end 1/8 --quiet --output piped || fail "a pipe: status $?"

# ---- a reader that has enough ----
{
    sleep 0.3 # the reader is gone
    timeout 60 "$run" --plummer 64 --eps 1/64 --output headed 2>err
} | head -n 0
[ "$(grep -vc '^#' headed/table.txt)" = 9 ] && [ -e headed/snapshot_0001.hdf5 ] ||
    fail "| head: $(ls headed) $(tail -1 headed/table.txt)"
[ "$(grep -c 'standard output takes no more' err)" = 1 ] || fail "| head: $(cat err)"

# ---- closed descriptors: what was for the terminal goes into no file ----
"$run" --plummer 64 --eps 1/64 --output shut >&- 2>err
[ $? = 1 ] || fail "stdout is closed: the status is not 1"
grep -q 'standard output takes no more (Bad file descriptor)' err || fail "stdout is closed: $(cat err)"
[ "$(grep -vc '^#' shut/table.txt)" = 9 ] || fail "stdout is closed: $(cat shut/table.txt)"
"$run" $plunge --output mute 2>&-
[ $? = 3 ] || fail "stderr is closed: the status is not 3"
grep 'g6run: ' mute/table.txt && fail "stderr is closed: its messages are in the table"
"$run" --plummer 64 --eps 1/64 --t-end 1/8 --quiet --output quiet <&- >&- 2>&- ||
    fail "all is closed, --quiet: status $?"

# ---- --overwrite where the disk gets full: the old files stay ----
runs --plummer 64 --eps 1/64 --t-end 1/2 --snapshot 1/8 --quiet --output old
cksum old/* >before
(
    trap '' XFSZ
    ulimit -f 40 # blocks of 512 bytes
    "$run" --plummer 1024 --t-end 1/8 --quiet --output old --overwrite 2>err
    [ $? = 1 ] && "$run" --plummer 1024 --t-end 1/8 --quiet --output full 2>>err
    [ $? = 1 ]
) || fail "a full disk: the status is not 1"
[ "$(grep -c '^g6run: .*hdf5.tmp:\(/[^ ]*:\)* cannot be written' err)" = 2 ] || fail "a full disk: $(cat err)"
find full -name 'snapshot*' | grep -q . && fail "a full disk: $(ls full)"
cksum old/* | cmp before - || fail "--overwrite on a full disk changed the old files"
runs --plummer 64 --eps 1/64 --t-end 1/8 --quiet --output old --overwrite
[ "$(ls old | tr '\n' ' ')" = 'snapshot_0000.hdf5 snapshot_0001.hdf5 table.txt ' ] ||
    fail "--overwrite left: $(ls old)"

finish
