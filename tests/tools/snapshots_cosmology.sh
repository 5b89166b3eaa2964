#!/bin/sh
# SPDX-License-Identifier: MIT
# Snapshots of a cosmological run in h5py, yt and pynbody: what these call a Mpc, a km/s and a solar
# mass, the redshift and the age must be what the initial conditions say.
# PYTHON: the interpreter that has these.  What is missing is skipped.
. "$(dirname "$0")/../script.inc"
export G6_BACKEND=cpu
run=$B/bin/g6run
[ -x "$run" ] || skip "g6run was not built"
find_python h5py numpy || skip "no Python with h5py and numpy"
has() {
    "$python" -c "import $1" 2>/dev/null && return
    echo "snapshots_cosmology.sh: left out: $1 ($python has none)"
    return 1
}
export MPLBACKEND=agg MPLCONFIGDIR="$work" HOME="$work"

# A lattice of 16^3 in a box of 40 Mpc/h at z = 9, at rest but for one particle in the middle: 90 km/s
# of peculiar motion, which is u = 90 sqrt(10) in the file.
"$python" - "$work/ics.hdf5" <<'PYTHON'
import sys, h5py, numpy as np
n, box = 16, 40.0
x = (np.indices((n, n, n)).reshape(3, -1).T + 0.5) * box / n
u = np.zeros_like(x)
u[(n // 2) * (n * n + n + 1), 0] = 90 * 10 ** 0.5
counts = np.array([0, n ** 3, 0, 0, 0, 0], dtype=np.uint32)
mass = 27.7536627 * 0.3 * (box / n) ** 3
with h5py.File(sys.argv[1], "w") as file:
    file.create_group("Header").attrs.update(dict(
        NumPart_ThisFile=counts, NumPart_Total=counts, MassTable=[0, mass, 0, 0, 0, 0], Time=0.1, Redshift=9.0,
        BoxSize=box, NumFilesPerSnapshot=1, Omega0=0.3, OmegaLambda=0.7, HubbleParam=0.7))
    file["PartType1/Coordinates"], file["PartType1/Velocities"] = x, u
PYTHON
"$run" --cosmology --input "$work/ics.hdf5" --sphere 14Mpc --eps 1Mpc --n-steps 8 --z-out 2 --quiet \
    --output "$work/run" || fail "g6run: status $?"

# Of the first snapshot: 14 Mpc comoving are 1.4 Mpc at z = 9; a particle has 27.7536627e10 * 0.3 *
# 2.5^3 / 0.7 = 1.85850e12 solar masses; the universe is 0.53744 Gyr old: 2/(3 H0 sqrt(0.7))
# asinh(sqrt(7/3) 0.1^1.5), H0 = 0.7 / 9.77792 Gyr.
check='
def check(redshift, age, mass, radius, speed):
    print(redshift, age, mass, radius, speed)
    assert abs(redshift - 9) < 1e-9 and abs(age / 0.53744 - 1) < 1e-4
    assert abs(mass / 1.85850e12 - 1) < 1e-4
    assert 1.25 < radius <= 1.4, radius
    assert abs(speed / 90 - 1) < 1e-9
'
try() { # name; the program on standard input
    { echo "$check" && cat; } >"$work/with_$1.py"
    timeout 300 "$python" "$work/with_$1.py" "$work/run/snapshot_0000.hdf5" >"$work/out" 2>&1 ||
        fail "$1: $(tail -n 20 "$work/out")"
}

try h5py <<'PYTHON'
import sys, h5py, numpy as np
with h5py.File(sys.argv[1]) as file:
    head, bodies = dict(file["Header"].attrs), file["PartType1"]
    a, h = head["Time"], head["HubbleParam"]
    x, v = bodies["Position"][:] * a / h / 1000, bodies["Velocities"][:] * a ** 0.5
    assert np.allclose(bodies["Coordinates"][:], bodies["Position"][:] + head["BoxSize"] / 2)
    check(head["Redshift"], head["Time_GYR"], head["MassTable"][1] * 1e10 / h,
          np.linalg.norm(x, axis=1).max(), np.abs(v).max())
PYTHON
has yt && try yt <<'PYTHON'
import sys, numpy as np, yt
yt.set_log_level("error")
ds = yt.load(sys.argv[1])
assert ds.cosmological_simulation and ds.omega_matter == 0.3 and ds.omega_lambda == 0.7 and ds.hubble_constant == 0.7
data = ds.all_data()
x = data["all", "particle_position"].to("Mpc").v - ds.domain_center.to("Mpc").v
check(ds.current_redshift, ds.current_time.to("Gyr").v, data["all", "particle_mass"][0].to("Msun").v,
      np.linalg.norm(x, axis=1).max(), np.abs(data["all", "particle_velocity"].to("km/s").v).max())
PYTHON
has pynbody && try pynbody <<'PYTHON'
import sys, numpy as np, pynbody
s = pynbody.load(sys.argv[1])
box = float(s.properties["boxsize"].in_units("Mpc", **s.conversion_context()))
s.physical_units("Mpc", "km s^-1", "Msol")
p = s.properties
assert p["omegaM0"] == 0.3 and p["omegaL0"] == 0.7 and p["h"] == 0.7
check(1 / p["a"] - 1, float(p["time"].in_units("Gyr")), float(s.dm["mass"][0]),
      np.linalg.norm(s.dm["pos"] - box / 2, axis=1).max(), float(np.abs(s.dm["vel"]).max()))
PYTHON
finish
