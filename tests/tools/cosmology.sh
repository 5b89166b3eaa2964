#!/bin/sh
# SPDX-License-Identifier: MIT
# Initial conditions of examples/cosmology against theory (tests/cosmology), the program that makes them, and its
# files in g6plot and g6run.  PYTHON: an interpreter with numpy, h5py and matplotlib; with camb and colossus their
# spectra are compared, too.
. "$(dirname "$0")/../script.inc"
find_python numpy h5py matplotlib || skip "no Python with numpy, h5py and matplotlib"
export MPLCONFIGDIR="$work" PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=tools:examples/cosmology "$python" -m unittest discover -s tests/cosmology >"$work/out" 2>&1 || fail "$(cat "$work/out")"

make_ic() { "$python" examples/cosmology/make_ic.py "$@" >"$work/out" 2>&1; }
make_ic "$work/ic.hdf5" --grid 16 --box 60 --sphere 30 || fail "make_ic.py: $(cat "$work/out")"
grep -q 'particles of .* Msun at z = 49, a sphere of 30 Mpc from a box of 60 Mpc' "$work/out" || fail "$(cat "$work/out")"
make_ic "$work/ic.hdf5" && fail "a file is replaced unasked"
make_ic --help && grep -q -e '--sphere' "$work/out" || fail "no --help: $(cat "$work/out")"
make_ic "$work/none/ic.hdf5" && fail "a file in no folder"
grep -q Traceback "$work/out" && fail "$(cat "$work/out")"
make_ic "$work/box.hdf5" --grid 16 --box 60 || fail "a whole box: $(cat "$work/out")"

# The same waves with the spectra of other codes: displacements differ by a few per cent, at most.
for code in camb colossus; do
    "$python" -c "import $code" 2>/dev/null || { echo "cosmology.sh: left out: $code ($python has none)"; continue; }
    make_ic "$work/$code.hdf5" --grid 16 --box 60 --power $code || fail "--power $code: $(cat "$work/out")"
    "$python" - "$work/box.hdf5" "$work/$code.hdf5" <<'PYTHON' || fail "--power $code differs"
import sys, h5py, numpy as np
v, w = (h5py.File(name)["PartType1/Velocities"][:] for name in sys.argv[1:])
assert 0 < np.abs(v - w).std() / v.std() < 0.1, np.abs(v - w).std() / v.std()
PYTHON
done

if [ -x "$B/bin/g6plot" ]; then
    "$python" "$B/bin/g6plot" map "$work/ic.hdf5" --width 80Mpc >"$work/out" 2>&1 || fail "g6plot map: $(cat "$work/out")"
    "$python" "$B/bin/g6plot" map "$work/box.hdf5" --periodic --centre 30Mpc,0,0 >"$work/out" 2>&1 ||
        fail "g6plot map --periodic: $(cat "$work/out")"
    if "$python" -c 'import scipy.spatial' 2>/dev/null; then
        # A lattice has no halos.
        "$python" "$B/bin/g6plot" halos "$work/box.hdf5" --periodic >"$work/out" 2>&1 || fail "g6plot halos: $(cat "$work/out")"
        grep -q ': no halo has 20 particles' "$work/out" || fail "g6plot halos: $(cat "$work/out")"
        "$python" "$B/bin/g6plot" halos "$work/ic.hdf5" --periodic >"$work/out" 2>&1 && fail "a sphere is no periodic box"
        grep -q 'do not fill the box' "$work/out" || fail "a sphere with --periodic: $(cat "$work/out")"
    fi
fi
if [ -x "$B/bin/g6run" ]; then
    # The largest waves of 4220 particles grow as linear theory has it.
    make_ic "$work/grow.hdf5" --grid 20 --box 90 --sphere 45 || fail "make_ic.py: $(cat "$work/out")"
    "$B/bin/g6run" --cosmology --input "$work/grow.hdf5" --sphere 45Mpc --eps 200kpc --step-in loga --n-steps 40 --z-end 5 \
        --backend cpu --quiet --output "$work/grow" >"$work/out" 2>&1 || fail "g6run: $(cat "$work/out")"
    "$python" examples/cosmology/growth.py "$work/grow" --radius 20,25 --tolerance 0.02 >"$work/out" 2>&1 ||
        fail "growth.py: status $?: $(cat "$work/out")"

    G6_MAC=bmax "$B/bin/g6run" --restart "$work/grow/snapshot_0000.hdf5" --backend cpu --strict --output "$work/mac" >"$work/out" 2>&1
    grep -q 'G6_MAC=bmax has no effect: the run has mac bh' "$work/out" || fail "a restart with G6_MAC: $(cat "$work/out")"
    # A restart that is killed behind its first snapshot leaves the rows up to this snapshot.  Particles are kept after
    # each hundredth of these steps.
    killed() { # the snapshot behind which the run is killed, options of g6run
        file=$work/killed/snapshot_000$1.hdf5
        shift
        "$B/bin/g6run" --backend cpu --quiet "$@" 2>"$work/out" &
        pid=$!
        wait_until [ -e "$file" ] || fail "g6run $*: $(cat "$work/out")"
        sleep 0.1
        kill -KILL $pid
        wait $pid 2>/dev/null
    }
    killed 1 --cosmology --input "$work/grow.hdf5" --sphere 45Mpc --eps 200kpc --n-steps 6400 --snapshot 105 --output "$work/killed"
    killed 2 --restart "$work/killed"
    [ "$(awk '$1 <= 210' "$work/killed/table.txt" | grep -vc '#')" = 211 ] || fail "rows are lost: $(tail -1 "$work/killed/table.txt")"
fi
finish
