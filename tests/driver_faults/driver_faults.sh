#!/bin/sh
# SPDX-License-Identifier: MIT
# Sessions in which calls of the OpenCL and CUDA drivers fail, on the devices of this machine: each call gives right results
# or a status with its text, and nothing is lost or left over.  In make check, one call of each function fails, in one
# session; with FAULT_STRIDE=N every N-th call fails.  FAULT_BACKENDS, FAULT_SESSION and FAULT_KIND restrict the test;
# FAULT_RUN is a command in front, as compute-sanitizer.
. "$(dirname "$0")/../script.inc"
program=$B/bin/g6test-driver-faults
folder=$B/test-backends/driver_faults
how=${FAULT_STRIDE:+--stride $FAULT_STRIDE}
[ -n "$how$LONG" ] || FAULT_SESSION=${FAULT_SESSION:-hermite}
session="${FAULT_SESSION:+--session $FAULT_SESSION} ${FAULT_KIND:+--fault $FAULT_KIND}"
[ -x "$program" ] || skip "the program is not built"
here() { "$B/bin/g6info" 2>/dev/null | grep -q "^  $1  *[1-9][0-9]* device"; }

# A call that the backend makes and the wrapper lacks could not fail.
compare_names() { # of the backend, of the wrapper
    missing=$(sort -u "$1" | grep -vxFf "$2")
    [ -z "$missing" ] || fail "not wrapped: $missing"
}

opencl() {
    nm -D --undefined-only "$B/lib/g6gpu/g6_opencl.so" | sed -n 's/.* U \(cl[A-Z][A-Za-z]*\).*/\1/p' >"$work/calls"
    nm -D --defined-only "$folder/libopencl_calls.so" | sed -n 's/.* T \(cl[A-Z][A-Za-z]*\)$/\1/p' >"$work/wrapped"
    compare_names "$work/calls" "$work/wrapped"
    # As the device is; as one without doubles, and with the kernels for GPUs.
    others=${FAULT_STRIDE:+opencl_fp64=0 opencl_shape=16x4x2}
    for variant in opencl_fp64=1 $others; do
        echo "-- $variant"
        env G6_DEBUG=$variant G6_BACKEND_DIR="$B/lib/g6gpu" LD_PRELOAD="$folder/libopencl_calls.so" \
            ${FAULT_RUN:-} "$program" opencl ${how:---few} $session || fail "opencl, $variant"
    done
    LD_PRELOAD="$folder/libopencl_calls.so" "$program" reserve "$B/lib/g6gpu/g6_opencl.so" || fail "opencl, reserve()"
    # Transfers of a walk's results that fail once they are queued.
    [ -n "$how$LONG" ] || [ "$FAULT_SESSION" != hermite ] ||
        G6_BACKEND_DIR="$B/lib/g6gpu" LD_PRELOAD="$folder/libopencl_calls.so" \
            "$program" opencl --session treewalk --fault late || fail "opencl, walks"
    # Two devices, of which one goes on alone where the other has no memory.
    here_twice=$(POCL_DEVICES="pthread pthread" "$B/bin/g6info" 2>/dev/null | grep -c '^  opencl  *2 devices')
    [ -n "$session" ] && [ "$session" != " " ] || [ "$here_twice" = 0 ] ||
        POCL_DEVICES="pthread pthread" G6_BACKEND_DIR="$B/lib/g6gpu" LD_PRELOAD="$folder/libopencl_calls.so" \
            "$program" opencl --call clCreateBuffer --session shared --fault memory || fail "opencl, two devices"
}

cuda() {
    nm -u "$B"/obj/backends/cuda/*.o | sed -E -n 's/^ *U (cuda[A-Z]\w*|__cudaLaunch\w*)$/\1/p' |
        grep -vx cudaGetErrorString >"$work/calls"
    nm "$folder/g6_cuda.so" | sed -n 's/.* [Tt] __wrap_//p' >"$work/wrapped"
    compare_names "$work/calls" "$work/wrapped"
    G6_BACKEND_DIR=$folder ${FAULT_RUN:-} "$program" cuda ${how:---few} $session || fail cuda
    # One of several devices is lost, at each of the driver's functions; the others go on.
    "$B/bin/g6info" | grep -q '^  cuda  *[0-9]* devices' || return 0
    G6_BACKEND_DIR=$folder "$program" cuda ${how:---few} --session shared --fault alone || fail "cuda, one of several"
}

for backend in ${FAULT_BACKENDS:-opencl cuda}; do
    if here "$backend"; then "$backend"; else echo "$script: no $backend device"; fi
done
finish
