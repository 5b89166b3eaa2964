#!/bin/sh
# SPDX-License-Identifier: MIT
# `sudo make install` after a user's `make`: root builds nothing and writes nothing into the user's build folder.  When
# something is to be built, it says who must do that, and installs nothing.
. "$(dirname "$0")/../script.inc"
[ "$(id -u)" = 0 ] || skip "needs root"
owner=$(getent passwd 65534 | cut -d: -f1)
[ -n "$owner" ] || skip "there is no user 65534"

"$MAKE" --no-print-directory B="$B" all >"$work/log" 2>&1 || { fail "make: $(tail -n 5 "$work/log")"; exit 1; }
mkdir "$work/build"
for part in obj lib bin compat man completion share; do
    cp -a "$B/$part" "$work/build/" || { fail "no build in $B"; exit 1; }
done
chown -R 65534 "$work/build"
install() { # folder, make's arguments
    to=$1
    shift
    "$MAKE" --no-print-directory B="$work/build" PREFIX=/opt/g6 LIBDIR=/opt/g6/lib DESTDIR="$to" install "$@" >"$work/log" 2>&1
}
files() { find "$work/build" -printf '%p %U %s %T@ %C@\n' | sort; }

files >"$work/before"
install "$work/right" COMPAT=1 || fail "make install: $(tail -n 5 "$work/log")"
for name in lib/libg6gpu.so lib/libsapporo.so bin/g6info share/man/man3/g6lib.3; do
    [ -f "$work/right/opt/g6/$name" ] || fail "not installed: $name"
done
install "$work/wrong" CPPFLAGS=-DANOTHER && fail "root builds with other flags in a user's folder"
grep -q "is a build of $owner .*run make as $owner first" "$work/log" || fail "make install says: $(cat "$work/log")"
[ ! -e "$work/wrong" ] || fail "installed: $(find "$work/wrong" -type f)"
files | cmp -s - "$work/before" || fail "root wrote into the build folder: $(files | diff - "$work/before" | head -n 5)"
finish
