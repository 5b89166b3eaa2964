#!/bin/sh
# SPDX-License-Identifier: MIT
# Links a client that defines the plain names itself, against the shared library and against the archive; then a plain
# C99 client, and a C++ one, to see that g6lib.h is a header for both.
set -eu
cc=${CC:-cc}
out=$B/test-link
mkdir -p "$out"
trap 'echo "own_names: failed at: $step"' EXIT

step="compile"
$cc -std=c99 -pedantic -Wall -Wextra -Werror ${SAN:-} -c tests/link/own_names.c -o "$out/own_names.o"
step="link with the shared library"
$cc ${SAN:-} "$out/own_names.o" -o "$out/own_shared" -L"$B/lib" -lg6gpu -Wl,-rpath,"$(cd "$B/lib" && pwd)"
timeout 20 "$out/own_shared"
step="link with the archive"
$cc ${SAN:-} "$out/own_names.o" -o "$out/own_static" "$B/lib/libg6gpu.a" -lstdc++ -lgomp -ldl -lpthread -lm
timeout 20 "$out/own_static"

# Starlab's stub archive comes last on the link line: with every name present, nothing of it may be taken.
step="a stub archive after the library"
printf 'int g6_npipes_(void) { return 0; }\nint g6_reset_(int *i) { (void)i; return 0; }\n' > "$out/stub.c"
$cc -c "$out/stub.c" -o "$out/stub.o"
rm -f "$out/libstub.a"
ar rcs "$out/libstub.a" "$out/stub.o"
printf 'int g6_npipes_(void), g6_reset_(int *); int main(void) { int i = 0; g6_reset_(&i); return g6_npipes_() != 2048; }\n' > "$out/kira.c"
for lib in "-L$B/lib -lg6gpu -Wl,-rpath,$(cd "$B/lib" && pwd)" "$B/lib/libg6gpu.a -lstdc++ -lgomp -ldl -lpthread -lm"; do
    $cc ${SAN:-} "$out/kira.c" -o "$out/kira" $lib "$out/libstub.a" && timeout 20 "$out/kira"
done

step="g6lib.h in C99 and C++"
printf '#include "g6lib.h"\nint main(void) { return g6_npipes() > 0 ? G6_OK : 1; }\n' > "$out/plain.c"
$cc -std=c99 -pedantic -Wall -Wextra -Werror ${SAN:-} -Iinclude "$out/plain.c" -o "$out/plain" -L"$B/lib" -lg6gpu -Wl,-rpath,"$(cd "$B/lib" && pwd)"
timeout 20 "$out/plain"
$CXX -std=c++11 -pedantic -Wall -Wextra -Werror -Iinclude -x c++ -fsyntax-only "$out/plain.c"
trap - EXIT
echo "own_names: ok"
