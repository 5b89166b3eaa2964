#!/bin/sh
# SPDX-License-Identifier: MIT
# Links a client that defines the plain names itself, with the shared library and with the archive;
# then with a stub archive behind the library; then plain C99 and C++ clients.
set -eu
out=$B/test-link
folder=$(cd "$B/lib" && pwd)
shared="-L$folder -lg6gpu -Wl,-rpath,$folder"
archive="$folder/libg6gpu.a ${ARCHIVE_LIBS:--lstdc++ -lgomp -ldl -lpthread -lm}"
c99="${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror ${SAN:-}"
mkdir -p "$out"
trap 'echo "own_names: failed at: $step"' EXIT

# A library that calls itself for ever would hang.
run() { timeout 20 "$out/$1"; }

step="compile"
$c99 -c tests/link/own_names.c -o "$out/own_names.o"
step="link with the shared library"
$c99 "$out/own_names.o" -o "$out/own_shared" $shared && run own_shared
step="link with the archive"
$c99 "$out/own_names.o" -o "$out/own_static" $archive && run own_static

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
$c99 "$out/kira.c" -o "$out/kira_shared" $shared "$out/libstub.a" && run kira_shared
$c99 "$out/kira.c" -o "$out/kira_static" $archive "$out/libstub.a" && run kira_static

step="g6lib.h in C99 and C++"
printf '#include "g6lib.h"\nint main(void) { return g6_npipes() != 48; }\n' > "$out/plain.c"
$c99 -Iinclude "$out/plain.c" -o "$out/plain" $shared && run plain
$CXX -std=c++11 -pedantic -Wall -Wextra -Werror -Iinclude -x c++ -fsyntax-only "$out/plain.c"
trap - EXIT
echo "own_names: ok"
