#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library exports every name of g6lib.h and its Fortran twins, and nothing else: with one
# name missing a stub library takes over all of them, a name too many collides with an application.
set -u
lib=$B/lib/libg6gpu.so
failed=0
names=$(nm -D --defined-only "$lib" | awk '$2 ~ /[TWVi]/ { print $3 }' | sort -u)
has() { printf '%s\n' "$names" | grep -qx "$1"; }
fail() { echo "exports: $1"; failed=1; }
functions() { sed -n 's/^G6_API[^(]*[ *]\(g[a-z0-9_]*\)(.*/\1/p' | sort -u; }

header=$(functions < include/g6lib.h)
test "$(printf '%s\n' "$header" | wc -l)" -ge 70 || fail "only few names found in g6lib.h"
for name in $header; do has "$name" || fail "$name of g6lib.h is missing"; done

# Parts 1 to 4 of the header have twins with one and two underscores.
for name in $(sed -n '1,/^ \* 5\. /p' include/g6lib.h | functions); do
    case $name in *_) continue ;; esac
    has "${name}_" || fail "${name}_ is missing"
    has "${name}__" || fail "${name}__ is missing"
done

# sapporo's sixth-order names and GRAPE-4's h3 calls belong to applications.
for name in initialize set_j_particle predict_all h3npipe_ h3npipe; do
    has "$name" && fail "$name must not be exported"
done
for name in $names; do
    case $name in
    g6_* | g6calc_* | get_device_count | get_device_count_*) ;;
    *) fail "$name is exported" ;;
    esac
done

# An application that is linked with -lg6gpu must start on a machine without drivers.
for wanted in $(objdump -p "$lib" | awk '$1 == "NEEDED" { print $2 }'); do
    case $wanted in *cuda* | *OpenCL* | *nvidia*) fail "needs $wanted" ;; esac
done
test $failed = 0 && echo "exports: ok ($(printf '%s\n' "$names" | wc -l) names)"
exit $failed
