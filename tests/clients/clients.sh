#!/bin/sh
# SPDX-License-Identifier: MIT
# Old clients: Fortran 77 with arrays of 48 and by the g5 calls, and a whole stub library behind ours on
# the link line, with the shared library and with the archive.
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
FC=${FC:-gfortran}
out=$B/test-clients
# A name without spaces, for lists of options.
folder=$work/lib
ln -s "$(cd "$B/lib" && pwd)" "$folder"
shared="-L$folder -lg6gpu -Wl,-rpath,$folder -lm"
archive="$folder/libg6gpu.a ${ARCHIVE_LIBS:--lstdc++ -ldl -lpthread -lm}"
mkdir -p "$out"

if command -v "$FC" >/dev/null 2>&1; then
    # shellcheck disable=SC2086  # words
    $FC -O2 -Wall -ffixed-form "$here/blocks48.f" -o "$out/blocks48" $shared ||
        fail "blocks48.f cannot be built"
    "$out/blocks48" >"$out/log" || fail "blocks48: $(cat "$out/log")"
    G6_PROFILE=gpu "$out/blocks48" >/dev/null 2>&1
    [ $? = 2 ] || fail "blocks48 must notice 16384 pipes"
    # shellcheck disable=SC2086  # words
    $FC -O2 -Wall -ffixed-form "$here/grape5.f" -o "$out/grape5" $shared || fail "grape5.f cannot be built"
    "$out/grape5" >"$out/log" || fail "grape5: $(cat "$out/log")"
else
    echo "clients.sh: blocks48.f and grape5.f left out (gfortran not found)"
fi

# A stub archive with every name, last on the link line, as Starlab's: nothing of it may be taken.
# The application needs every name, so one that the library lacked would pull the whole object in.
names=$(sh "$here/../names.sh" | grep '[a-zA-Z0-9]_$')
for name in $names; do echo "int $name(void) { return -99; }"; done >"$out/stub.c"
{
    for name in $names; do echo "int $name();"; done
    echo "int (*needed[])() = {"
    for name in $names; do echo "$name,"; done
    echo "0};"
    echo "int main(void) { return needed[0] == 0 || g6_npipes_() == -99; }"
} >"$out/needs.c"
[ "$(echo "$names" | wc -w)" -gt 40 ] || fail "the list of names was not read"
$CC -w -c "$out/stub.c" -o "$out/stub.o" && rm -f "$out/libstub.a" && ar rcs "$out/libstub.a" "$out/stub.o"
for kind in shared archive; do
    eval "libs=\$$kind"
    # shellcheck disable=SC2086  # words
    $CC -std=c89 -w ${SAN:-} "$out/needs.c" -o "$out/needs" $libs "$out/libstub.a" &&
        "$out/needs" || fail "a stub archive behind the library, $kind: it was taken"
done

finish
