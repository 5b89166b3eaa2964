#!/bin/sh
# SPDX-License-Identifier: MIT
# make install and uninstall, with COMPAT=1 and without: a program that was linked with another
# library's libg6.so runs with this one unchanged, LD_PRELOAD does the same, files of other
# libraries are left alone.
. "$(dirname "$0")/../script.inc"
root=$work/root
prefix=/opt/g6
lib=$root$prefix/lib64
run_make() { # make's arguments
    "$MAKE" --no-print-directory B="$B" PREFIX=$prefix LIBDIR=$prefix/lib64 MANDIR=$prefix/share/man \
        DESTDIR="$root" "$@" >"$work/log" 2>&1
}
files() { (cd "$root" && find . ! -type d | sort); }

# ---- without COMPAT ----
run_make install COMPAT= || { fail "make install: $(tail -n 5 "$work/log")"; exit 1; }
[ -z "$(grep '^left out' "$work/log" | sort | uniq -d)" ] || fail "said twice: $(grep '^left out' "$work/log")"
for name in lib64/libg6gpu.so lib64/libg6gpu.a lib64/pkgconfig/libg6gpu.pc include/g6lib.h include/gp5util.h \
    include/g6lib.f90 bin/g6info share/bash-completion/completions/g6info share/zsh/site-functions/_g6info share/man/man1/g6info.1 share/man/man3/g6lib.3; do
    [ -f "$root$prefix/$name" ] || fail "not installed: $name"
done
# What module load g6gpu sets are folders of the installation.
module=$root$prefix/share/modulefiles/g6gpu/$("$B/bin/g6info" --version | cut -d' ' -f2)
[ "$(head -n 1 "$module")" = '#%Module1.0' ] || fail "no modulefile: $module"
grep -q '@' "$module" && fail "the modulefile: $(grep '@' "$module")"
for folder in $(awk '$1 == "prepend-path" { print $3 }' "$module"); do
    [ -d "$root$folder" ] || fail "the modulefile names $folder"
done
[ "$(grep -c '^prepend-path' "$module")" -ge 5 ] || fail "the modulefile sets little: $(cat "$module")"
# bash finds completions in XDG_DATA_DIRS, where the folders of the system stay.
if command -v tclsh >/dev/null 2>&1; then
    printf 'proc %s\n' 'prepend-path {name folder} {puts "$name $folder"}' 'append-path {name folder} {puts "$name + $folder"}' \
        'conflict {name} {}' 'module-whatis {text} {}' >"$work/tcl"
    echo "source $module" >>"$work/tcl"
    module_sets() { # XDG_DATA_DIRS before, what is added to it
        XDG_DATA_DIRS=$1 tclsh "$work/tcl" >"$work/log" 2>&1 && grep -q "^PATH $prefix/bin$" "$work/log" &&
            [ "$(sed -n 's/^XDG_DATA_DIRS //p' "$work/log" | tr '\n' ' ')" = "$2" ] || fail "Tcl: $(cat "$work/log")"
    }
    module_sets '' "+ /usr/local/share + /usr/share $prefix/share "
    module_sets /opt/share "$prefix/share "
fi
files | grep -q -e libg6.so -e libg6[al] -e libpg -e libg5 -e libg7 -e libphib -e libhib -e sapporo -e g6lib.pc \
    -e grape6.h -e gp6util.h -e g5util.h -e g5nbutil.h &&
    fail "names of other libraries without COMPAT=1"
G6_BACKEND=cpu "$root$prefix/bin/g6info" >"$work/log" 2>&1 ||
    fail "the installed g6info: $(cat "$work/log")"
grep -q "file *$lib/libg6gpu" "$work/log" || fail "the installed g6info uses another library"
for page in "$root$prefix"/share/man/man?/*; do
    grep -q '^\.SH NAME' "$page" || fail "no manual page: $page"
done
grep -q 'g6calc_firsthalf(int id' "$root$prefix/share/man/man3/g6lib.3" || fail "g6lib(3) lacks calls"
grep -q 'G6_PRECISION' "$root$prefix/share/man/man3/g6lib.3" || fail "g6lib(3) lacks settings"
if command -v groff >/dev/null 2>&1; then
    for page in "$root$prefix"/share/man/man?/*; do
        groff -man -ww -Tascii "$page" 2>&1 >/dev/null | grep . && fail "groff warns: $page"
    done
fi

# ---- another library, an old program linked with it ----
mkdir "$work/other"
cat >"$work/other.c" <<'C'
int g6_npipes_(void) { return 7; }
int g6_open_(int *id) { return *id - *id + 3; }
int g6_set_ti_(void) { return 0; }
int g6_set_j_particle_(void) { return 0; }
int g6calc_firsthalf_(void) { return 0; }
int g6calc_lasthalf_(void) { return 3; }
C
cat >"$work/old.c" <<'C'
#include <math.h>
int g6_npipes_(void), g6_open_(int *), g6_set_ti_(int *, double *);
int g6_set_j_particle_(int *, int *, int *, double *, double *, double *, double *, double *,
                       double *, double *, double *);
int g6calc_firsthalf_(int *, int *, int *, int *, double *, double *, double *, double *, double *,
                      double *, double *);
int g6calc_lasthalf_(int *, int *, int *, int *, double *, double *, double *, double *, double *,
                     double *, double *);
/* Mass 4 at distance 2: acc 1, pot -2.  Status: 0 right, 7 with the other library. */
int main(void)
{
    int id = 0, one = 1, address = 0, j = 1, i = 2;
    double zero[3] = {0, 0, 0}, x[3] = {2, 0, 0}, m = 4, a[3] = {0}, k[3] = {0}, p[1] = {0};
    if (g6_npipes_() == 7) return 7;
    g6_open_(&id);
    g6_set_j_particle_(&id, &address, &j, zero, zero, &m, zero, zero, zero, zero, x);
    g6_set_ti_(&id, zero);
    g6calc_firsthalf_(&id, &one, &one, &i, zero, zero, a, k, p, zero, zero);
    if (g6calc_lasthalf_(&id, &one, &one, &i, zero, zero, zero, zero, a, k, p)) return 1;
    return fabs(a[0] - 1) > 1e-5 || fabs(p[0] + 2) > 1e-5;
}
C
for name in g6 g6a g6lx pg6 sapporo; do
    $CC -shared -fPIC -Wl,-soname,lib$name.so "$work/other.c" -o "$work/other/lib$name.so" ||
        fail "the other library cannot be built"
    $CC "$work/old.c" -o "$work/old_$name" -L"$work/other" -l$name -lm || fail "old_$name"
    LD_LIBRARY_PATH=$work/other "$work/old_$name"
    [ $? = 7 ] || fail "old_$name does not run with its own library"
done
LD_LIBRARY_PATH=$work/other LD_PRELOAD=$lib/libg6gpu.so "$work/old_g6" ||
    fail "LD_PRELOAD=libg6gpu.so: status $?"

# ---- a header of Phantom-GRAPE's ----
echo '/* another library */' >"$root$prefix/include/gp5util.h"
run_make install COMPAT= || fail "make install beside another gp5util.h: $(tail -n 5 "$work/log")"
grep -q 'gp5util.h belongs to another' "$work/log" || fail "no word about the other gp5util.h"
grep -q 'another library' "$root$prefix/include/gp5util.h" || fail "another library's gp5util.h was replaced"
rm "$root$prefix/include/gp5util.h"

# ---- COMPAT=1 ----
cp "$work/other/libsapporo.so" "$lib/libsapporo.so"
run_make install COMPAT=1 && fail "COMPAT=1 replaces another library's libsapporo.so"
grep -q 'libsapporo.so belongs to another' "$work/log" || fail "no word about the other libsapporo.so"
[ -e "$lib/libg6.so" ] && fail "COMPAT=1 half done"
run_make uninstall || fail "make uninstall: $(tail -n 5 "$work/log")"
[ "$(files)" = "./opt/g6/lib64/libsapporo.so" ] || fail "after uninstall: $(files)"
rm "$lib/libsapporo.so"
for round in first again; do
    (umask 077 && run_make install COMPAT=1) || fail "make install COMPAT=1, $round: $(tail -n 5 "$work/log")"
    grep -q 'libpg5.so: a code built with -DSYMMETRIC .* g5_set_xmj0' "$work/log" || fail "no word about SYMMETRIC"
done
closed=$(find "$root$prefix" -type d ! -perm -755 -o -type f ! -perm -644)
[ -z "$closed" ] || fail "not readable for everybody: $closed"
# What was linked with -lsapporo was written for a GPU: more pipes.
printf 'int g6_npipes(void); int main(void) { return g6_npipes() / 400; }\n' >"$work/pipes.c"
for name in g6gpu:0 g6:0 sapporo:40; do
    $CC "$work/pipes.c" -o "$work/pipes" -L"$lib" -l"${name%:*}" -Wl,-rpath,"$lib" || fail "pipes, -l${name%:*}"
    "$work/pipes"
    [ $? = "${name#*:}" ] || fail "-l${name%:*}: not the pipes of its profile"
done
for name in g6 g6a g6lx pg6 sapporo; do
    LD_LIBRARY_PATH=$lib "$work/old_$name" || fail "old_$name with libg6gpu: status $?"
    $CC "$work/old.c" -o "$work/new" -L"$lib" -l$name -lm -Wl,-rpath,"$lib" && "$work/new" ||
        fail "-l$name does not link with libg6gpu"
done
$CC "$work/old.c" -o "$work/new" -L"$lib" -lg6lx -lg6lxsim2 -lm -Wl,-rpath,"$lib" && "$work/new" ||
    fail "-lg6lx -lg6lxsim2, as in Starlab, does not link with libg6gpu"
# FDPS is linked with -lpg5.  Mass 4 at distance 2: a 1, p 2.
# An estimate of 1/sqrt(r2) with 12 bits is off by 1.5 2^-12 at most, and its cube by 1.1e-3.
cat >"$work/grape5.c" <<'C'
#include <gp5util.h>
#include <math.h>
int main(void)
{
    double x[1][3] = {{2, 0, 0}}, m = 4, xi[1][3] = {{0, 0, 0}}, a[1][3], p[1];
    g5_open();
    g5_set_xmjMC(1, 0, 1, x, &m);
    g5_set_nMC(1, 1);
    g5_calculate_force_on_xMC(1, xi, a, p, 1);
    g5_close();
    return fabs(a[0][0] - 1) > 1.1e-3 || fabs(p[0] - 2) > 0.74e-3;
}
C
# The same by the headers and link lines of other codes.
for names in gp5util.h:-lpg5 g5nbutil.h:-lg75:-lhib g5util.h:-lg5a:-lphibdma; do
    sed "s/gp5util.h/${names%%:*}/" "$work/grape5.c" >"$work/grape5_by_name.c"
    # shellcheck disable=SC2046  # words
    $CC -std=c99 -Wall -Werror "$work/grape5_by_name.c" -I"$root$prefix/include" -o "$work/grape5" -L"$lib" \
        $(echo "${names#*:}" | tr : ' ') -lm -Wl,-rpath,"$lib" && "$work/grape5" || fail "$names: not as with libg6gpu"
done
if command -v pkg-config >/dev/null 2>&1; then
    for name in libg6gpu g6lib sapporo_light; do
        flags=$(PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config --cflags \
            --libs $name)
        # shellcheck disable=SC2086  # words
        $CC "$work/old.c" -o "$work/new" $flags -lm -Wl,-rpath,"$lib" && "$work/new" ||
            fail "pkg-config $name: $flags"
        case $flags in *"-Wl,-rpath,"*) ;; *) fail "$name.pc names no path for the loader: $flags" ;; esac
    done
fi
. "$(dirname "$0")/headers.inc"
run_make uninstall || fail "make uninstall: $(tail -n 5 "$work/log")"
[ -z "$(files)" ] || fail "left after uninstall: $(files)"
[ ! -e "$root$prefix" ] || fail "folders left: $(find "$root")"

finish
