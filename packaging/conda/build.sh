#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the library with its backends, headers and tools into PREFIX.  conda's compilers are in CXX; NVCC= leaves CUDA
# out.  NVARCH is not that of the machine that builds, and PYTHON, which g6plot names in its first line, not conda's path
# of a Python that this package does not have.
set -euo pipefail
settings=(PREFIX="$PREFIX" LIBDIR="$PREFIX/lib" NVARCH=all-major PYTHON=python3 COMPAT=)
# conda's HDF5, also where Debian's is there.
[ ! -f "$PREFIX/include/hdf5.h" ] || settings+=(HDF5_CFLAGS= HDF5_LIBS=-lhdf5)
# conda's flags end with -O2; pair loops need the Makefile's -O3, because they call functions that must be inlined.
[ -z "${CXXFLAGS:-}" ] || export CXXFLAGS=${CXXFLAGS/-O2/-O3}
make -j"${CPU_COUNT:-2}" "${settings[@]}" install
