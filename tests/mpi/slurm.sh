#!/bin/sh
# SPDX-License-Identifier: MIT
# Clients and workers under Slurm (Debian: slurm-wlm): on a cluster of two nodes that this test starts on this machine.
# A node has a name, processes and temporary files of its own, since PMIx does not work with two nodes in one folder.
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
[ -z "${SAN:-}" ] || skip "MPI is built without sanitizers"
[ -e "$B/lib/g6gpu/g6_mpi.so" ] && [ -x "$B/bin/g6worker" ] || skip "the MPI backend was not built"
for program in slurmctld slurmd srun salloc unshare; do
    command -v $program >/dev/null 2>&1 || skip "$program not found"
done
[ "$(id -u)" = 0 ] && unshare -m -u -p --fork true 2>/dev/null || skip "only root can start the nodes of a cluster"
folder=$(cd "$B/lib" && pwd)
worker=$(cd "$B/bin" && pwd)/g6worker
export G6_THREADS=1 G6_LOCAL_BACKEND=cpu G6_DEBUG=divide=i
for source in bits ends; do
    $CC -std=c99 -D_POSIX_C_SOURCE=200809L -O1 -Iinclude "$here/$source.c" -o "$work/$source" \
        "-L$folder" -lg6gpu "-Wl,-rpath,$folder" || fail "$source.c cannot be built"
done

# ---- the cluster ------------------------------------------------------------------------------------
export SLURM_CONF="$work/slurm.conf"
port=$((20000 + $$ % 10000))
mkdir "$work/state" "$work/spool" "$work/tmp"
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
TmpFS=$work/tmp
SlurmctldPidFile=$work/state/slurmctld.pid
SlurmdPidFile=$work/spool/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=1
KillWait=5
NodeName=node1 NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=4 RealMemory=100
NodeName=node2 NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=4 RealMemory=100
PartitionName=all Nodes=ALL Default=YES
END
slurmctld -D >"$work/slurmctld.log" 2>&1 &
controller=$!
nodes=
stop_cluster() {
    # shellcheck disable=SC2086  # words
    kill -KILL $nodes
    kill $controller
    wait
}
trap 'stop_cluster 2>/dev/null; rm -rf "$work"' EXIT
for name in node1 node2; do
    unshare -m -u -p --fork --mount-proc --kill-child=KILL sh -c "hostname $name
        mount -t tmpfs tmpfs '$work/spool' && mount -t tmpfs tmpfs '$work/tmp' && exec slurmd -D -N $name" >"$work/$name.log" 2>&1 &
    nodes="$nodes $!"
done
for k in $(seq 50); do
    [ "$(sinfo -h -t idle -o %D)" = 2 ] && break
    sleep 0.1
done
[ "$(sinfo -h -t idle -o %D)" = 2 ] || skip "the nodes do not start: $(cat "$work/slurmctld.log" "$work/node1.log")"
srun --mpi=list 2>&1 | grep -q pmix || skip "Slurm has no PMIx"

# ---- jobs -------------------------------------------------------------------------------------------
job() { # expected status, what, command
    expected=$1 what=$2
    shift 2
    timeout --foreground -k 5 60 "$@" </dev/null >"$work/out" 2>"$work/err"
    status=$?
    [ $status = "$expected" ] || fail "$what: status $status instead of $expected: $(cat "$work/err")"
}
same_bits() { # what
    grep -q "backend mpi" "$work/err" || fail "$1: not on mpi: $(cat "$work/err")"
    cmp "$work/alone" "$work/shared" || fail "$1: other bits"
}
env G6_BACKEND=cpu "$work/bits" "$work/alone" 2>"$work/err" || fail "alone: $(cat "$work/err")"
plain="srun --mpi=pmix --kill-on-bad-exit=1 -n 1"
# shellcheck disable=SC2086  # words
{
    job 0 "srun" $plain "$work/bits" "$work/shared" : -n 2 "$worker"
    same_bits "srun"
    rm -f "$work/shared"
    job 0 "groups of a job" salloc -n 1 : -n 2 srun --mpi=pmix --het-group=0 "$work/bits" "$work/shared" : --het-group=1 "$worker"
    same_bits "groups of a job"
    # The highest status of all processes, which is the program's.
    job 7 "a client that exits" $plain "$work/ends" exit : -n 2 "$worker"
    job 134 "a client that aborts" $plain "$work/ends" abort : -n 2 "$worker"
    # Without MPI a process must not call MPI_Init, which would end it.
    job 0 "a group without MPI" salloc -n 1 : -n 2 srun --het-group=0 "$work/bits" "$work/shared"
    grep -q "backend cpu" "$work/err" || fail "a group without MPI: $(cat "$work/err")"
    job 1 "srun without MPI" srun -n 1 "$work/bits" "$work/shared" : -n 2 "$worker"
    grep -q "srun --mpi=pmix" "$work/err" || fail "srun without MPI: not named: $(cat "$work/err")"
}
finish
