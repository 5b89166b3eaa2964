#!/bin/sh
# SPDX-License-Identifier: MIT
# The names under which programs and configure scripts look for other GRAPE libraries: links to
# libg6gpu, and for sapporo the library itself under that name.  Never touches a file that is another
# library's.
# usage: sh compat.sh install LIBDIR TARGET SAPPORO     LIBDIR: with DESTDIR; TARGET: libg6gpu.so.1
#        sh compat.sh uninstall LIBDIR TARGET           SAPPORO: the library, built as libsapporo.so
set -eu
action=$1 folder=$2 target=$3

# "Own" is a link to libg6gpu, a .pc file that names it, or a library that knows its settings.
own() {
    if [ -L "$1" ]; then
        case $(readlink "$1") in libg6gpu.so*) return 0 ;; esac
        return 1
    fi
    case $1 in
    *.pc) grep -q '^Description: libg6gpu' "$1" ;;
    *) grep -q G6_BACKEND_DIR "$1" ;;
    esac
}
foreign() { { [ -e "$1" ] || [ -L "$1" ]; } && ! own "$1"; }

links="libg6.so libg6a.so"
files="pkgconfig/g6lib.pc pkgconfig/sapporo_light.pc"
sapporo=libsapporo.so
if [ "$action" = install ]; then
    # All or nothing.
    for name in $links $files $sapporo; do
        foreign "$folder/$name" || continue
        echo "COMPAT=1: $folder/$name belongs to another library; remove it, or use another PREFIX" >&2
        exit 1
    done
    for name in $links; do ln -sf "$target" "$folder/$name"; done
    rm -f "$folder/$sapporo"
    install -m 755 "$4" "$folder/$sapporo"
    for name in $files; do
        short=$(basename "$name" .pc)
        library=g6gpu
        [ "$short" = g6lib ] || library=sapporo
        sed "s/^Name:.*/Name: $short/; s/^Description:.*/Description: libg6gpu under the name $short/
             s/-lg6gpu/-l$library/" "$folder/pkgconfig/libg6gpu.pc" >"$folder/$name"
    done
else
    for name in $links $files $sapporo; do
        if own "$folder/$name"; then rm -f "$folder/$name"; fi
    done
fi
