#!/bin/sh
# SPDX-License-Identifier: MIT
# Clients and workers under mpirun: equal bits with any number of workers, ends of every kind, other
# programs and versions.  make check has two workers, make check-long also one and three, and more
# settings and ends.
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
MPIRUN=${MPIRUN:-mpirun}
MPICC=${MPICC:-mpicc}
[ -z "${SAN:-}" ] || skip "MPI is built without sanitizers"
[ -e "$B/lib/g6gpu/g6_mpi.so" ] || skip "the MPI backend was not built"
command -v "$MPIRUN" >/dev/null 2>&1 || skip "$MPIRUN not found (Debian: openmpi-bin)"
[ -x "$B/bin/g6worker" ] || skip "g6worker was not built"
folder=$(cd "$B/lib" && pwd)

# Open MPI: as root, with more processes than cores, and each with all cores.  From Open MPI 5 on mpirun
# is a part of PRRTE, which has settings of its own.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if "$MPIRUN" --version 2>/dev/null | grep -q "Open MPI) [1-4][.]"; then
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
else
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
    export OMPI_MCA_btl=self,sm OMPI_MCA_smsc=^cma,xpmem
fi
# mpirun of Debian 13 and Ubuntu 25.04 crashes with two commands (docs/machines.md).  Without this part
# of PMIx it does not, but then no process is told how many commands there are.
if ! timeout 60 "$MPIRUN" -n 1 true : -n 1 true >/dev/null 2>&1; then
    export PMIX_MCA_pmdl=^ompi
    timeout 60 "$MPIRUN" -n 1 true : -n 1 true >"$work/err" 2>&1 ||
        skip "$MPIRUN cannot start two commands: $(cat "$work/err")"
    echo "workers.sh: $MPIRUN crashes with two commands, tried with PMIX_MCA_pmdl=$PMIX_MCA_pmdl"
fi
export G6_THREADS=1

for source in bits ends; do
    $CC -std=c99 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -O1 -Iinclude "$here/$source.c" -o "$work/$source" \
        "-L$folder" -lg6gpu "-Wl,-rpath,$folder" || fail "$source.c cannot be built"
done
$MPICC -Wall -O1 -Iinclude "$here/own_mpi.c" -o "$work/own_mpi" "-L$folder" -lg6gpu "-Wl,-rpath,$folder" &&
    $MPICC -Wall -O1 "$here/old_worker.c" -o "$work/old_worker" || fail "clients with MPI cannot be built"
# Workers under a name of their own, so that those of this test can be counted.
worker=$work/g6worker-under-test
ln -s "$(cd "$B/bin" && pwd)/g6worker" "$worker"
job() { # seconds, arguments of mpirun
    limit=$1
    shift
    timeout "$limit" "$MPIRUN" "$@" >"$work/out" 2>"$work/err"
}
# Processes whose command lines name the workers of this test, by /proc: not every machine has pgrep.
# The name comes from a file, or grep would find itself.
echo "$worker" >"$work/name"
with_workers() {
    grep -aFlf "$work/name" /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | sort -n
}
first_worker() {
    for id in $(with_workers); do
        [ "$(tr '\0' '\n' 2>/dev/null <"/proc/$id/cmdline" | head -n 1)" = "$worker" ] && echo "$id" && return
    done
}
nobody_left() { # what ended
    for k in 1 2 3 4 5 6 7 8 9 10; do
        [ -n "$(with_workers)" ] || return
        sleep 0.3
    done
    fail "$1: a worker is left"
    # shellcheck disable=SC2046  # words
    kill -9 $(with_workers)
}

# ---- equal bits -------------------------------------------------------------------------------------
# divide=i makes all devices take part.
same_bits() { # backend, settings, kind of client, devices of the mpi backend
    what="$1 $2 ${3:-}"
    # shellcheck disable=SC2086  # words
    job 60 -n 1 env G6_BACKEND="$1" $2 "$work/bits" "$work/alone" ${3:-} || fail "$what alone: $(cat "$work/err")"
    for workers in ${LONG:+1 3} 2; do
        # shellcheck disable=SC2086  # words
        job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND="$1" G6_DEVICES="${4:-}" $2 "$work/bits" "$work/shared" ${3:-} : \
            -n $workers "$worker" --backend "$1" || fail "$what, $workers workers: $(cat "$work/err")"
        grep -q "backend mpi" "$work/err" || fail "$what, $workers workers: not on mpi: $(cat "$work/err")"
        cmp "$work/alone" "$work/shared" || fail "$what: other bits with $workers workers"
    done
}
same_bits cpu G6_DEBUG=divide=i
[ -z "$LONG" ] || same_bits cpu "G6_DEBUG=divide=i G6_PRECISION=double"
same_bits cpu G6_DEBUG=divide=i points
same_bits cpu G6_DEBUG=divide=i together
same_bits cpu G6_DIRECT=0 walks
# No device of the client is asked for: the host's tree stays on the host, and no worker counts as
# lost.
job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=cpu G6_DEVICES=1,2 G6_DIRECT=0 "$work/bits" "$work/shared" walks : \
    -n 2 "$worker" --backend cpu || fail "walks on workers alone: $(cat "$work/err")"
grep -q "cannot walk a tree on these devices" "$work/err" || fail "walks on workers alone: not told"
grep -q "failed" "$work/err" && fail "walks on workers alone: $(cat "$work/err")"
cmp "$work/alone" "$work/shared" || fail "walks on workers alone: other bits"
# Devices with trees of their own, which show in their sums whether they have had all walks.  A process
# has four of them, which it shares with the others of its machine.  Without divide=i small blocks are
# walked by one device, and the others only bring their trees up to date.
if [ -e "$B/test-backends/fakes/g6_remembers.so" ]; then
    mkdir "$work/backends" && ln -s "$folder/g6gpu/g6_mpi.so" "$work/backends"
    ln -s "$(cd "$B/test-backends/fakes" && pwd)/g6_remembers.so" "$work/backends"
    export G6_BACKEND_DIR="$work/backends"
    for debug in ${LONG:+auto} i; do
        same_bits remembers "G6_DEBUG=divide=$debug G6_DIRECT=0" walks
        same_bits remembers "G6_DEBUG=divide=$debug G6_DIRECT=0" walks-points
        same_bits remembers "G6_DEBUG=divide=$debug G6_DIRECT=200" walks
        same_bits remembers "G6_DEBUG=divide=$debug" points
        # The first device is a worker's, the client's own devices come later.
        same_bits remembers "G6_DEBUG=divide=$debug G6_DIRECT=0" walks 2,0,1
    done
    # The client's device shares its memory, and gets all particles before the worker does.
    same_bits remembers G6_DEBUG=divide=i many
    # Workers that compute nothing: of one device with another process, and of another kind of device.
    nothing() { # number of a worker, text
        [ "$(grep -c "worker $1 on .*computes nothing, since $2" "$work/err")" = 1 ] ||
            fail "worker $1, which computes nothing, is not told of once: $(cat "$work/err")"
    }
    job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=remembers "$work/bits" "$work/shared" : \
        -n 2 "$worker" --backend remembers --devices 1 || fail "idle workers: $(cat "$work/err")"
    nothing 2 "another process has the same device"
    grep -q "worker 1 on .*computes nothing" "$work/err" && fail "a worker that computes: $(cat "$work/err")"
    job 60 -n 1 env G6_LOCAL_BACKEND=remembers "$work/bits" "$work/shared" : -n 1 "$worker" --backend remembers --devices 0 : \
        -n 1 "$worker" --backend remembers --devices 99 ||
        fail "a worker with the program's device: $(cat "$work/err")"
    nothing 1 "another process has the same device"
    tells "$work/err" "g6worker: remembers device 99 is not there: .*; going on with an even share"
    job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=cpu "$work/bits" "$work/shared" : -n 1 "$worker" --backend remembers : \
        -n 1 "$worker" --backend cuda || fail "a worker of another kind: $(cat "$work/err")"
    nothing 1 "most work is done by cpu"
    tells "$work/err" "g6worker: backend cuda cannot be used; going on with the cpu"
    # A device of the client is lost in the middle of a walk: another one of the client has its tree.
    env G6_BACKEND=remembers G6_DIRECT=0 "$work/bits" "$work/alone" walks 2>"$work/err" ||
        fail "remembers alone: $(cat "$work/err")"
    job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=remembers G6_DIRECT=0 G6_DEBUG=divide=i,fault=finish:6:lost:0 \
        "$work/bits" "$work/shared" walks : -n 1 "$worker" --backend remembers --devices 1 : \
        -n 1 "$worker" --backend remembers --devices 2 || fail "a lost device of the client: $(cat "$work/err")"
    tells "$work/err" "mpi device [0-9]* failed (.*results are not affected"
    cmp "$work/alone" "$work/shared" || fail "a lost device of the client changed bits of a walk"
    unset G6_BACKEND_DIR
else
    echo "workers.sh: walks of own trees left out, g6_remembers.so was not built"
fi
# Devices of OpenCL: all of one kind, since other kinds give other bits.  On a machine with a GPU, too, these are
# processors of PoCL alone, by the loader's two lists of drivers.
vendors=${OCL_ICD_VENDORS:-} filenames=${OCL_ICD_FILENAMES:-}
mkdir "$work/vendors" && cat /etc/OpenCL/vendors/*pocl*.icd >"$work/vendors/pocl.icd" 2>/dev/null
export OCL_ICD_VENDORS="$work/vendors/" OCL_ICD_FILENAMES=
devices() { POCL_DEVICES=$1 "$B/bin/g6info" | sed -n 's/^  opencl  *\([0-9]*\) device.*/\1/p'; }
if [ "$(devices pthread)" = 1 ] && [ "$(devices "pthread pthread")" = 2 ]; then
    same_bits opencl G6_DEBUG=divide=i
    same_bits opencl G6_DEBUG=divide=auto  # a worker's part is smaller than the client's
    # A worker with two devices gets the j-particles of a block once for both.
    job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=opencl G6_DEBUG=divide=i "$work/bits" "$work/shared" : \
        -n 1 env POCL_DEVICES="pthread pthread" "$worker" --backend opencl --devices all ||
        fail "a worker with two devices: $(cat "$work/err")"
    cmp "$work/alone" "$work/shared" || fail "a worker with two devices gives other bits"
    # One worker loses its device in the middle: the others take its work.
    env G6_BACKEND=opencl G6_DEBUG=divide=i "$work/bits" "$work/alone" 2>"$work/err" || fail "$(cat "$work/err")"
    job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=opencl G6_DEBUG=divide=i "$work/bits" "$work/shared" : \
        -n 1 env G6_DEBUG=fault=start:4:lost "$worker" --backend opencl : -n 1 "$worker" --backend opencl ||
        fail "a lost device: $(cat "$work/err")"
    tells "$work/err" "mpi device 1 failed (worker 1: .*results are not affected"
    cmp "$work/alone" "$work/shared" || fail "a lost device changed bits"
else
    echo "workers.sh: OpenCL left out, no PoCL"
fi
# An empty list is not the same as none.
[ -n "$vendors" ] && OCL_ICD_VENDORS=$vendors || unset OCL_ICD_VENDORS
[ -n "$filenames" ] && OCL_ICD_FILENAMES=$filenames || unset OCL_ICD_FILENAMES

# ---- ends -------------------------------------------------------------------------------------------
# status: what the shell would give for the client alone.  Of a signal MPICH's launcher gives another one.
"$MPIRUN" --version 2>/dev/null | grep -q "Open MPI" && exact=1 || exact=0
ends() { # how, status
    job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=cpu G6_DEBUG=divide=i "$work/ends" "$1" : -n 2 "$worker" --backend cpu
    status=$?
    [ "$status" = "$2" ] || { [ $exact = 0 ] && [ "$2" -gt 128 ] && [ $status != 0 ] && [ $status != 124 ]; } ||
        fail "a client that ends by $1: status $status instead of $2: $(cat "$work/err")"
    nobody_left "a client that ends by $1"
}
ends close 0
ends abort 134
ends kill 143
if [ -n "$LONG" ]; then
    ends exit 7
    ends return 8
    ends _exit 9
fi

# ---- a signal that ends the job leaves the program time for its block ---------------------------------
if [ $exact = 1 ]; then
    # To a file: mpirun of Open MPI 5 passes nothing on after the signal.
    OMPI_MCA_odls_base_sigkill_timeout=10 PRTE_MCA_odls_base_sigkill_timeout=10 timeout 60 "$MPIRUN" \
        -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=cpu G6_DEBUG=divide=i sh -c "exec '$work/ends' save >'$work/saved'" : -n 2 "$worker" --backend cpu >"$work/out" 2>"$work/err" &
    pid=$!
    wait_until grep -q computing "$work/saved"
    launcher=$(grep -l "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3)
    [ -n "$launcher" ] && kill -TERM "$launcher" || fail "no launcher to interrupt: $(cat "$work/err")"
    wait "$pid"
    grep -q saved "$work/saved" || fail "a program that was interrupted did not end its block: $(cat "$work/err")"
    nobody_left "an interrupted job"
fi

# ---- memory of the client runs out --------------------------------------------------------------------
if [ -x "$B/bin/g6test-faults" ]; then
    [ -n "$LONG" ] && every=3 || every=50
    for spell in one error; do
        # The worker's device as the second one, and as the first one.
        for session in workers workers-turned; do
            job 120 -n 1 env G6_LOCAL_BACKEND=cpu "$B/bin/g6test-faults" --session $session --spell $spell --every $every : \
                -n 1 "$worker" --backend cpu || fail "without memory, $spell, $session: $(cat "$work/out")"
            nobody_left "a client without memory"
        done
    done
else
    echo "workers.sh: shortage of memory left out, g6test-faults was not built"
fi

# ---- a worker that gives no answer for more than two minutes is left alone, and ends with the program --
if [ -n "$LONG" ]; then
    job 240 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=cpu G6_DEVICES=1 "$work/ends" opens "$work/stopped" : \
        -n 1 "$worker" --backend cpu &
    pid=$!
    wait_until grep -q computing "$work/out"
    id=$(first_worker)
    [ -n "$id" ] && kill -STOP "$id" || fail "no worker to stop: $(cat "$work/err")"
    : >"$work/stopped"
    for k in 1 2 3 4 5 6 7 8; do wait_until grep -q saved "$work/out" && break; done
    grep -q "no answer for two minutes" "$work/err" || fail "a worker without an answer is not told: $(cat "$work/err")"
    [ -n "$id" ] && kill -CONT "$id"
    rm "$work/stopped"
    wait "$pid" || fail "a worker without an answer: status $?"
    nobody_left "a job with a worker that gave no answer"
    # The program goes on without workers, and at its end all of them end, the second one too.
    $MPICC -Wall -O1 -shared -fPIC "$here/late_worker.c" -o "$work/late_worker.so" || fail "late_worker.c cannot be built"
    job 240 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=cpu "$work/ends" close : \
        -n 1 env "LD_PRELOAD=$work/late_worker.so" "$worker" --backend cpu : -n 1 "$worker" --backend cpu ||
        fail "a worker without an offer: status $?"
    grep -q "does not say what devices it has" "$work/err" || fail "a worker without an offer is not told: $(cat "$work/err")"
    nobody_left "a job with a worker that made no offer"
fi

# ---- a worker that dies ends the job, and the launcher says which ------------------------------------
job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=cpu "$work/ends" loop : -n 2 "$worker" --backend cpu &
pid=$!
wait_until grep -q computing "$work/out"
id=$(first_worker)
[ -n "$id" ] && kill -9 "$id" || fail "no worker to kill: $(cat "$work/err")"
wait "$pid"
status=$?
[ "$status" = 124 ] && fail "the job went on after a worker had died"
[ "$status" = 0 ] && fail "a job whose worker died has status 0"
cat "$work/out" "$work/err" | tr '\n' ' ' | grep -q "on signal 9\|EXIT CODE: 9" || fail "nothing tells of the dead worker: $(cat "$work/err")"
nobody_left "a job whose worker was killed"

# ---- wrong company ------------------------------------------------------------------------------------
says() { # file, text, what
    grep -q "$2" "$work/$1" || fail "$3: $(cat "$work/$1")"
}
G6_BACKEND=mpi "$work/bits" "$work/shared" 2>"$work/err" || fail "no launcher: status $?"
says err "mpirun -n 1 PROGRAM : -n 8 g6worker" "no launcher: the command is not named"
# srun without --mpi: MPI_Init of Open MPI would end the process.
G6_LOG=info SLURM_HET_SIZE=2 SLURM_STEP_NUM_TASKS=3 SLURM_JOBID=1 SLURM_STEPID=0 "$work/bits" "$work/shared" 2>"$work/err" ||
    fail "srun without MPI: status $?"
says err "srun started this process without MPI.*srun --mpi=pmix -n 1 PROGRAM : -n 8 g6worker" "srun without MPI: not named"
G6_LOG=info SLURM_HET_SIZE=2 SLURM_STEP_NUM_TASKS=1 "$work/bits" "$work/shared" 2>"$work/err" || fail "a part of a Slurm job: status $?"
says err "is alone in its MPI job" "a part of a Slurm job: not named"
G6_BACKEND=mpi job 60 -n 1 "$work/bits" "$work/shared" || fail "no workers: status $?"
says err "mpirun -n 1 PROGRAM : -n 8 g6worker" "no workers: the command is not named"
G6_BACKEND=mpi job 60 -n 2 "$work/bits" "$work/shared" || fail "two clients: status $?"
says err "the same program\|is not a g6worker" "two clients: not named"
G6_BACKEND=mpi job 60 -n 1 "$work/bits" "$work/shared" : -n 1 "$work/old_worker" || fail "old worker: status $?"
says err "has libg6gpu 0.9.7 .*this program has [0-9.]* .*one version" "versions are not named"
says out "accepted 0: worker 1 on there has libg6gpu 0.9.7" "the old worker is not told"
"$worker" 2>"$work/err"
[ $? = 1 ] || fail "a worker without a job: status"
says err "mpirun -n 1 PROGRAM : -n 8 g6worker" "a worker without a job: the command is not named"
job 60 -n 1 "$work/own_mpi" : -n 2 "$worker" --backend cpu --patience 15
status=$?
[ "$status" = 0 ] || [ "$status" = 124 ] && fail "a client with MPI of its own among workers: status $status"
says err "uses MPI itself" "a client with MPI of its own among workers"
nobody_left "a client with MPI of its own"
job 60 -n 2 "$work/own_mpi" waits : -n 2 "$worker" --backend cpu --patience 2
status=$?
[ "$status" = 0 ] || [ "$status" = 124 ] && fail "a client that waits for workers: status $status"
says err "G6_DEVICES=local" "a client that waits for workers"
nobody_left "a client that waits for workers"
job 60 -n 2 "$work/own_mpi" waits || fail "a client with MPI and no workers: $(cat "$work/err")"
G6_BACKEND=mpi job 60 -n 1 "$work/own_mpi" ended : -n 1 "$work/own_mpi" ended ||
    fail "a client whose MPI has ended: $(cat "$work/err")"
says out "backend cpu" "a client whose MPI has ended computes"

finish
