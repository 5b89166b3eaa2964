#!/bin/sh
# SPDX-License-Identifier: MIT
# Clients and workers under Slurm (Debian: slurm-wlm), and the job scripts of the pages as they stand there: on a cluster
# of five nodes that this test starts on this machine.  A node has a name, processes and temporary files of its own,
# since PMIx does not work with two nodes in one folder.  Its GPUs are null devices, which Slurm counts and gives to jobs.
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
[ -z "${SAN:-}" ] || skip "MPI is built without sanitizers"
[ -e "$B/lib/g6gpu/g6_mpi.so" ] && [ -x "$B/bin/g6worker" ] || skip "the MPI backend was not built"
for program in slurmctld slurmd srun salloc unshare; do
    command -v $program >/dev/null 2>&1 || skip "$program not found"
done
[ "$(id -u)" = 0 ] && unshare -m -u -p --fork true 2>/dev/null || skip "only root can start the nodes of a cluster"
folder=$(cd "$B/lib" && pwd)
worker_folder=$(cd "$B/bin" && pwd)
worker=$worker_folder/g6worker
export G6_THREADS=1 G6_LOCAL_BACKEND=cpu G6_DEBUG=divide=i
for source in bits ends; do
    $CC -std=c99 -D_POSIX_C_SOURCE=200809L -O1 -Iinclude "$here/$source.c" -o "$work/$source" \
        "-L$folder" -lg6gpu "-Wl,-rpath,$folder" || fail "$source.c cannot be built"
done

# ---- the cluster ------------------------------------------------------------------------------------
export SLURM_CONF="$work/slurm.conf"
port=$((20000 + $$ % 10000))
mkdir "$work/state" "$work/spool" "$work/tmp"
for k in 0 1 2 3 4 5 6 7; do mknod "$work/gpu$k" c 1 3 || skip "no devices can be made"; done
echo "Name=gpu File=$work/gpu[0-7]" >"$work/gres.conf"
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
GresTypes=gpu
NodeName=node[1-5] NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 5))] CPUs=32 RealMemory=100 Gres=gpu:8
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
for name in node1 node2 node3 node4 node5; do
    unshare -m -u -p --fork --mount-proc --kill-child=KILL sh -c "hostname $name
        mount -t tmpfs tmpfs '$work/spool' && mount -t tmpfs tmpfs '$work/tmp' && exec slurmd -D -N $name" >"$work/$name.log" 2>&1 &
    nodes="$nodes $!"
done
for k in $(seq 50); do
    [ "$(sinfo -h -t idle -o %D)" = 5 ] && break
    sleep 0.1
done
[ "$(sinfo -h -t idle -o %D)" = 5 ] || skip "the nodes do not start: $(cat "$work/slurmctld.log" "$work/node1.log")"
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

# ---- the job scripts of the pages ----------------------------------------------------------------------
code() { # page, text: the block of code that has it
    awk -v text="$2" '/^```/ { if (inside && index(block, text)) printf "%s", block; inside = !inside; block = ""; next }
        { block = block $0 "\n" }' "docs/$1.md"
}
program() { # name, shell commands
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"
}
mkdir "$work/bin"
PATH="$work/bin:$worker_folder:$PATH"
program kira "echo kira: \$SLURM_CPUS_PER_TASK; exec $work/bits $work/shared"
program g6worker "echo worker: \$SLURM_CPUS_PER_TASK; exec $worker"
program phigrape "echo place: \$SLURM_LOCALID \$SLURM_CPUS_PER_TASK \$G6_DEVICES; exec $work/bits $work/one.\$SLURM_PROCID"
rm -f "$work/shared"
code machines "#SBATCH hetjob" >"$work/hetjob.sh"
job 0 "the script with workers" sbatch --wait --output="$work/err" "$work/hetjob.sh"
same_bits "the script with workers"
# What a task is given, which srun does not take from the lines of sbatch.
grep -qx "kira: 16" "$work/err" && [ "$(grep -cx 'worker: 16' "$work/err")" = 4 ] || fail "cpus of the script with workers: $(cat "$work/err")"
code machines "phigrape" >"$work/own_mpi.sh"
job 0 "the script of a code with MPI" sbatch --wait --output="$work/err" "$work/own_mpi.sh"
for k in 0 1 2 3; do
    [ "$(grep -cx "place: $k 8 local" "$work/err")" = 2 ] || fail "the script of a code with MPI: $(cat "$work/err")"
done
for k in 0 1 2 3 4 5 6 7; do cmp "$work/one.0" "$work/one.$k" || fail "the script of a code with MPI: other bits"; done

# ---- a job that is queued anew ---------------------------------------------------------------------------
soon() { # what, shell command that is true then
    for k in $(seq 300); do
        eval "$2" && return
        sleep 0.1
    done
    fail "a job that is queued anew: $1: $(tail -n 5 "$work/requeue/out")"
}
if [ -x "$worker_folder/g6run" ]; then
    # What a job leaves that is killed at its first forces.
    mkdir -p "$work/requeue/run"
    : >"$work/requeue/run/table.txt.tmp"
    printf '%s\n' 'plummer = 256' 'eps = "1/64"' 't-end = 1e6' 'snapshot = 0.125' >"$work/requeue/cluster.ini"
    code tools "g6run --restart run" >"$work/requeue/job.sh"
    id=$(sbatch --parsable --chdir="$work/requeue" --output=out "$work/requeue/job.sh")
    soon "no snapshot" '[ -e "$work/requeue/run/snapshot_0001.hdf5" ]'
    scontrol requeue "$id"
    soon "not stopped" 'squeue -h -t pending -j "$id" | grep -q . && [ "$(sinfo -h -t idle -o %D)" = 5 ]'
    # Otherwise the job starts two minutes later.  slurmd counts in seconds, and refuses a start in the second of the stop.
    sleep 2
    scontrol update "jobid=$id" StartTime=now
    soon "no restart" 'grep -q "^# from the run of run/interrupted.hdf5" "$work/requeue/out"'
    : >"$work/requeue/restarted"
    soon "no snapshot after the restart" 'find "$work/requeue/run" -name "snapshot_*.hdf5" -newer "$work/requeue/restarted" | grep -q .'
    scancel "$id"
fi
finish
