#!/bin/sh
# SPDX-License-Identifier: MIT
# A whole stub library after ours on the link line, with the shared library and with the archive.
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
# A name without spaces, for lists of options.
folder=$work/lib
ln -s "$(cd "$B/lib" && pwd)" "$folder"
shared="-L$folder -lg6gpu -Wl,-rpath,$folder -lm"
archive="$folder/libg6gpu.a ${ARCHIVE_LIBS:--lstdc++ -ldl -lpthread -lm}"

# A stub archive with every name, last on the link line, as Starlab's: nothing of it may be taken.
# The application needs every name, so one that the library lacked would pull the whole object in.
names=$(sh "$here/../names.sh" | grep '[a-zA-Z0-9]_$')
for name in $names; do echo "int $name(void) { return -99; }"; done >"$work/stub.c"
{
    for name in $names; do echo "int $name();"; done
    echo "int (*needed[])() = {"
    for name in $names; do echo "$name,"; done
    echo "0};"
    echo "int main(void) { return needed[0] == 0 || g6_npipes_() == -99; }"
} >"$work/needs.c"
[ "$(echo "$names" | wc -w)" -gt 40 ] || fail "the list of names was not read"
$CC -w -c "$work/stub.c" -o "$work/stub.o" && rm -f "$work/libstub.a" && ar rcs "$work/libstub.a" "$work/stub.o"
for kind in shared archive; do
    eval "libs=\$$kind"
    # shellcheck disable=SC2086  # words
    $CC -std=c89 -w ${SAN:-} "$work/needs.c" -o "$work/needs" $libs "$work/libstub.a" &&
        "$work/needs" || fail "a stub archive behind the library, $kind: it was taken"
done

finish
