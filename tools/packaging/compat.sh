#!/bin/sh
# SPDX-License-Identifier: MIT
# The names under which programs and configure scripts look for other GRAPE libraries: links to
# libg6gpu, for sapporo the library itself under that name, and headers that lead to g6lib.h or
# gp5util.h.  Each name is one that a public code has:
#     libg6 AMUSE; libg6a NBODY1, nb6++grape; libg6lx NBODY4, Starlab; libg6lxsim2 Starlab;
#     libpg6 banana01; libpg5 FDPS; libg5a, libphibdma NEMO; libg75, libhib REBOUND;
#     grape6.h bhint; gp6util.h banana01; g5util.h codes of the GRAPE-7; g5nbutil.h REBOUND
# Never touches a file that is another library's.
# usage: sh compat.sh install LIBDIR INCLUDEDIR TARGET SAPPORO
#        sh compat.sh uninstall LIBDIR INCLUDEDIR
#        sh compat.sh header INCLUDEDIR FILE      FILE has a name that another library's may have
# LIBDIR, INCLUDEDIR: with DESTDIR; TARGET: libg6gpu.so.1; SAPPORO: the library, built as libsapporo.so
set -eu
action=$1 folder=$2 include=$3
[ "$action" != header ] || include=$2

# "Own" is a link to libg6gpu, a .pc file or a header that names it, or a library that knows its
# settings.
own() {
    [ -e "$1" ] || [ -L "$1" ] || return 1
    if [ -L "$1" ]; then
        case $(readlink "$1") in libg6gpu.so*) return 0 ;; esac
        return 1
    fi
    case $1 in
    *.pc) grep -q '^Description: libg6gpu' "$1" ;;
    *.h) grep -q 'libg6gpu' "$1" ;;
    *) grep -q G6_BACKEND_DIR "$1" ;;
    esac
}
foreign() { { [ -e "$1" ] || [ -L "$1" ]; } && ! own "$1"; }

links="libg6.so libg6a.so libg6lx.so libg6lxsim2.so libpg6.so libpg5.so libg5a.so libphibdma.so libg75.so libhib.so"
files="pkgconfig/g6lib.pc pkgconfig/sapporo_light.pc"
sapporo=libsapporo.so
headers_g6="$include/grape6.h $include/gp6util.h"
headers_g5="$include/g5util.h $include/g5nbutil.h"
lead() { # header, files
    to=$1 && shift
    for path; do
        printf '/* %s: a name by which codes include the interface of libg6gpu. */\n#include "%s"\n' \
            "$(basename "$path")" "$to" >"$path"
    done
}
if [ "$action" = header ]; then
    name=$include/$(basename "$3")
    if foreign "$name"; then
        echo "$name belongs to another library and is left as it is" >&2
    else
        install -m 644 "$3" "$name"
    fi
    exit 0
fi
all="$headers_g6 $headers_g5"
for name in $links $files $sapporo; do all="$all $folder/$name"; done
if [ "$action" = install ]; then
    # All or nothing.
    for path in $all; do
        foreign "$path" || continue
        echo "COMPAT=1: $path belongs to another library; remove it, or use another PREFIX" >&2
        exit 1
    done
    for name in $links; do ln -sf "$4" "$folder/$name"; done
    rm -f "$folder/$sapporo"
    install -m 755 "$5" "$folder/$sapporo"
    # shellcheck disable=SC2086  # words
    lead g6lib.h $headers_g6
    # shellcheck disable=SC2086  # words
    lead gp5util.h $headers_g5
    echo "libpg5.so: a code built with -DSYMMETRIC for Phantom-GRAPE passes g5_set_xmj a softening of each mass," \
        "which is ignored there and needs g5_set_xmj0 (docs/grape5.md, Symmetric softening)" >&2
    for name in $files; do
        short=$(basename "$name" .pc)
        library=g6gpu
        [ "$short" = g6lib ] || library=sapporo
        sed "s/^Name:.*/Name: $short/; s/^Description:.*/Description: libg6gpu under the name $short/
             s/-lg6gpu/-l$library/" "$folder/pkgconfig/libg6gpu.pc" >"$folder/$name"
    done
else
    for path in $all "$include/gp5util.h"; do
        if { [ -e "$path" ] || [ -L "$path" ]; } && own "$path"; then rm -f "$path"; fi
    done
fi
