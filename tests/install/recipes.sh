#!/bin/sh
# SPDX-License-Identifier: MIT
# The recipes of packaging/: they have the version of g6lib.h; what make install puts there is what the Debian packages
# are made of, each file in one of them; conda's build.sh and Spack's package.py install a library and a Python module
# that work.  make debian-packages builds the Debian packages.
. "$(dirname "$0")/../script.inc"
[ -z "${SAN:-}" ] || skip "a sanitizer's library is no package"
version=$(sed -n 's/^#define G6_VERSION_[A-Z]* //p' include/g6lib.h | paste -sd.)
major=${version%%.*}
debian=packaging/debian
# A build without CUDA is no choice for the build folder.
export CUDA_CHOICE=
run_make() { "$MAKE" --no-print-directory B="$B" NVCC= "$@" >"$work/log" 2>&1; }
export PYTHONDONTWRITEBYTECODE=1

# ---- versions ----
has() { # file, line
    grep -qxF -e "$2" "$1" || fail "$1 lacks the line: $2"
}
head -n 1 $debian/changelog | grep -q "^libg6gpu ($version-[1-9]" || fail "another version: $(head -n 1 $debian/changelog)"
has $debian/control "Package: libg6gpu$major"
[ -f "$debian/libg6gpu$major.install" ] || fail "no $debian/libg6gpu$major.install"
has packaging/conda/recipe.yaml "  version: $version"
has packaging/conda/recipe.yaml "        - libg6gpu >=\${{ version }},<$((major + 1))"
has CITATION.cff "version: $version"

# ---- Debian: each installed file is in one package, each line of *.install names a file ----
# shellcheck disable=SC2016,SC2046  # words; a variable of make
run_make $(sed -n 's/^SETTINGS = //p' $debian/rules | sed 's/$(DEB_HOST_MULTIARCH)/some-linux-gnu/') PYTHON="${PYTHON:-python3}" \
    COMPAT= DESTDIR="$work/tmp" install || fail "make install: $(tail -n 5 "$work/log")"
run_make BUNDLE=0 PY_ROOT="$work/tmp/usr/lib/python3/dist-packages" python || fail "make python: $(tail -n 5 "$work/log")"
# Tools and backends that this machine cannot build.
absent=""
for name in g6_mpi.so g6_opencl.so g6bench g6check g6plot g6run g6worker; do
    [ -f "$B/bin/$name" ] || [ -f "$B/lib/g6gpu/$name" ] || absent="$absent $name"
done
[ -z "$absent" ] || echo "recipes.sh: not here:$absent"
for list in "$debian"/*.install; do
    grep -q "^Package: $(basename "$list" .install)\$" $debian/control || fail "$list belongs to no package"
    while read -r line; do
        case $line in *" "*) line=${line% *} ;; esac
        set -f
        for pattern in $line; do
            set +f
            # shellcheck disable=SC2086  # a pattern
            (cd "$work/tmp" && find $pattern ! -type d 2>/dev/null) >"$work/found"
            cat "$work/found" >>"$work/packaged"
            name=$(basename "$pattern" .1)
            case " $absent " in *" ${name#_} "*) continue ;; esac
            # shellcheck disable=SC2086  # a pattern
            [ -s "$work/found" ] || ls $pattern >/dev/null 2>&1 || fail "$list names a file that is not there: $pattern"
        done
        set +f
    done <"$list"
done
(cd "$work/tmp" && find usr ! -type d) | LC_ALL=C sort >"$work/installed"
LC_ALL=C sort "$work/packaged" | cmp -s "$work/installed" - ||
    fail "installed (<) and packaged (>): $(LC_ALL=C sort "$work/packaged" | diff "$work/installed" - | head -n 5)"

for name in $(sed -n 's/^Tests: //p' $debian/tests/control); do
    [ -x "$debian/tests/$name" ] || fail "$debian/tests/control names a test that is no program: $name"
done
for package in $(sed -n 's/^Depends: //p' $debian/tests/control | tr -d ,); do
    case $package in *g6gpu*) grep -q "^Package: $package\$" $debian/control || fail "$debian/tests need a package that is none: $package" ;; esac
done

# ---- conda ----
if find_python yaml; then
    "$python" - packaging/conda/recipe.yaml 2>"$work/log" <<'PYTHON' || fail "recipe.yaml: $(tail -n 1 "$work/log")"
import sys, yaml
recipe = yaml.safe_load(open(sys.argv[1]))
assert recipe["schema_version"] == 1
names = [output["package"]["name"] for output in recipe["outputs"]]
assert names == ["libg6gpu", "g6gpu"], names
known = {"schema_version", "context", "recipe", "source", "build", "outputs", "about"}
assert set(recipe) <= known, set(recipe) - known
PYTHON
else
    echo "recipes.sh: the YAML of recipe.yaml is left out (no Python with yaml)"
fi
conda=$work/conda
find_python numpy || python=""
[ -z "$python" ] || "$python" -m venv --system-site-packages --without-pip "$conda" || fail "no environment"
# rattler-build names the Python of a package that may have none.
NVCC="" B="$B" PYTHON="$conda/none" PREFIX="$conda" bash packaging/conda/build.sh >"$work/log" 2>&1 || fail "build.sh: $(tail -n 5 "$work/log")"
G6_BACKEND=cpu "$conda/bin/g6info" >"$work/log" 2>&1 || fail "conda's g6info: $(cat "$work/log")"
case " $absent " in *" g6plot "*) ;; *) [ -f "$conda/bin/g6plot" ] || fail "conda's package lacks g6plot" ;; esac
grep -q "file *$conda/lib/libg6gpu" "$work/log" || fail "conda's g6info uses another library"
if [ -n "$python" ]; then
    PYTHONPATH="$work/tmp/usr/lib/python3/dist-packages" "$conda/bin/python" tests/python/client.py "$conda" 2>"$work/log" ||
        fail "conda's Python: $(tail -n 3 "$work/log")"

    # ---- Spack ----
    spack=$work/spack
    "$python" tests/install/spack_recipe.py "$spack" "$MAKE" --no-print-directory B="$B" >"$work/out" 2>"$work/log" ||
        fail "Spack's recipe: $(tail -n 5 "$work/log")"
    has "$work/out" "version $version"
    grep -q "^address .*/libg6gpu-$version.tar.gz\$" "$work/out" || fail "$(grep address "$work/out")"
    grep -q '^settings g6run : .*HDF5_CFLAGS=-I/hdf5/include HDF5_LIBS=-L/hdf5/lib -lhdf5 ' "$work/out" || fail "$(cat "$work/out")"
    grep -q '^files bin/g6bench bin/g6run lib/g6gpu/g6_mpi.so$' "$work/out" || fail "$(cat "$work/out")"
    grep -q '^settings mpi : .*NVCC= HAVE_HDF5= MPICXX=/mpi/mpicxx OPENCL=$' "$work/out" || fail "$(cat "$work/out")"
    grep -q '^settings cuda 90 : .*NVCC=/cuda/bin/nvcc NVARCH=sm_90 ' "$work/out" || fail "$(cat "$work/out")"
    [ "$(grep -c '^settings cuda .*NVARCH=all-major ' "$work/out")" = 2 ] || fail "$(cat "$work/out")"
    G6_BACKEND=cpu "$spack/bin/g6info" >"$work/log" 2>&1 || fail "Spack's g6info: $(cat "$work/log")"
    env PYTHONPATH="$spack/python" "$(sed -n 's/^environment //p' "$work/out")" \
        "$python" tests/python/client.py "$spack" 2>"$work/log" || fail "Spack's Python: $(tail -n 3 "$work/log")"
else
    echo "recipes.sh: Python and Spack are left out (no Python with numpy)"
fi
finish
