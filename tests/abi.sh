#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that were linked with an earlier version of the library must run with this one.  abidiff of
# libabigail compares the calls, their arguments and the structures of the installed headers, from the
# debugging information of both versions.  New calls are allowed.
# usage: sh tests/abi.sh [COMMIT]        by default the newest tag v*

set -u
cd "$(dirname "$0")/.." || exit 1
CXX=${CXX:-g++}
old=${1:-$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null)}
[ -n "$old" ] || { echo "abi: no commit was named (make abi OLD=COMMIT), and no tag v* is there"; exit 1; }
command -v abidiff >/dev/null || { echo "abi: abidiff is missing (Debian: abigail-tools)"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/old" || exit 1
git archive "$old" include libg6gpu fortran | tar x -C "$work/old" || { echo "abi: no commit $old"; exit 1; }

# What is exported, of the tree in folder $1, without the rest of the library: $2.so.
exports_of() {
    mkdir "$2" || return 1
    for source in "$1"/libg6gpu/api/*.cpp "$1"/fortran/*.cpp; do
        $CXX -std=c++17 -I"$1/include" -g -O0 -fPIC -fvisibility=hidden -c "$source" -o "$2/$(basename "$source").o" || return 1
    done
    $CXX -shared -Wl,-soname,libg6gpu.so.1 "-Wl,--version-script=$1/libg6gpu/exports.map" "$2"/*.o -o "$2.so"
}

exports_of "$work/old" "$work/before" && exports_of . "$work/now" ||
    { echo "abi: the sources of the calls do not compile"; exit 1; }
abidiff --headers-dir1 "$work/old/include" --headers-dir2 include --drop-private-types --no-added-syms \
    "$work/before.so" "$work/now.so" && { echo "abi: programs that were linked with $old run with this version"; exit 0; }
echo "abi: programs that were linked with $old may not run with this version.  Of the changes above only new members"
echo "at the end of a structure are allowed, where callers set its member size."
exit 1
