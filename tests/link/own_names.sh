#!/bin/sh
# SPDX-License-Identifier: MIT
# Links a client that defines the plain names itself, with the shared library and with the archive;
# then with a stub archive behind the library; then plain C99 and C++ clients.
set -eu
out=$B/test-link
folder=$(cd "$B/lib" && pwd)
libs=${ARCHIVE_LIBS:--lstdc++ -ldl -lpthread -lm}
c99="${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror ${SAN:-}"
mkdir -p "$out"
trap 'echo "own_names: failed at: $step"' EXIT

# A library that calls itself for ever would hang.
run() { timeout 20 "$out/$1"; }
# Links a program and runs it.  The folder's path may have spaces.
with_shared() { # program, its source or object, files after the library
    program=$1 source=$2 && shift 2
    $c99 -Iinclude "$source" -o "$out/$program" "-L$folder" -lg6gpu "-Wl,-rpath,$folder" "$@" && run "$program"
}
with_archive() { # program, its source or object, files after the library
    program=$1 source=$2 && shift 2
    $c99 -Iinclude "$source" -o "$out/$program" "$folder/libg6gpu.a" $libs "$@" && run "$program"
}

step="compile"
$c99 -c tests/link/own_names.c -o "$out/own_names.o"
step="link with the shared library"
with_shared own_shared "$out/own_names.o"
step="link with the archive"
with_archive own_static "$out/own_names.o"

# Starlab's stub archive comes last on the link line: with every name present, nothing of it may be
# taken.
step="a stub archive after the library"
printf 'int g6_npipes_(void) { return 0; }\nint g6_reset_(int *i) { return *i; }\n' > "$out/stub.c"
${CC:-cc} -c "$out/stub.c" -o "$out/stub.o"
rm -f "$out/libstub.a"
ar rcs "$out/libstub.a" "$out/stub.o"
cat > "$out/kira.c" <<'END'
int g6_npipes_(void), g6_reset_(int *);
int main(void) { int id = 5; return g6_reset_(&id) != 0 || g6_npipes_() != 48; }
END
with_shared kira_shared "$out/kira.c" "$out/libstub.a"
with_archive kira_static "$out/kira.c" "$out/libstub.a"

step="g6lib.h in C99 and C++"
printf '#include "g6lib.h"\nint main(void) { return g6_npipes() != 48; }\n' > "$out/plain.c"
with_shared plain "$out/plain.c"
$CXX -std=c++11 -pedantic -Wall -Wextra -Werror -Iinclude -x c++ -fsyntax-only "$out/plain.c"
trap - EXIT
echo "own_names: ok"
