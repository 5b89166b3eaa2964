#!/bin/sh
# SPDX-License-Identifier: MIT
# For which GPUs make builds: for those of this machine, else for A100 and H100.  The choice of the first make holds
# for later ones in the same build folder, whatever GPUs the machine then has, until the user makes another choice.
. "$(dirname "$0")/../script.inc"
grep -qs '^NV' config.mk && skip "config.mk has a choice of its own"
unset NVCC NVARCH
mkdir "$work/bin"
printf '#!/bin/sh\nexit 0\n' >"$work/bin/nvcc"
chmod +x "$work/bin/nvcc"
export PATH="$work/bin:$PATH"
gpus() { # compute capabilities
    { echo '#!/bin/sh' && printf "echo '%s'\n" "$@"; } >"$work/bin/nvidia-smi"
    chmod +x "$work/bin/nvidia-smi"
}
# What make takes: nvcc, and its options for the architectures.
take() { # settings of make
    "$MAKE" --no-print-directory -s -f Makefile -f - B="$work/b" "$@" report show >"$work/out" 2>&1 <<'END' || fail "$*: $(cat "$work/out")"
show: report ; @echo "takes: $(NVCC) | $(ARCH_FLAGS)"
END
}
takes() { # expected, settings of make
    want=$1
    shift
    take "$@"
    got=$(sed -n 's/^takes: //p' "$work/out")
    [ "$got" = "$want" ] || fail "make $*: $got, not $want"
}
two="-gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -gencode=arch=compute_90,code=compute_90"
nvcc=$work/bin/nvcc

gpus none
takes "$nvcc | $two"
grep -q 'CUDA backend for sm_80 sm_90, since this machine shows no GPU' "$work/out" || fail "not said: $(cat "$work/out")"
gpus 7.5
takes "$nvcc | $two"
rm -r "$work/b"
takes "$nvcc | -arch=sm_75"
gpus none
takes "$nvcc | -arch=sm_75"
grep -q 'since this machine' "$work/out" && fail "said of a choice that is there: $(cat "$work/out")"
takes "$nvcc | -arch=sm_100" NVARCH=sm_100
takes "$nvcc | -arch=sm_100"
takes "$nvcc | -arch=all-major" NVARCH=all-major CUDA_CHOICE=
takes "$nvcc | -arch=sm_100"
rm -r "$work/b"
gpus 9.0 8.0 9.0
takes "$nvcc | $two"
"$MAKE" --no-print-directory -n B="$work/c" NVCC= all >"$work/out" 2>&1
[ ! -e "$work/c" ] || fail "make -n writes its choice"

# Without CUDA, until somebody asks for it.
takes " | -arch=sm_80" NVCC= NVARCH=sm_80
take
grep -q '^left out: CUDA backend' "$work/out" || fail "NVCC= is forgotten: $(cat "$work/out")"
take NVCC="env $nvcc"
take
grep -q "^takes: env $nvcc |" "$work/out" || fail "NVCC is forgotten: $(cat "$work/out")"
finish
