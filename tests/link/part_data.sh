#!/bin/sh
# SPDX-License-Identifier: MIT
# get_j_part_data(), a C name with 8 arguments in sapporo 1's header and 11 in sapporo 2's: programs
# linked with libsapporo get sapporo 2's form, others the 8 of g6lib.h, and programs that include
# g6lib.h the forms that it declares under both names of the library.
. "$(dirname "$0")/../script.inc"
# One j-particle: mass 3.5, index 77, at (1, 2, 3), v (4, 5, 6), sent to address 0 of cluster 0.
cat >"$work/send.h" <<'C'
#ifdef __cplusplus
extern "C" {
#endif
int g6_open_(int *), g6_close_(int *), g6_set_ti_(int *, double *);
int g6_set_j_particle_(int *, int *, int *, double *, double *, double *, double *, double *,
                       double *, double *, double *);
#ifdef __cplusplus
}
#endif
static void send(void)
{
    int zero = 0, index = 77;
    double t = 0, dt = 0.125, m = 3.5, none[3] = {0, 0, 0}, x[3] = {1, 2, 3}, v[3] = {4, 5, 6};
    g6_open_(&zero);
    g6_set_j_particle_(&zero, &zero, &index, &t, &dt, &m, none, none, none, v, x);
    g6_set_ti_(&zero, &t);
}
#define IS(a, b, c, d) ((a)[0] == (b) && (a)[1] == (c) && (a)[2] == (d))
C
cat >"$work/with11.cc" <<'C'
#include "send.h"
extern "C" void get_j_part_data(int, int, double *, double *, double *, double *, double *, double *,
                                double &, double &, int &);
int main()
{
    double x[3], v[3], a[3], j[3], px[3], pv[3], mass = -1, eps2 = -1;
    int id = -1;
    send();
    get_j_part_data(0, 1, x, v, a, j, px, pv, mass, eps2, id);
    if (!IS(x, 1, 2, 3) || !IS(v, 4, 5, 6) || !IS(px, 1, 2, 3) || !IS(pv, 4, 5, 6)) return 2;
    return mass == 3.5 && eps2 == 0 && id == 77 ? 11 : mass == -1 && eps2 == -1 && id == -1 ? 8 : 3;
}
C
# What lies on the stack behind the eighth argument is the caller's own.
cat >"$work/with8.c" <<'C'
#include "send.h"
int get_j_part_data(int, int, double *, double *, double *, double *, double *, double *);
int main(void)
{
    double x[3], v[3], a[3], j[3], px[3], pv[3];
    send();
    if (get_j_part_data(0, 1, x, v, a, j, px, pv)) return 2;
    return IS(x, 1, 2, 3) && IS(v, 4, 5, 6) && IS(px, 1, 2, 3) && IS(pv, 4, 5, 6) ? 8 : 3;
}
C
sed 's/^int get_j_part_data.*/#include <g6lib.h>/' "$work/with8.c" >"$work/header.c"
sed 's/^extern "C" void.*/#include <g6lib.h>/; /^ *double &, double &/d' "$work/with11.cc" >"$work/header.cc"
built=$(cd "$B" && pwd)
while read -r source folder name status; do
    case $source in *.c) compiler="$CC -std=c99" ;; *) compiler="${CXX:-c++} -std=c++11" ;; esac
    # shellcheck disable=SC2086  # words
    $compiler -Wall -Wextra -Werror ${SAN:-} -Iinclude "$work/$source" -o "$work/client" "-L$built/$folder" "-l$name" \
        "-Wl,-rpath,$built/$folder" >"$work/log" 2>&1 || fail "$source, -l$name: $(head -n 3 "$work/log")"
    G6_BACKEND=cpu "$work/client"
    got=$?
    [ $got = "$status" ] || fail "$source, -l$name: status $got, not $status"
done <<'END'
with11.cc compat sapporo 11
with11.cc lib g6gpu 8
with8.c lib g6gpu 8
header.c lib g6gpu 8
header.c compat sapporo 8
header.cc lib g6gpu 11
header.cc compat sapporo 11
END
# A program of another library that is run with a link of its name.
ln -s "$built/lib/libg6gpu.so" "$work/libsapporo.so"
"${CXX:-c++}" ${SAN:-} "$work/with11.cc" -o "$work/client" "-L$built/compat" -lsapporo || fail "with11.cc does not link"
LD_LIBRARY_PATH=$work G6_BACKEND=cpu "$work/client"
[ $? = 11 ] || fail "with11.cc, loaded from a link libsapporo.so"
finish
