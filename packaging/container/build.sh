#!/bin/sh
# SPDX-License-Identifier: MIT
# The two steps of a container, on a base of Debian or Ubuntu: the Debian package is built in one image, with CUDA where
# the base has nvcc, and installed in another one, which needs no compiler.
# usage: sh build.sh build SOURCE      makes SOURCE/build/deb/libg6gpu_*.deb
#        sh build.sh install FOLDER    installs the package of that folder, and what g6plot needs
set -eu
export DEBIAN_FRONTEND=noninteractive
packages() {
    apt-get update
    apt-get install -y --no-install-recommends "$@"
    rm -rf /var/lib/apt/lists/*
}
case $1 in
build)
    packages make g++ libcli11-dev libhdf5-dev opencl-headers ocl-icd-opencl-dev python3 dpkg-dev
    # What was built on the machine that the source comes from, and its settings.
    rm -rf "$2/build" "$2/config.mk"
    make -C "$2" -j"$(nproc)" MPI= deb
    ;;
install)
    packages "$2"/libg6gpu_*.deb python3-numpy python3-h5py python3-matplotlib
    g6info
    ;;
*)
    echo "build.sh: no step is called $1" >&2
    exit 2
    ;;
esac
