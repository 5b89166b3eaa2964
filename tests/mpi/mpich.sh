#!/bin/sh
# SPDX-License-Identifier: MIT
# The tests of workers.sh with MPICH, where it is installed beside Open MPI (Debian: libmpich-dev mpich).
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
for program in mpicxx mpicc mpirun; do
    command -v $program.mpich >/dev/null 2>&1 || skip "$program.mpich not found"
done
[ -x "$B/bin/g6worker" ] || skip "g6worker was not built"
[ -z "${SAN:-}" ] || skip "MPI is built without sanitizers"
"$MAKE" --no-print-directory B="$B" L="$work/lib" O="$work/obj" MPICXX=mpicxx.mpich BACKEND_FOLDERS=backends/mpi \
    "$work/lib/g6gpu/g6_mpi.so" >"$work/log" 2>&1 || fail "$(tail -n 5 "$work/log")"
G6_BACKEND_DIR=$work/lib/g6gpu MPIRUN=mpirun.mpich MPICC=mpicc.mpich sh "$here/workers.sh" || bad=1
finish
