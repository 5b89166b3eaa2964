#!/bin/sh
# SPDX-License-Identifier: MIT
# A client without OpenMP of its own that loads the library, computes, and unloads it.
. "$(dirname "$0")/../script.inc"
# shellcheck disable=SC2086  # words
$CC -std=c99 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -O1 ${SAN:-} "$(dirname "$0")/unload.c" -o "$work/unload" -ldl ||
    fail "unload.c cannot be built"
# Threads that are awake when the library goes.
OMP_WAIT_POLICY=active OMP_NUM_THREADS=2 G6_BACKEND=cpu timeout 60 "$work/unload" "$(cd "$B/lib" && pwd)/libg6gpu.so" ||
    fail "status $?"
finish
