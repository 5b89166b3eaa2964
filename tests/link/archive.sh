#!/bin/sh
# SPDX-License-Identifier: MIT
# Build systems unpack archives and pack the members again, with other members or each archive in
# its own: each member of libg6gpu.a has a unique name, so none is lost.
. "$(dirname "$0")/../script.inc"
archive=$(cd "$B/lib" && pwd)/libg6gpu.a
libs=${ARCHIVE_LIBS:--lstdc++ -ldl -lpthread -lm}
twice=$(ar t "$archive" | sort | uniq -d)
[ -z "$twice" ] || fail "members of one name:" $twice

(mkdir "$work/members" && cd "$work/members" && ar x "$archive" && ar rcs ../anew.a ./*.o) || fail "ar x, ar rcs"
# The public names, as "NAME kind".
names() { nm -g --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3, $2 }' | sort; }
names "$archive" >"$work/names"
names "$work/anew.a" >"$work/names_anew"
grep -q '^g5_open T' "$work/names" || fail "nm shows no g5_open in $archive"
cmp -s "$work/names" "$work/names_anew" ||
    fail "lost in an archive made anew: $(comm -23 "$work/names" "$work/names_anew" | head -n 5)"
# Mass 4 at distance 2: a 1.
cat >"$work/client.c" <<'C'
#include <g6lib.h>
#include <gp5util.h>
#include <math.h>
int main(void)
{
    double x[1][3] = {{2, 0, 0}}, m = 4, xi[1][3] = {{0, 0, 0}}, a[1][3], p[1];
    g6_open(0);
    g5_open();
    g5_set_xmj(0, 1, x, &m);
    g5_set_n(1);
    g5_calculate_force_on_x(xi, a, p, 1);
    g5_close();
    return g6_close(0) || fabs(a[0][0] - 1) > 2e-3;
}
C
# shellcheck disable=SC2086  # words
$CC -std=c99 ${SAN:-} -Iinclude "$work/client.c" "$work/anew.a" $libs -o "$work/client" >"$work/log" 2>&1 ||
    fail "an archive made anew does not link: $(grep -m 3 undefined "$work/log")"
G6_BACKEND=cpu "$work/client" || fail "the client with the archive made anew: status $?"
finish
