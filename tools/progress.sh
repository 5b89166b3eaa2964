#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints make's line for a file that it begins to compile, as "  12 of 70, 2 min left  libg6gpu/core/cluster.cpp".
# usage: sh tools/progress.sh NUMBER TOTAL BEGIN FILE      BEGIN: when the first file was begun, by date +%s
left=
spent=$(($(date +%s) - $3))
# The first seconds tell little of the others.
if [ "$spent" -ge 5 ] && [ "$1" -gt 1 ] && [ "$2" -ge "$1" ]; then
    seconds=$((spent * ($2 - $1 + 1) / ($1 - 1)))
    left=", $seconds s left"
    [ "$seconds" -lt 100 ] || left=", $(((seconds + 30) / 60)) min left"
fi
echo "  $1 of $2$left  $4"
