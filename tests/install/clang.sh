#!/bin/sh
# SPDX-License-Identifier: MIT
# clang++ compiles the library and the tools without warnings; programs that it links with the
# shared library and with the archive compute.
. "$(dirname "$0")/../script.inc"
[ -z "${SAN:-}" ] || skip "a sanitizer's build is the other compiler's"
command -v clang++ >/dev/null 2>&1 || skip "no clang++ (Debian: clang)"
build() { # CXX, targets
    compiler=$1
    shift
    "$MAKE" --no-print-directory -j2 B="$B/clang" NVCC= OPENCL= OPT=-O1 CXX="$compiler" "$@"
}

build clang++ lib "$B/clang/bin/g6info" >"$work/log" 2>&1 || fail "does not build: $(grep -m 3 error "$work/log")"
# Lines of make itself: it warns that -j is given twice in "make -j2 check".
grep -v '^make' "$work/log" | grep 'warning:' && fail "warnings of clang++"
# Reads sources without compiling them.  The tools are only read, which is faster; CLI11's templates, in options.cpp, would take most of the time.
read_only() { clang++ -std=c++17 -fsyntax-only -Wall -Wextra -Iinclude -I. -I/usr/include/hdf5/serial "$@"; }
if printf '#include <CLI/CLI.hpp>\n#include <hdf5.h>\n' | read_only -x c++ - 2>/dev/null; then
    # shellcheck disable=SC2046  # a list of files
    read_only $(find tools -name '*.cpp' ! -name options.cpp) >"$work/log" 2>&1 ||
        fail "the tools do not compile: $(grep -m 3 error "$work/log")"
    grep 'warning:' "$work/log" && fail "warnings of clang++ for the tools"
fi
# With libc++, where it is installed.  Only status.cpp, of libg6gpu/base, uses a name of libstdc++ itself.
if printf '#include <vector>\n' | read_only -stdlib=libc++ -x c++ - 2>/dev/null; then
    read_only -stdlib=libc++ libg6gpu/base/*.cpp >"$work/log" 2>&1 || fail "libc++: $(grep -m 3 error "$work/log")"
fi
build clang++ "$B/clang/examples/two_body" "$B/clang/examples/own_names_static" >"$work/log" 2>&1 ||
    fail "the examples do not build: $(tail -n 3 "$work/log")"
for example in two_body own_names_static; do
    G6_BACKEND=cpu "$B/clang/examples/$example" >"$work/log" 2>&1 || fail "$example: $(cat "$work/log")"
done

# ---- the archive in a C program of the system's compiler, as libg6gpu.pc says ----
libs=$(build clang++ -n install 2>/dev/null | sed -n "s/.*'Libs.private: \([^']*\)'.*/\1/p")
# shellcheck disable=SC2086  # words
$CC -Iinclude examples/two_body.c -o "$work/archive" "$B/clang/lib/libg6gpu.a" $libs -lm >"$work/log" 2>&1 &&
    G6_BACKEND=cpu "$work/archive" >>"$work/log" 2>&1 || fail "with $libs: $(tail -n 3 "$work/log")"
finish
