#!/bin/sh
# SPDX-License-Identifier: MIT
# Includes go one way.  Each folder may include its own files and those of the folders in its line below, nothing else of
# this repository.
# usage: sh tests/layers.sh
. "$(dirname "$0")/script.inc"
cd "$(dirname "$0")/.." || exit 1

# A folder or a file, and what it may include besides itself.
cat >"$work/rules" <<'END'
include
libg6gpu/base          include
libg6gpu/formulas
libg6gpu/backend.h     include libg6gpu/base libg6gpu/formulas
libg6gpu/point_sums.h  libg6gpu/backend.h
libg6gpu/particles     include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h
libg6gpu/tree          include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h libg6gpu/particles
libg6gpu/settings      include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h
libg6gpu/trace         include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h libg6gpu/settings
libg6gpu/core          include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h libg6gpu/point_sums.h libg6gpu/particles libg6gpu/tree libg6gpu/settings
libg6gpu/api           include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h libg6gpu/settings libg6gpu/trace libg6gpu/core
fortran                include libg6gpu/api
backends/cpu           include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h libg6gpu/point_sums.h libg6gpu/settings libg6gpu/particles libg6gpu/tree
backends/gpu           include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h
backends/cuda          backends/gpu include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h libg6gpu/settings libg6gpu/tree
backends/opencl        backends/gpu include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h libg6gpu/settings libg6gpu/particles libg6gpu/tree
backends/mpi           include libg6gpu/base libg6gpu/formulas libg6gpu/backend.h libg6gpu/settings
tools/common           include libg6gpu/trace/format.h
tools/g6info           include tools/common
tools/g6bench          include tools/common
tools/g6check          include tools/common
tools/g6run            include tools/common
tools/g6worker         include tools/common
tools/g6probe          include libg6gpu/core/backend_file.h libg6gpu/core/driver_probe.h
END

# FILE INCLUDED, both from the top of the repository.
find include libg6gpu fortran backends tools examples -name '*.h' -o -name '*.cpp' -o -name '*.c' -o -name '*.cu' -o \
    -name '*.cuh' -o -name '*.cl' | while read -r file; do
    sed -n 's/^[[:space:]]*#[[:space:]]*include "\([^"]*\)".*/\1/p' "$file" | while read -r name; do
        for found in "$(dirname "$file")/$name" "include/$name" "$name"; do
            [ -f "$found" ] && echo "$file $(realpath --relative-to=. "$found")" && break
        done
    done
done >"$work/includes"
[ "$(wc -l <"$work/includes")" -gt 300 ] || fail "only $(wc -l <"$work/includes") includes were found"

awk 'NR == FNR { folder[++n] = $1; for (k = 1; k <= NF; k++) may[$1 " " $k] = 1; next }
     function home(path, k) { for (k = 1; k <= n; k++) if (index(path, folder[k]) == 1) return folder[k]; return "" }
     { from = home($1); to = home($2)
       if (from == "") { if ($1 !~ /^examples/ || to !~ /^include/ && to != "") print $1 " includes " $2 }
       else if (!((from " " to) in may) && !((from " " $2) in may)) print $1 " includes " $2 }
     ' "$work/rules" "$work/includes" >"$work/wrong"
[ -s "$work/wrong" ] && fail "against the layers:
$(cat "$work/wrong")"
finish
