#!/bin/sh
# SPDX-License-Identifier: MIT
# A project that is built with CMake finds the installed library, shared and static, the module of Fortran, and the
# version; also after the folder of the installation was moved.
. "$(dirname "$0")/../script.inc"
command -v cmake >/dev/null 2>&1 || skip "cmake not found"
[ -z "${SAN:-}" ] || skip "the program would lack the sanitizer's library"
"$MAKE" --no-print-directory B="$B" PREFIX="$work/here" LIBDIR="$work/here/lib/deep" MANDIR="$work/here/man" COMPAT= install \
    >"$work/log" 2>&1 || fail "make install: $(tail -n 5 "$work/log")"
version=$("$B/bin/g6info" --version | cut -d' ' -f2)

mkdir "$work/project"
cp examples/two_body.c "$work/project/a.c"
cat >"$work/project/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.16)
project(client C)
find_package(g6gpu \${WANTED} REQUIRED)
add_executable(shared a.c)
target_link_libraries(shared g6gpu::g6gpu m)
add_executable(inside a.c)
target_link_libraries(inside g6gpu::static m)
CMAKE
if command -v gfortran >/dev/null 2>&1; then
    cp examples/cluster.f90 "$work/project"
    cat >>"$work/project/CMakeLists.txt" <<CMAKE
enable_language(Fortran)
find_package(g6gpu \${WANTED} REQUIRED)
add_executable(module cluster.f90)
target_link_libraries(module g6gpu::fortran)
add_executable(module_too cluster.f90)
target_link_libraries(module_too g6gpu::fortran)
CMAKE
fi
configure() { # folder of the installation, version
    rm -rf "$work/build"
    cmake -S "$work/project" -B "$work/build" -DCMAKE_PREFIX_PATH="$1" -Dg6gpu_DIR="$1/lib/deep/cmake/g6gpu" \
        -DWANTED="$2" >"$work/log" 2>&1
}
built_and_right() { # where
    cmake --build "$work/build" >"$work/log" 2>&1 || fail "$1: $(tail -n 8 "$work/log")"
    for program in shared inside $(command -v gfortran >/dev/null 2>&1 && echo module module_too); do
        G6_BACKEND=cpu "$work/build/$program" >"$work/log" 2>&1 || fail "$1, $program: status $?, $(cat "$work/log")"
    done
    ldd "$work/build/shared" | grep -q "libg6gpu.so.[0-9]* => $2/lib/deep" || fail "$1: another library"
    ldd "$work/build/inside" | grep -q libg6gpu && fail "$1: the static program needs libg6gpu.so"
}
configure "$work/here" "$version" || fail "version $version is refused: $(tail -n 8 "$work/log")"
built_and_right "as installed" "$work/here"
for wanted in 0.9 "$((${version%%.*} + 1)).0" "${version%%.*}.99"; do
    configure "$work/here" "$wanted" && fail "version $version is taken for $wanted"
    grep -q 'g6gpuConfig.cmake, version: '"$version" "$work/log" || fail "$wanted: $(tail -n 8 "$work/log")"
done
mv "$work/here" "$work/there"
configure "$work/there" "" || fail "moved: $(tail -n 8 "$work/log")"
built_and_right "moved" "$work/there"

# uninstall leaves nothing of it.
"$MAKE" --no-print-directory B="$B" PREFIX="$work/there" LIBDIR="$work/there/lib/deep" MANDIR="$work/there/man" uninstall \
    >"$work/log" 2>&1 || fail "make uninstall: $(tail -n 5 "$work/log")"
find "$work/there" -name '*g6gpu*' | grep . && fail "make uninstall leaves files"
finish
