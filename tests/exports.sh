#!/bin/sh
# SPDX-License-Identifier: MIT
# What libg6gpu exports: every name of names.sh, no name of another kind.  One missing name is enough for a linker to take
# a whole stub library in the application instead.  No function of the library calls one of these names.  And the static
# library links with applications that define the plain names, or the Fortran names, themselves.  Each backend exports its
# entry alone.
# usage: B=<build folder> sh tests/exports.sh        LIB=<file> checks another library's names only

set -u
export LC_ALL=C
here=$(dirname "$0")
B=${B:-build}
only=${LIB:-}
LIB=${LIB:-$B/lib/libg6gpu.so}
CXX=${CXX:-g++}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
    echo "exports: $*"
    bad=1
}

[ -f "$LIB" ] || { echo "exports: $LIB does not exist"; exit 1; }

sh "$here/names.sh" >"$work/required"
nm -D --defined-only "$LIB" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported" ||
    complain "nm cannot read $LIB"

grep -q '^g6_open__$' "$work/required" || complain "the list of names was not read"
# shellcheck disable=SC2046,SC2086  # names on one line
report() { [ -z "$2" ] || complain "$1:" $2; }
missing=$(comm -23 "$work/required" "$work/exported")
report "missing in $LIB" "$missing"
# Anything else would meet the application's own names.  _init and _fini come from the linker.
foreign=$(comm -13 "$work/required" "$work/exported" | grep -v -e '^g[56]' -e '^_init$' -e '^_fini$')
report "exported, but not a g5 or g6 name" "$foreign"
extra=$(comm -13 "$work/required" "$work/exported" | grep '^g[56]')
report "exported, but not declared" "$extra"

[ -z "$only" ] || exit "$bad"

for backend in "$B"/lib/g6gpu/*.so; do
    [ -f "$backend" ] || continue
    shown=$(nm -D --defined-only "$backend" | awk '{ print $3 }' | grep -v -e '^_init$' -e '^_fini$')
    [ "$shown" = g6_backend_entry ] || complain "$backend shows other names than its entry:" $shown
done

# A call of an exported name is a relocation with this name, also within one object file: another
# library may define the name.
readelf -rW "$B/lib/libg6gpu.a" | awk '{ print $5 }' | sort -u >"$work/called" || complain "readelf fails"
grep -q pthread_ "$work/called" || complain "readelf shows no calls in libg6gpu.a"
report "called within the library" "$(comm -12 "$work/required" "$work/called")"

# Links $1 with the static library; fails on a clash of names.
links() {
    # shellcheck disable=SC2086  # SAN may hold several flags
    $CXX ${SAN:-} -std=c++17 "$1" "$B/lib/libg6gpu.a" -ldl -lpthread -o "$work/a.out" \
        >"$work/log" 2>&1 && return
    complain "$2 does not link with libg6gpu.a:"
    grep -m 5 -e 'multiple definition' -e 'undefined reference' -e error "$work/log"
}

links "$here/../examples/own_names.cpp" "an application with plain names of its own"

# The other way round: own Fortran names on top of the library's plain ones.
cat >"$work/twins.cpp" <<'END'
extern "C" {
int g6_open(int id);
int g6_npipes(void);
int g6_open_(int *id) { return g6_open(*id); }
int g6_npipes_(void) { return g6_npipes(); }
}
int main()
{
    int id = 0;
    return g6_open_(&id) || g6_npipes_() < 1;
}
END
links "$work/twins.cpp" "an application with Fortran names of its own"
[ "$bad" = 1 ] || "$work/a.out" || complain "the application with Fortran names of its own fails"

[ "$bad" = 0 ] && echo "exports: $(wc -l <"$work/required") names, as required"
exit "$bad"
