#!/bin/sh
# SPDX-License-Identifier: MIT
# The protocol of backends/cuda/few.h without a GPU: few_protocol.cpp says how.  It takes CUDA's
# headers, and the host's files of the backend.
# usage: sh tests/cuda/few_protocol.sh
. "$(dirname "$0")/../script.inc"
cd "$(dirname "$0")/../.." || exit 1
. tests/cuda/headers.inc
for source in tests/cuda/few_protocol.cpp backends/cuda/few_step.cpp backends/cuda/results.cpp \
    backends/cuda/i_particles.cpp backends/cuda/j_particles.cpp; do
    # shellcheck disable=SC2086  # a command with its words
    $CXX -std=c++17 -O1 -ffunction-sections -I. -Iinclude -isystem "$headers" -c "$source" \
        -o "$work/$(basename "$source" .cpp).o" || fail "$source does not compile"
done
# Functions that no step of the test reaches have no definition here.
# shellcheck disable=SC2086
$CXX "$work"/*.o "$B/lib/libg6gpu.a" -o "$work/few_protocol" -no-pie -Wl,--gc-sections \
    -Wl,--unresolved-symbols=ignore-all -Wl,-z,lazy -pthread -ldl || fail "it does not link"
steps=40000
[ -z "$LONG" ] || steps=400000
for seed in 1 2 ${LONG:+3 4 5 6 7 8}; do
    "$work/few_protocol" "$steps" "$seed" >"$work/out" 2>&1 || fail "seed $seed: $(cat "$work/out")"
    cat "$work/out"
done
finish
