#!/bin/sh
# SPDX-License-Identifier: MIT
# The names under which programs and configure scripts look for other GRAPE libraries, as links to
# libg6gpu.  Never touches a file that is another library's.
# usage: sh compat.sh install|uninstall LIBDIR TARGET     LIBDIR: with DESTDIR; TARGET: libg6gpu.so.1
set -eu
action=$1 folder=$2 target=$3

# "Own" is a link to libg6gpu, or a .pc file that names it.
own() {
    if [ -L "$1" ]; then
        case $(readlink "$1") in libg6gpu.so*) return 0 ;; esac
        return 1
    fi
    case $1 in *.pc) grep -q '^Libs:.*-lg6gpu' "$1" ;; *) return 1 ;; esac
}
foreign() { { [ -e "$1" ] || [ -L "$1" ]; } && ! own "$1"; }

links="libg6.so libg6a.so libsapporo.so"
files="pkgconfig/g6lib.pc pkgconfig/sapporo_light.pc"
if [ "$action" = install ]; then
    # All or nothing.
    for name in $links $files; do
        foreign "$folder/$name" || continue
        echo "COMPAT=1: $folder/$name belongs to another library; remove it, or use another PREFIX" >&2
        exit 1
    done
    for name in $links; do ln -sf "$target" "$folder/$name"; done
    for name in $files; do
        short=$(basename "$name" .pc)
        sed "s/^Name:.*/Name: $short/; s/^Description:.*/Description: libg6gpu under the name $short/" \
            "$folder/pkgconfig/libg6gpu.pc" >"$folder/$name"
    done
else
    for name in $links $files; do
        if own "$folder/$name"; then rm -f "$folder/$name"; fi
    done
fi
