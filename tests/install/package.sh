#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian package installs into an empty root, works there, and leaves nothing behind; the source
# tarball holds what git knows, and its makefile finds everything.
. "$(dirname "$0")/../script.inc"
version=$("$B/bin/g6info" --version | cut -d' ' -f2)

# ---- make deb ----
if command -v dpkg-deb >/dev/null 2>&1 && command -v dpkg-shlibdeps >/dev/null 2>&1; then
    "$MAKE" --no-print-directory B="$B" deb >"$work/log" 2>&1 || fail "make deb: $(tail -n 5 "$work/log")"
    deb=$(ls "$B"/deb/libg6gpu_"$version"_*.deb)
    dpkg-deb -f "$deb" Depends | grep -q 'libc6' || fail "no dependencies: $(dpkg-deb -f "$deb")"
    dpkg-deb -c "$deb" >"$work/contents"
    grep -v ' root/root ' "$work/contents" && fail "files that are not root's"
    for name in '/g6lib.h$' '/libg6gpu.a$' '/libg6gpu.so ->' '/libg6gpu.so.[0-9] ->' '/g6info$' \
        '/man3/g6lib.3.gz$' '/g6gpu/$' '/copyright$' '/CHANGELOG.md$' '/docs/settings.md$' '/docs/measurements/direct-cuda.md$' '/docs/measurements/steps.svg$' '/libg6gpu.pc$' \
        '/examples/two_body.c$' '/examples/star_cluster.ipynb$' '/examples/cosmology/make_ic.py$' '/dist-packages/g6gpu/__init__.py$' \
        '/bash-completion/completions/g6info$' '/zsh/vendor-completions/_g6info$'; do
        grep -q -e "$name" "$work/contents" || fail "the package lacks $name"
    done
    if [ "$(id -u)" = 0 ]; then
        mkdir -p "$work/root/var/lib/dpkg/updates" "$work/root/var/lib/dpkg/info"
        : >"$work/root/var/lib/dpkg/status"
        in_root() { dpkg --root="$work/root" --log=/dev/null --force-depends "$@" >"$work/log" 2>&1; }
        in_root --install "$deb" || fail "dpkg --install: $(cat "$work/log")"
        in_root --status libg6gpu || fail "dpkg --status: $(cat "$work/log")"
        # From the package itself: every file is unchanged.
        in_root --verify libg6gpu || fail "dpkg --verify: $(cat "$work/log")"
    else
        dpkg-deb -x "$deb" "$work/root"
    fi
    library=$(find "$work/root/usr/lib" -name 'libg6gpu.so')
    LD_LIBRARY_PATH=$(dirname "$library") G6_BACKEND=cpu "$work/root/usr/bin/g6info" >"$work/log" 2>&1 ||
        fail "g6info of the package: $(cat "$work/log")"
    grep -q "file *$work/root" "$work/log" || fail "g6info of the package uses another library"
    printf '#include <g6lib.h>\nint main(void) { return g6_npipes() != 48; }\n' >"$work/a.c"
    $CC -I"$work/root/usr/include" "$work/a.c" -o "$work/a.out" "$library" -Wl,-rpath,"$(dirname "$library")" &&
        "$work/a.out" || fail "a program with the package's files"
    $CC "$work/root/usr/share/doc/libg6gpu/examples/two_body.c" -I"$work/root/usr/include" -o "$work/two_body" "$library" -lm \
        -Wl,-rpath,"$(dirname "$library")" && G6_BACKEND=cpu "$work/two_body" >"$work/log" 2>&1 || fail "the example: $(cat "$work/log")"
    if find_python numpy; then
        LD_LIBRARY_PATH=$(dirname "$library") PYTHONPATH=$work/root/usr/lib/python3/dist-packages "$python" -B -c \
            'import g6gpu; g6gpu.Cluster(backend="cpu")' >"$work/log" 2>&1 || fail "the Python module: $(cat "$work/log")"
    fi
    if find_python numpy h5py && [ -x "$work/root/usr/bin/g6plot" ]; then
        for name in make_ic growth; do
            "$python" -B "$work/root/usr/share/doc/libg6gpu/examples/cosmology/$name.py" --help >"$work/log" 2>&1 || fail "$name.py: $(cat "$work/log")"
        done
    fi
    if [ "$(id -u)" = 0 ]; then
        in_root --purge libg6gpu || fail "dpkg --purge: $(cat "$work/log")"
        left=$(find "$work/root" -name '*g6*')
        [ -z "$left" ] || fail "left after purge: $left"
    fi
else
    echo "package.sh: make deb left out (no dpkg-deb)"
fi

# ---- make dist ----
# A tarball unpacked inside a checkout is not that checkout.  The path has a blank; make -n only prints the commands of make deb.
if prefix=$(git rev-parse --show-prefix 2>/dev/null) && [ -z "$prefix" ]; then
    "$MAKE" --no-print-directory B="$B" dist >"$work/log" 2>&1 || fail "make dist: $(cat "$work/log")"
    mkdir "$work/a b"
    tar -xzf "$B/libg6gpu-$version.tar.gz" -C "$work/a b" || fail "the tarball cannot be read"
    tree="$work/a b/libg6gpu-$version"
    (cd "$tree" && find . -type f | sed 's/^\.\///' | LC_ALL=C sort) >"$work/have"
    git ls-tree -r --name-only HEAD | LC_ALL=C sort >"$work/want"
    cmp -s "$work/have" "$work/want" || fail "the tarball's files: $(diff "$work/want" "$work/have")"
    # Compiles the core and one tool there, without optimisation; make distcheck does all of it.
    (cd "$tree" && "$MAKE" --no-print-directory B=build NVCC= OPT=-O0 build/bin/g6info build/man/g6lib.3 &&
        "$MAKE" --no-print-directory -n B=build NVCC= deb) \
        >"$work/log" 2>&1 || fail "the tarball does not build: $(tail -n 5 "$work/log")"
    G6_BACKEND=cpu "$tree/build/bin/g6info" >/dev/null || fail "g6info of the tarball"
else
    echo "package.sh: make dist left out (no git checkout)"
fi

finish
