#!/bin/sh
# SPDX-License-Identifier: MIT
# A build without NVARCH has code for each major architecture from 7.0 on that the toolkit knows, and PTX of the last
# one.  This holds also if the toolkit knows earlier architectures.
# CUDA sources with code for only some compute capabilities compile for the others too: a build without NVARCH makes code
# for all of them on a machine without a GPU, while tests use the code of one GPU.  make check-long compiles them.
. "$(dirname "$0")/../script.inc"
# What toolkits list, of CUDA 12.4, 12.8 and 13.0, and the code that a build must have.
code() { # numbers of --list-gpu-arch
    printf '#!/bin/sh\n[ "$1" = --list-gpu-arch ] && printf "compute_%%s\\n" %s\n' "$*" >"$work/nvcc"
    chmod +x "$work/nvcc"
    # shellcheck disable=SC2046  # words on one line
    echo $("$MAKE" -n --no-print-directory B="$work/build" NVCC="$work/nvcc" NVARCH=all-major OPENCL= MPI= "$work/build/obj/backends/cuda/reduce.o" 2>"$work/log" |
        grep -- ' -c ' | tr ' ' '\n' | sed -n 's/^-gencode=arch=compute_\([0-9]*\),code=/\1:/p; s/^-arch=/arch:/p')
}
[ "$(code 50 52 53 60 61 62 70 72 75 80 86 87 89 90)" = "70:sm_70 80:sm_80 90:sm_90 90:compute_90" ] || fail "CUDA 12.4: $(cat "$work/log")"
[ "$(code 120 50 60 70 75 80 90 100 101)" = "70:sm_70 80:sm_80 90:sm_90 100:sm_100 120:sm_120 120:compute_120" ] || fail "CUDA 12.8: $(cat "$work/log")"
[ "$(code 75 80 86 90 100 103 110 120 121)" = "75:sm_75 80:sm_80 90:sm_90 100:sm_100 110:sm_110 120:sm_120 120:compute_120" ] || fail "CUDA 13.0: $(cat "$work/log")"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || nvcc=
[ -n "$LONG" ] || finish
[ -n "$nvcc" ] || echo "$script: nothing is compiled, no nvcc"
for source in ${nvcc:+$(grep -l __CUDA_ARCH__ backends/cuda/*.cu)}; do
    for architecture in sm_70 sm_75 sm_80 sm_90 sm_100; do
        "$nvcc" --list-gpu-code | grep -qx "$architecture" || continue
        # -O0: optimisation by ptxas would take most of the time.
        "$nvcc" -std=c++17 -arch="$architecture" -fmad=false -Iinclude -Xptxas -O0 -c "$source" -o "$work/object.o" \
            >"$work/log" 2>&1 || fail "$source for $architecture: $(grep -m 3 error "$work/log")"
    done
done
finish
