#!/bin/sh
# SPDX-License-Identifier: MIT
# The names under which programs and configure scripts look for other GRAPE libraries: links to
# libg6gpu, for sapporo the library itself under that name, and headers that lead to g6lib.h (bhint
# includes grape6.h, Phantom-GRAPE's banana01 gp6util.h).  Never touches a file that is another
# library's.
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

links="libg6.so libg6a.so libpg5.so"
files="pkgconfig/g6lib.pc pkgconfig/sapporo_light.pc"
sapporo=libsapporo.so
headers="$include/grape6.h $include/gp6util.h"
if [ "$action" = header ]; then
    name=$include/$(basename "$3")
    if foreign "$name"; then
        echo "$name belongs to another library and is left as it is" >&2
    else
        install -m 644 "$3" "$name"
    fi
    exit 0
fi
all="$headers"
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
    for path in $headers; do
        printf '/* %s: a name by which codes include the interface of libg6gpu. */\n#include "g6lib.h"\n' \
            "$(basename "$path")" >"$path"
    done
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
