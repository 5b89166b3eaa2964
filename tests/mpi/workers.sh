#!/bin/sh
# SPDX-License-Identifier: MIT
# Clients and workers under mpirun: equal bits with any number of workers, ends of every kind, wrong
# company.
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
MPIRUN=${MPIRUN:-mpirun}
MPICC=${MPICC:-mpicc}
[ -z "${SAN:-}" ] || skip "MPI is built without sanitizers"
[ -e "$B/lib/g6gpu/g6_mpi.so" ] || skip "the MPI backend was not built"
command -v "$MPIRUN" >/dev/null 2>&1 || skip "$MPIRUN not found (Debian: openmpi-bin)"
[ -x "$B/bin/g6worker" ] || skip "g6worker was not built"
folder=$(cd "$B/lib" && pwd)

# Open MPI: as root, with more processes than cores, and each with all cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
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
nobody_left() { # what ended
    for k in 1 2 3 4 5 6 7 8 9 10; do
        pgrep -f "$worker" >/dev/null || return
        sleep 0.3
    done
    fail "$1: a worker is left"
    pkill -9 -f "$worker"
}

# ---- equal bits -------------------------------------------------------------------------------------
# divide=i makes all devices take part, divide=j deals the j-particles out.
same_bits() { # backend, settings, kind of client
    what="$1 $2 ${3:-}"
    # shellcheck disable=SC2086  # words
    env G6_BACKEND="$1" $2 "$work/bits" "$work/alone" ${3:-} 2>"$work/err" || fail "$what alone: $(cat "$work/err")"
    for workers in 1 2 3; do
        # shellcheck disable=SC2086  # words
        job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND="$1" $2 "$work/bits" "$work/shared" ${3:-} : \
            -n $workers "$worker" --backend "$1" || fail "$what, $workers workers: $(cat "$work/err")"
        grep -q "backend mpi" "$work/err" || fail "$what, $workers workers: not on mpi: $(cat "$work/err")"
        cmp "$work/alone" "$work/shared" || fail "$what: other bits with $workers workers"
    done
}
same_bits cpu G6_DEBUG=divide=i
same_bits cpu "G6_DEBUG=divide=i G6_PRECISION=double"
same_bits cpu G6_DEBUG=divide=i points
same_bits cpu "" walks

# ---- ends -------------------------------------------------------------------------------------------
# status: what the shell would give for the client alone, where the launcher can tell.
ends() { # how, status
    job 60 -n 1 env G6_BACKEND=mpi G6_LOCAL_BACKEND=cpu G6_DEBUG=divide=i "$work/ends" "$1" : -n 2 "$worker" --backend cpu
    status=$?
    [ "$status" = "$2" ] || fail "a client that ends by $1: status $status instead of $2: $(cat "$work/err")"
    nobody_left "a client that ends by $1"
}
ends close 0
ends exit 7
ends return 8
ends abort 134
ends kill 143
ends _exit 9

finish
