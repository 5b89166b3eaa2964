#!/bin/sh
# SPDX-License-Identifier: MIT
# One Debian package of an installed tree: library, development files, backends, tools, Python module, manual, examples.
# usage: sh deb.sh VERSION FOLDER     FOLDER/root: filled by make install PREFIX=/usr DESTDIR=FOLDER/root
set -eu
version=$1 folder=$(CDPATH="" cd -- "$2" && pwd)
root=$folder/root
here=$(dirname "$0")
architecture=$(dpkg --print-architecture)
package=libg6gpu_${version}_${architecture}.deb

find "$root" -name '*.so*' -type f -exec strip --strip-unneeded {} +
find "$root" -name '*.a' -exec strip --strip-debug {} +
# g6plot is a script.
find "$root/usr/bin" -type f ! -name g6plot -exec strip {} +
gzip -9nf "$root"/usr/share/man/man?/*.[13]
doc=$root/usr/share/doc/libg6gpu
mkdir -p "$doc/docs/measurements" "$doc/packaging" "$doc/examples" "$root/DEBIAN"
cp "$here/../../LICENSE" "$doc/copyright"
cp "$here/../../README.md" "$here/../../CONTRIBUTING.md" "$here/../../CHANGELOG.md" "$here/../../CITATION.cff" "$doc"
cp "$here/../../packaging/README.md" "$doc/packaging"
(cd "$here/../../examples" && cp -r ./*.c ./*.cpp ./*.f ./*.f90 ./*.py ./*.ipynb cosmology "$doc/examples")
cp "$here/../../docs/"*.md "$here/../../docs/"*.png "$here/../../docs/"*.svg "$doc/docs"
cp "$here/../../docs/measurements/"*.md "$here/../../docs/measurements/"*.svg "$here/../../docs/measurements/"*.csv "$doc/docs/measurements"

# What the library and the tools need.  Not the backends: the drivers that those need are looked for
# at run time, and a backend without its driver refuses itself.
mkdir -p "$folder/work/debian"
printf 'Source: libg6gpu\n\nPackage: libg6gpu\nArchitecture: any\n' >"$folder/work/debian/control"
library=$(cd "$folder/work" && find ../root/usr/lib -name 'libg6gpu.so.*' -type f)
# shellcheck disable=SC2046  # one option per file
depends=$(cd "$folder/work" && dpkg-shlibdeps -O -l"$(dirname "$library")" "-e$library" \
    $(find ../root/usr/bin -type f ! -name g6plot -printf ' -e%p') 2>log | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || {
    echo "make deb: dpkg-shlibdeps finds no libraries that the package depends on:" >&2
    cat "$folder/work/log" >&2
    exit 1
}

# It takes the place of the packages of packaging/debian, which have the same files but no CUDA.
major=${version%%.*}
cat >"$root/DEBIAN/control" <<CONTROL
Package: libg6gpu
Version: $version
Architecture: $architecture
Section: science
Priority: optional
Maintainer: ${DEBFULLNAME:-libg6gpu} <${DEBEMAIL:-libg6gpu@localhost}>
Installed-Size: $(du -sk "$root" | cut -f1)
Depends: $depends
Provides: libg6gpu$major (= $version), libg6gpu-dev (= $version), g6gpu-tools (= $version), g6gpu-mpi (= $version), python3-g6gpu (= $version)
Conflicts: libg6gpu$major, libg6gpu-dev, g6gpu-tools, g6gpu-mpi, python3-g6gpu
Replaces: libg6gpu$major, libg6gpu-dev, g6gpu-tools, g6gpu-mpi, python3-g6gpu
Recommends: python3-numpy, python3-h5py, python3-matplotlib
Suggests: gfortran, ocl-icd-libopencl1, libcuda1, openmpi-bin
Description: GRAPE-6 interface on GPUs and CPUs
 A shared library with the C and Fortran interface of the GRAPE-6
 special-purpose computer: codes written for that machine run on today's
 GPUs and CPUs by relinking.  With headers, backends, the Python module
 g6gpu, examples, and the tools g6info, g6run, g6plot, g6bench, g6check and
 g6worker.
CONTROL
echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
(cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2 >DEBIAN/md5sums)
dpkg-deb --root-owner-group --build "$root" "$folder/$package" >/dev/null
echo "$folder/$package"
