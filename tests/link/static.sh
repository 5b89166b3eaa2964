#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that contain the archive libg6gpu.a: they find the installed backends.  A program that is
# linked with -static as a whole has no dynamic linker: it computes on the cpu and says why.
. "$(dirname "$0")/../script.inc"
[ -z "${SAN:-}" ] || skip "a sanitizer's library is shared"
prefix=$work/prefix
make -s B="$B" CC="$CC" CXX="$CXX" PREFIX="$prefix" install >"$work/log" 2>&1 || fail "install: $(tail -n 5 "$work/log")"
cat >"$work/client.c" <<'END'
#include <g6lib.h>
#include <stdio.h>
int main(void)
{
    double zero[3] = {0, 0, 0}, x[3] = {2, 0, 0}, eps2 = 0, h2 = 0;
    int index = 7;
    double xi[1][3] = {{0, 0, 0}}, vi[1][3] = {{0, 0, 0}}, ai[1][3] = {{0, 0, 0}}, pi[1] = {0};
    double acc[1][3], jerk[1][3], pot[1];
    g6_open(0);
    g6_set_j_particle(0, 0, 1, 0, 0, 1, zero, zero, zero, zero, x);
    g6_set_ti(0, 0);
    g6calc_firsthalf(0, 1, 1, &index, xi, vi, ai, ai, pi, eps2, &h2);
    g6calc_lasthalf(0, 1, 1, &index, xi, vi, eps2, &h2, acc, jerk, pot);
    printf("%g %g on %s\n", acc[0][0], pot[0], g6_backend_name(0));
    return g6_close(0);
}
END
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
pkg() { sed -n "s|^$1: *||p" "$PKG_CONFIG_PATH/libg6gpu.pc"; }
flags="-I$prefix/include -L$prefix/lib -l:libg6gpu.a $(pkg Libs.private)"

$CC "$work/client.c" $flags -o "$work/archive" 2>"$work/log" || fail "with the archive: $(cat "$work/log")"
expect() { # words, text
    case $2 in *"$1"*) ;; *) fail "no '$1' in: $2" ;; esac
}
run() { G6_LOG=debug "$@" 2>&1; }
expect "0.25 -0.5 on cpu" "$(G6_BACKEND=cpu run "$work/archive")"
if [ -e "$prefix/lib/g6gpu/g6_opencl.so" ]; then
    # The backend's file must be found, whether or not there is a device.
    case $(G6_BACKEND=opencl run "$work/archive") in *"no file"*) fail "no backend beside the installed archive" ;; esac
fi

if $CC -static "$work/client.c" $flags -o "$work/whole" 2>"$work/log"; then
    for backend in auto cpu opencl; do
        expect "0.25 -0.5 on cpu" "$(G6_BACKEND=$backend run "$work/whole")"
    done
    [ ! -e "$prefix/lib/g6gpu/g6_opencl.so" ] ||
        expect "not opened in a program linked with -static" "$(G6_BACKEND=opencl run "$work/whole")"
else
    echo "$script: no fully static program here: $(tail -n 1 "$work/log")"
fi
finish
