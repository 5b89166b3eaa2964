#!/bin/sh
# SPDX-License-Identifier: MIT
# Manual pages from the sources of truth: a tool's own --help, the header, g6info's settings.
# usage: sh docs/man.sh PAGE VERSION FOLDER_OF_TOOLS > PAGE      PAGE: g6info.1 ... g6lib.3
set -eu
page=$1 version=$2 bin=$3
here=$(dirname "$0")
name=${page%.?}
escape() { sed 's/\\/\\e/g; s/-/\\-/g; s/^[.'"'"']/\\\&&/'; }

also() {
    printf '.SH SEE ALSO\n'
    for other in g6info:1 g6bench:1 g6check:1 g6run:1 g6plot:1 g6worker:1 g6lib:3; do
        [ "${other%:?}" = "$name" ] || echo ".BR ${other%:?} (${other#*:}),"
    done | sed '$s/,$//'
}

if [ "$name" = g6lib ]; then
    awk -v version="$version" -f "$here/man.awk" "$here/../include/g6lib.h"
    printf '.SH ENVIRONMENT\n'
    # Name and values of each setting, then its meaning; the values in force here do not belong in.
    env -i PATH="$PATH" "$bin/g6info" | awk '
        /^Settings in force/ { on = 1; next }
        /^$/ { on = 0 }
        on && /^  G6_/ { name = $1; sub(/^[^(]*\(empty\)/, ""); sub(/^[^(]*/, "")
                         print ".TP\n.B " name "\n" $0; next }
        on { sub(/^ */, ""); print }' | sed 's/-/\\-/g'
    also
    exit
fi

case $name in
g6info) what="what libg6gpu is, found here, and is set to" ;;
g6bench) what="times GRAPE-6 libraries on the calls of a block-step code" ;;
g6check) what="checks a GRAPE-6 library against the rules of its interface" ;;
g6run) what="integrates a star cluster with libg6gpu" ;;
g6worker) what="gives the devices of its machine to a client of libg6gpu" ;;
g6plot) what="draws runs and snapshots of g6run" ;;
*) echo "man.sh: no page $page" >&2; exit 1 ;;
esac
printf '.TH %s 1 "" "libg6gpu %s" "GRAPE\\-6 interface"\n' "$(echo "$name" | tr a-z A-Z)" "$version"
printf '.SH NAME\n%s \\- %s\n' "$name" "$(echo "$what" | escape)"
printf '.SH DESCRIPTION\n.nf\n'
env -i PATH="$PATH" "$bin/$name" --help | escape
printf '.fi\n'
[ "$name" = g6plot ] || printf '.SH ENVIRONMENT\nThe settings G6_... of\n.BR g6lib (3)\nhold for the library that is used.\n'
also
