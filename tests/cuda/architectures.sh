#!/bin/sh
# SPDX-License-Identifier: MIT
# CUDA sources with code for only some compute capabilities compile for the others, too: a build without NVARCH makes
# code for all of them on a machine without a GPU, while tests use that of one GPU.
. "$(dirname "$0")/../script.inc"
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || skip "no nvcc"
for source in $(grep -l __CUDA_ARCH__ backends/cuda/*.cu); do
    for architecture in sm_75 sm_80 sm_90 sm_100; do
        "$nvcc" --list-gpu-code | grep -qx "$architecture" || continue
        # -O0: optimisation by ptxas would take most of the time.
        "$nvcc" -std=c++17 -arch="$architecture" -fmad=false -Iinclude -Xptxas -O0 -c "$source" -o "$work/object.o" \
            >"$work/log" 2>&1 || fail "$source for $architecture: $(grep -m 3 error "$work/log")"
    done
done
finish
