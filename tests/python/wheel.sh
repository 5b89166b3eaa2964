#!/bin/sh
# SPDX-License-Identifier: MIT
# pip install . in a fresh environment without a network, with its commands, and, as make check-long looks, pip install -e . and
# the source tarball; make wheel; and a package without the library, which finds an installed one and refuses one that does not fit.
. "$(dirname "$0")/../script.inc"
[ -z "${SAN:-}" ] || skip "Python has no sanitizer's library"
find_python numpy || skip "no Python with numpy"
export PYTHONDONTWRITEBYTECODE=1 PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
top=$PWD
unset PYTHONPATH
client=$top/tests/python/client.py

# ---- make wheel ----
run_make() { "$MAKE" --no-print-directory B="$B" PYTHON="$python" "$@" >"$work/log" 2>&1; }
run_make wheel || fail "make wheel: $(tail -n 5 "$work/log")"
wheel=$(ls "$B"/wheel/g6gpu-*.whl)
"$python" -m zipfile -l "$wheel" | awk '{ print $1 }' >"$work/names"
for name in g6gpu/__init__.py g6gpu/models.py g6gpu/g6plot/main.py g6gpu/bin/g6info \
    g6gpu/calls.pyi g6gpu/py.typed g6gpu/g6lib.h g6gpu/lib/g6gpu/g6probe 'g6gpu/lib/libg6gpu.so.[0-9]*'; do
    grep -qx "$name" "$work/names" || fail "the wheel lacks $name"
done
grep -e g6_mpi -e __pycache__ "$work/names" && fail "the wheel has files that do not belong to it"
for file in "$B"/lib/g6gpu/g6_opencl.so "$B"/lib/g6gpu/g6_cuda.so; do
    [ ! -f "$file" ] || grep -qx "g6gpu/lib/g6gpu/$(basename "$file")" "$work/names" || fail "the wheel lacks $file"
done
if command -v auditwheel >/dev/null 2>&1 && command -v patchelf >/dev/null 2>&1; then
    grep -q '^g6gpu.libs/libhdf5' "$work/names" || fail "the repaired wheel lacks HDF5's library"
    case $wheel in *manylinux*) ;; *) fail "auditwheel gives no manylinux wheel: $wheel" ;; esac
else
    echo "wheel.sh: auditwheel is left out (not found)"
fi

# ---- environments ----
environment() { # folder
    "$python" -m venv --system-site-packages "$1" >"$work/log" 2>&1
}
case $B in /*) build=$B ;; *) build=$PWD/$B ;; esac
# The package computes, and its commands are those of this version.
works() { # what was installed
    (cd / && "$work/venv/bin/python" "$client" ${2:+"$2"} 2>"$work/log") || fail "after $1: $(cat "$work/log")"
    version=$("$B/bin/g6info" --version | cut -d' ' -f2)
    for name in g6info g6plot $([ ! -x "$B/bin/g6run" ] || echo g6run); do
        [ "$("$work/venv/bin/$name" --version 2>&1 | tr -d '\n')" = "$name $version" ] ||
            fail "after $1: $name --version: $("$work/venv/bin/$name" --version 2>&1)"
    done
    [ ! -x "$B/bin/g6run" ] || { (cd "$work" && G6_BACKEND=cpu "$work/venv/bin/g6run" --plummer 64 --eps 1/64 --t-end 1/8 \
        --quiet --format text --overwrite) >"$work/log" 2>&1 || fail "after $1: g6run: $(cat "$work/log")"; }
}
if environment "$work/venv"; then
    (cd "$top" && B="$B" MAKE="$MAKE" "$work/venv/bin/pip" install --no-index . >"$work/log" 2>&1) ||
        fail "pip install .: $(tail -n 20 "$work/log")"
    works "pip install ."
    [ -x "$(find "$work/venv" -name g6probe)" ] || fail "pip installs g6probe as no program"
    "$work/venv/bin/pip" uninstall -y g6gpu >"$work/log" 2>&1 || fail "pip uninstall: $(cat "$work/log")"
    find "$work/venv" -path '*g6gpu*' -o -name 'g6*' | grep . && fail "pip uninstall leaves files"
    if [ -n "$LONG" ]; then
        # Of an editable package the modules are those of the source.
        (cd "$top" && B="$B" MAKE="$MAKE" "$work/venv/bin/pip" install --no-index -e . >"$work/log" 2>&1) ||
            fail "pip install -e .: $(tail -n 20 "$work/log")"
        works "pip install -e ." "$build/editable/g6gpu"
        [ -h "$B/editable/g6gpu/models.py" ] || fail "pip install -e . copies the modules"
        "$work/venv/bin/pip" uninstall -y g6gpu >"$work/log" 2>&1 || fail "pip uninstall of -e: $(cat "$work/log")"
        # The source tarball has all that a build needs.
        PYTHONPATH=python "$python" -c "import build_wheel; build_wheel.build_sdist('$work')" >"$work/log" 2>&1 ||
            fail "the source tarball: $(cat "$work/log")"
        tar -tzf "$work"/g6gpu-*.tar.gz >"$work/names"
        for name in PKG-INFO pyproject.toml Makefile LICENSE python/build_wheel.py include/g6lib.h; do
            grep -qx "g6gpu-[0-9.]*/$name" "$work/names" || fail "the source tarball lacks $name"
        done
        grep -e '/build/' -e config.mk -e __pycache__ "$work/names" && fail "the source tarball has files that do not belong to it"
        # pip unpacks it in TMPDIR, here a folder with a blank in its name.
        mkdir "$work/a folder"
        settings="B=$work/build MAKE=$MAKE NVCC= OPENCL="
        # shellcheck disable=SC2086  # words
        (cd / && env $settings TMPDIR="$work/a folder" "$work/venv/bin/pip" install --no-index "$work"/g6gpu-*.tar.gz >"$work/log" 2>&1) ||
            fail "pip install of the source tarball: $(tail -n 20 "$work/log")"
        works "the source tarball"
        (cd / && LD_LIBRARY_PATH=$build/lib "$work/venv/bin/python" -c 'import g6gpu.models') || fail "the source tarball lacks modules"
        "$work/venv/bin/pip" uninstall -y g6gpu >"$work/log" 2>&1
    fi
    "$work/venv/bin/pip" install --no-index "$top/$wheel" >"$work/log" 2>&1 || fail "pip install $wheel: $(cat "$work/log")"
    works "the wheel"
else
    echo "wheel.sh: pip is left out ($python makes no environment; Debian: python3-venv)"
fi

# ---- a package without the library ----
run_make BUNDLE=0 PY_ROOT="$work/pure" python || fail "make python BUNDLE=0: $(tail -n 5 "$work/log")"
[ -e "$work/pure/g6gpu/lib" ] && fail "BUNDLE=0 packs the library"
export PYTHONPATH="$work/pure"
library=$(cd "$B/lib" && pwd)
LD_LIBRARY_PATH=$library "$python" "$client" libg6gpu.so 2>"$work/log" || fail "by its soname: $(cat "$work/log")"
G6GPU_LIBRARY=$library/libg6gpu.so "$python" "$client" "$library" 2>"$work/log" ||
    fail "G6GPU_LIBRARY: $(cat "$work/log")"
if [ -x "$work/venv/bin/python" ]; then
    "$work/venv/bin/pip" uninstall -y g6gpu >"$work/log" 2>&1
    cp -r "$B"/lib/* "$work/venv/lib"
    "$work/venv/bin/python" "$client" "$work/venv/lib/libg6gpu" 2>"$work/log" || fail "in the environment: $(cat "$work/log")"
fi
refuses() { # library ("": none), what the last line says
    G6GPU_LIBRARY=$1 "$python" -c 'import g6gpu' 2>"$work/log" && fail "taken: $1"
    tail -n 1 "$work/log" | grep -q "^ImportError: .*$2" || fail "$1: $(cat "$work/log")"
}
version=$("$B/bin/g6info" --version | cut -d' ' -f2)
refuses "$work/none.so" "cannot load $work/none.so: .*G6GPU_LIBRARY names it"
ldconfig -p 2>/dev/null | grep -q 'libg6gpu\.so' || refuses "" 'set G6GPU_LIBRARY to its file, or install libg6gpu'
echo 'int none;' >"$work/a.c"
$CC -shared -fPIC "$work/a.c" -o "$work/other.so" && refuses "$work/other.so" 'g6_version'
for other in "$((${version%%.*} - 1)).9.0" "$((${version%%.*} + 1)).0.0"; do
    printf 'const char *g6_version(void) { return "%s"; }\nconst char *g6_last_error(void) { return ""; }\n' "$other" >"$work/a.c"
    $CC -shared -fPIC "$work/a.c" -o "$work/$other.so" &&
        refuses "$work/$other.so" "g6gpu $version needs libg6gpu $version or a later .*\.so is $other"
done
finish
