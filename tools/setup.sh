#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian or Ubuntu packages that are missing, and shows its progress.
# usage: sh tools/setup.sh run      what the library, g6run and g6plot need (make demo)
#        sh tools/setup.sh check    what the tests need, too (make check)
# Its exit status is always 0: where nothing can be installed it names the missing packages, and make
# goes on with what is there.  With G6_NO_APT=1 it installs nothing.

missing=""
need() { # package, test command
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
header() { ${CXX:-g++} -E -x c++ -I/usr/include/hdf5/serial -include "$1" /dev/null; }
opencl_loader() { echo 'int main() { return 0; }' | ${CXX:-g++} -x c++ - -o /dev/null -lOpenCL; }
# Any driver will do; PoCL computes on the processor.
opencl_driver() { ls "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; }
# Debian's modules belong to its own Python; another one may be the first in PATH.
python_module() { /usr/bin/python3 -c "import $1" || ${PYTHON:-python3} -c "import $1"; }

# Another MPI will do as well as Open MPI.
mpi_compiler() { echo 'int main() { return MPI_Finalize(); }' | ${MPICXX:-mpicxx} -include mpi.h -x c++ - -o /dev/null; }

# The compiler is the last word of CXX, as in "ccache g++"; clang++-19 belongs to the package clang-19.
compiler=${CXX:-g++}
compiler=${compiler##* }
compiler=${compiler##*/}
# shellcheck disable=SC2086  # a command with its words
case $compiler in
clang++*) need "clang${compiler#clang++}" command -v ${CXX:-g++} ;;
*) need g++ command -v ${CXX:-g++} ;;
esac
need libcli11-dev header CLI/CLI.hpp
need libhdf5-dev header hdf5.h
for module in numpy h5py matplotlib; do need python3-$module python_module $module; done
if [ "${1:-check}" = check ]; then
    need gfortran command -v "${FC:-gfortran}"
    need libgtest-dev header gtest/gtest.h
    need opencl-headers header CL/cl.h
    need ocl-icd-opencl-dev opencl_loader
    need pocl-opencl-icd opencl_driver
    need libopenmpi-dev mpi_compiler
    need openmpi-bin command -v mpirun
    for module in pytest hypothesis; do need python3-$module python_module $module; done
    need python3-venv python_module ensurepip
    need python3-sphinx python_module sphinx
    need python3-myst-parser python_module myst_parser
    need dpkg-dev command -v dpkg-shlibdeps
    # Other systems than Debian 12 have other versions, which would not agree (tests/format.sh).
    ! grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release || need clang-format-14 command -v clang-format-14
fi

# Who starts the demo knows at once whether a picture will be its end.
no_picture() {
    python_module numpy && python_module h5py && python_module matplotlib && return
    echo "the demo will not draw its run: there is no Python with numpy, h5py and matplotlib"
}
[ "${1:-check}" = run ] && trap 'no_picture 2>/dev/null' EXIT
[ -z "$missing" ] && exit 0

sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
if [ "${G6_NO_APT:-0}" = 1 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "not installed, going on without:$missing (names of Debian packages)"
    exit 0
fi
if [ -n "$sudo" ] && ! command -v sudo >/dev/null 2>&1; then
    echo "not root and no sudo, going on without:$missing (names of Debian packages)"
    exit 0
fi
# sudo hands on no variables.  The messages of apt are read below.
apt="$sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get"
folder=$(mktemp -d) || exit 0
log=$folder/log
trap 'rm -rf "$folder"; exit 1' HUP INT TERM
# DPkg::Lock::Timeout is for the lock of dpkg; update has one for its lists, and does not wait for it.
update() {
    for try in $(seq 120); do
        $apt update >"$folder/update" 2>&1
        status=$?
        cat "$folder/update"
        grep -q 'Could not get lock' "$folder/update" || break
        sleep 5
    done
    return "$status"
}
echo "installing:$missing"
. "$(dirname "$0")/line_awk.inc"
# shellcheck disable=SC2086  # one word per package
{
    update && $apt install -y --no-install-recommends -o DPkg::Lock::Timeout=600 $missing && echo "all installed"
} 2>&1 | tee "$log" | $line_awk '
    /Could not get lock/ && !told { told = 1; print "  waiting for another apt, ten minutes at most"; fflush() }
    / newly installed/ { total = $3 }
    /^Need to get / { print "  " $0; wanted = 1; fflush() }
    /^Get:/ && wanted && ++g % 10 == 0 { printf "  %d of %d packages fetched\n", g, total; fflush() }
    /^Unpacking / { if (++n % 10 == 0 || n == total) { printf "  %d of %d packages unpacked\n", n, total; fflush() } }
    /^Setting up / { if (++m % 10 == 0 || m == total) { printf "  %d of %d packages set up\n", m, total; fflush() } }'
if tail -n 1 "$log" | grep -q '^all installed$'; then
    rm -rf "$folder"
else
    tail -n 3 "$log"
    echo "apt could not install:$missing; going on with what is there (whole log: $log)"
fi
exit 0
