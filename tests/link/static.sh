#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that contain the archive libg6gpu.a: they find the installed backends.  A program that is
# linked with -static as a whole has no dynamic linker: it computes on the cpu and says why.
. "$(dirname "$0")/../script.inc"
[ -z "${SAN:-}" ] || skip "a sanitizer's library is shared"
prefix=$work/prefix
make -s B="$B" CC="$CC" CXX="$CXX" PREFIX="$prefix" install >"$work/log" 2>&1 || fail "install: $(tail -n 5 "$work/log")"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
pkg() { sed -n "s|^$1: *||p" "$PKG_CONFIG_PATH/libg6gpu.pc"; }
flags="-I$prefix/include -L$prefix/lib -l:libg6gpu.a $(pkg Libs.private) -lm"

$CC examples/two_body.c $flags -o "$work/archive" 2>"$work/log" || fail "with the archive: $(cat "$work/log")"
expect() { # words, text
    case $2 in *"it fails"* | "") fail "$2" ;; *"$1"*) ;; *) fail "no '$1' in: $2" ;; esac
}
run() { G6_LOG=debug "$@" 2>&1 || echo "it fails: $?"; }
expect "two_body: backend cpu, " "$(G6_BACKEND=cpu run "$work/archive")"
if [ -e "$prefix/lib/g6gpu/g6_opencl.so" ]; then
    # The backend's file must be found, whether or not there is a device.
    case $(G6_BACKEND=opencl run "$work/archive") in *"no file"*) fail "no backend beside the installed archive" ;; esac
fi

if $CC -static examples/two_body.c $flags -o "$work/whole" 2>"$work/log"; then
    for backend in auto cpu opencl; do
        expect "two_body: backend cpu, " "$(G6_BACKEND=$backend run "$work/whole")"
    done
    [ ! -e "$prefix/lib/g6gpu/g6_opencl.so" ] ||
        expect "not opened in a program linked with -static" "$(G6_BACKEND=opencl run "$work/whole")"
else
    echo "$script: no fully static program here: $(tail -n 1 "$work/log")"
fi
finish
