#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian or Ubuntu packages that the build lacks.  Called by make demo and make check.
# Never fails for an absent package manager: it names what is missing and lets make go on with what is there.
# G6_NO_APT=1 keeps it from installing anything.

missing=""
need() { # package, test command
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
header() { printf '#include <%s>\n' "$1" | ${CXX:-g++} -E -x c++ -I/usr/include/hdf5/serial - ; }
opencl_loader() { echo 'int main() { return 0; }' | ${CXX:-g++} -x c++ - -o /dev/null -lOpenCL; }
# Any driver will do; PoCL computes on the processor.
opencl_driver() { ls "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; }

need g++ command -v "${CXX:-g++}"
need gfortran command -v "${FC:-gfortran}"
need libgtest-dev header gtest/gtest.h
need libcli11-dev header CLI/CLI.hpp
need libhdf5-dev header hdf5.h
need opencl-headers header CL/cl.h
need ocl-icd-opencl-dev opencl_loader
need pocl-opencl-icd opencl_driver

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
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp) || exit 0
# shellcheck disable=SC2086  # one word per package
if $sudo apt-get update >"$log" 2>&1 &&
    $sudo apt-get install -y --no-install-recommends $missing >>"$log" 2>&1; then
    rm -f "$log"
else
    tail -n 3 "$log"
    echo "apt could not install:$missing; going on with what is there (whole log: $log)"
fi
exit 0
