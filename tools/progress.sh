#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs make.  In place of each compiler command it prints a line as "12 of 70  libg6gpu/core/cluster.cpp";
# commands that link or copy are left out; warnings and errors appear unchanged.
# usage: sh tools/progress.sh make ARGUMENTS...
status=$(mktemp) || exec "$@"
trap 'rm -f "$status"' EXIT
total=$("$@" -n 2>/dev/null | grep -c -e ' -c ')
[ "$total" = 0 ] || echo "compiling $total files"
{
    "$@" 2>&1
    echo $? >"$status"
} | awk -v total="$total" '
    # A line that is a command of make: a compilation is shown by the name of its source.
    / -c [^ ]+ -o / || / -c -o / {
        for (k = 1; k < NF; k++) if ($k == "-c") { printf "  %d of %d  %s\n", ++n, total, $(k + 1); fflush(); break }
        next
    }
    / -o [^ ]+/ || /^(ar|rm -f|ln -sf|awk|mkdir|echo|cp|\/usr\/bin\/ld) / || /^[a-z0-9_-]*ar rcs/ { next }
    { print; fflush() }'
exit "$(cat "$status")"
