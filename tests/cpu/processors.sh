#!/bin/sh
# SPDX-License-Identifier: MIT
# The cpu backend and the g5 calls on processors that this machine does not have, by emulation
# (QEMU, Debian: qemu-user): x86-64 with SSE2 alone (Nehalem) and with AVX2 (Haswell), and arm64
# with a library that is cross-built (Debian: g++-aarch64-linux-gnu).  A processor whose emulator or
# compiler is missing is left out, with that reason.
# usage: B=<build folder> sh tests/cpu/processors.sh [x86 | arm64]      FILTER: other tests for x86, as
# '*/cpu_*:Grape5*:FarCell*' for all that depend on the processor (hours)
. "$(dirname "$0")/../script.inc"
which=${1:-x86 arm64}
[ -z "${SAN:-}" ] || skip "a sanitizer does not run under QEMU"
export G6_BACKEND=cpu OMP_NUM_THREADS=1

# The suites that use every kernel and every output (is_sampled() in tests/physics.h), the errors of
# sums, and the g5 calls, each with the instruction set that this processor takes by itself.
suites="Accuracy CommonVelocity Force Lists Nearest Predictor Treewalk"
filter=$(for suite in $suites; do printf '%s.*/cpu_mixed:%s.*/cpu_double:' "$suite" "$suite"; done)Grape5*:FarCell*
x86() {
    command -v qemu-x86_64 >/dev/null || { echo "$script: x86 left out, no qemu-x86_64 (Debian: qemu-user)"; return; }
    [ -x "$B/bin/g6test" ] || { echo "$script: x86 left out, g6test was not built"; return; }
    for processor in Nehalem Haswell; do
        echo "$script: $processor"
        { OCL_ICD_VENDORS=/nonexistent sh "$(dirname "$0")/../in_shards.sh" qemu-x86_64 -cpu "$processor" \
            "$B/bin/g6test" --gtest_filter="${FILTER:-$filter}"; echo $? >"$work/status"; } 2>"$work/err" |
            grep --line-buffered -v 'qemu-x86_64: warning' | awk -f "$(dirname "$0")/../progress.awk"
        [ "$(cat "$work/status")" = 0 ] || fail "$processor: $(cat "$work/err")"
    done
}

arm64() {
    cross=aarch64-linux-gnu
    command -v $cross-g++ >/dev/null || { echo "$script: arm64 left out, no $cross-g++ (Debian: g++-aarch64-linux-gnu)"; return; }
    command -v qemu-aarch64 >/dev/null || { echo "$script: arm64 left out, no qemu-aarch64 (Debian: qemu-user)"; return; }
    echo "$script: arm64"
    folder=$B/arm64
    "$MAKE" --no-print-directory -j2 B="$folder" CXX=$cross-g++ CC=$cross-gcc AR=$cross-ar NVCC= OPENCL= MPI= PYTHON= FC= \
        lib "$folder/bin/g6check" >"$work/log" 2>&1 || { fail "arm64 does not build: $(tail -n 5 "$work/log")"; return; }
    grep -v '^make' "$work/log" | grep 'warning:' && fail "warnings of the arm64 compiler"
    for precision in mixed double; do
        G6_PRECISION=$precision qemu-aarch64 -L /usr/$cross "$folder/bin/g6check" --quiet --computing --jobs 2 --timeout 300 >"$work/out" 2>&1 ||
            fail "arm64, $precision: $(cat "$work/out")"
        tail -n 1 "$work/out"
    done
}

for part in $which; do "$part"; done
finish
