#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests of a GoogleTest program in several processes at once, each of which has its share of
# the tests.  Each line of their output begins with "@K@", K being the number of the process.
# usage: sh tests/in_shards.sh PROGRAM [ARGUMENT...]
# TESTS: a filter of GoogleTest
# SHARDS: how many; otherwise one for each processor, at most four, or one alone where there is an
# NVIDIA GPU, whose whole memory some tests take.
[ -z "${TESTS:-}" ] || export GTEST_FILTER="$TESTS"
processors=$(nproc 2>/dev/null || echo 1)
[ "$processors" -le 4 ] || processors=4
[ ! -e /dev/nvidia0 ] || processors=1
n=${SHARDS:-$processors}
failed=$(mktemp) || exit 1
trap 'rm -f "$failed"' EXIT
k=0
while [ "$k" -lt "$n" ]; do
    { GTEST_TOTAL_SHARDS=$n GTEST_SHARD_INDEX=$k "$@" 2>&1 || echo "$k" >>"$failed"; } | sed -u "s/^/@$k@/" &
    k=$((k + 1))
done
wait
[ ! -s "$failed" ]
