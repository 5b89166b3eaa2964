#!/bin/sh
# SPDX-License-Identifier: MIT
# Snapshots in other programs, as their tutorials use them: h5py and examples/plot_snapshot.py, yt, pynbody; those of a
# cosmological run, too.  PYTHON: the interpreter that has these.  What is missing is skipped.
. "$(dirname "$0")/../script.inc"
export G6_BACKEND=cpu
run=$B/bin/g6run
[ -x "$run" ] || skip "g6run was not built"
find_python numpy h5py matplotlib || skip "no Python with numpy, h5py and matplotlib"
has() { # modules
    for module in "$@"; do
        "$python" -c "import $module" 2>/dev/null && continue
        echo "snapshots.sh: left out: $* ($python has no $module)"
        return 1
    done
}
export MPLBACKEND=agg MPLCONFIGDIR="$work" HOME="$work"

"$run" --plummer 1000 --eps 1/64 --t-end 1/4 --units 2pc,1e4Msun --quiet --output "$work/run" ||
    fail "g6run: status $?"
file=$work/run/snapshot_0001.hdf5
try() { # name, arguments; the program on standard input
    name=$1
    shift
    timeout 300 "$python" - "$file" "$@" >"$work/out" 2>&1 || fail "$name: $(tail -n 20 "$work/out")"
}

if has h5py matplotlib; then
    "$python" examples/plot_snapshot.py "$file" "$work/plot.png" >"$work/out" 2>&1 ||
        fail "plot_snapshot.py: $(cat "$work/out")"
    grep -q '^1000 bodies at t = 0.25, mass 1,' "$work/out" && [ -s "$work/plot.png" ] ||
        fail "plot_snapshot.py: $(cat "$work/out")"
    # The table counts from the density centre, which is 0.4/sqrt(1000) off at most: 5 % of the smallest radius.
    awk '/^Lagrangian/ { for (k = 0; k < 3; k++) mine[k] = $(NF - 2 + k) }
        $1 == 0.25 { for (k = 0; k < 3; k++) off += (mine[k] / $(5 + k) - 1) ^ 2 }
        END { exit !(mine[0] > 0 && off < 0.05 ^ 2) }' "$work/out" "$work/run/table.txt" ||
        fail "radii: $(cat "$work/out" "$work/run/table.txt")"
    try h5py <<'PYTHON'
import sys, h5py, numpy as np
with h5py.File(sys.argv[1]) as file:
    box = file["Header"].attrs["BoxSize"]
    bodies = file["PartType1"]
    boxed = bodies["Coordinates"][:]
    assert boxed.shape == (1000, 3) and (0 <= boxed).all() and (boxed < box).all()
    assert (boxed == bodies["Position"][:] + box / 2).all()
    assert (bodies["OwnTime"][:] == 0.25).all()
    assert set(file["G6run"].attrs) >= {"Eta", "Softening", "InitialEnergy", "Units"}
    for name in bodies:
        assert {"VarDescription", "CGSConversionFactor"} <= set(bodies[name].attrs), name
PYTHON
fi

# A file in other units is refused: its velocities would be 100 times too large.
cp "$file" "$work/metres.hdf5"
"$python" - "$work/metres.hdf5" <<'PYTHON' || fail "h5py cannot change a unit"
import sys, h5py
with h5py.File(sys.argv[1], "r+") as file:
    file["Units"].attrs["UnitVelocity_in_cm_per_s"] /= 100
PYTHON
again="--eps 1/64 --t-end 3/8 --quiet --output"
# shellcheck disable=SC2086  # words
"$run" --input "$work/metres.hdf5" $again "$work/metres" 2>"$work/err"
[ $? = 2 ] && grep -q '^g6run: .*metres.hdf5: in its units G is 10000, .*: give --gravity 10000, ' "$work/err" ||
    fail "other units: $(cat "$work/err")"
# shellcheck disable=SC2086  # words
"$run" --input "$file" $again "$work/same" --strict || fail "units with G = 1: status $?"

if has yt; then
    # The box has its middle in the middle of the cluster; the second load has units.
    try yt "$work/yt" <<'PYTHON'
import sys, h5py, numpy as np, yt
yt.set_log_level("error")
name, picture = sys.argv[1:]
axes = ("all", "particle_position_x"), ("all", "particle_position_y"), ("all", "particle_mass")
yt.ParticlePlot(yt.load(name), *axes).save(picture)
with h5py.File(name) as file:
    units = dict(file["Units"].attrs)
    radius = np.linalg.norm(file["PartType1/Position"][:], axis=1)
ds = yt.load(name, unit_base=units)
# A code_time is 1 pc / (1 km/s) = 0.977792 Myr times 2 / 4.63730, see the test of the units.
assert abs(ds.current_time.to("Myr").v / (0.25 * 0.977792 * 2 / 4.63730) - 1) < 1e-5
assert ds.all_data()["all", "particle_mass"].size == 1000
within = ds.sphere("c", (2, "pc"))["all", "particle_mass"]
assert within.size == (radius < 1).sum(), within.size
assert abs(within.sum().to("Msun").v / (10 * within.size) - 1) < 1e-3
yt.ParticlePlot(ds, *axes, width=(20, "pc")).save(picture + "-pc")
PYTHON
    [ "$(find "$work" -name 'yt*.png' | wc -l)" = 2 ] || fail "yt: pictures: $(ls "$work")"
fi

if has pynbody; then
    try pynbody "$work/pynbody.png" <<'PYTHON'
import sys, warnings, numpy as np
warnings.simplefilter("error")  # as "No unit information found"
import pynbody
s = pynbody.load(sys.argv[1])
assert len(s.dm) == 1000
s["pos"], s["vel"], s["mass"], s["iord"], s["Jerk"]
warnings.simplefilter("default")
pynbody.analysis.halo.center(s)
s.physical_units("pc", "km s^-1", "Msol")
assert (np.abs(np.median(s["pos"], axis=0)) < 0.4).all(), np.median(s["pos"], axis=0)
assert abs(s.properties["time"].in_units("Myr") / (0.25 * 0.977792 * 2 / 4.63730) - 1) < 1e-4
profile = pynbody.analysis.profile.Profile(s, ndim=3, min=0.1, max=20, type="log")
assert profile["density"].max() > 100, profile["density"]
# The virial velocity dispersion of 10^4 solar masses with E = -1/4 is sqrt(1/2) units of velocity.
assert abs(s["vel"].std() * 3 ** 0.5 / (0.5 ** 0.5 * 4.6373) - 1) < 0.05, s["vel"].std()
PYTHON
fi

# ---- a cosmological run: what others call a Mpc, a km/s and a solar mass, the redshift and the age ----
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
    --output "$work/universe" || fail "g6run: status $?"

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
file=$work/universe/snapshot_0000.hdf5
check() { # name; the program on standard input
    { echo "$check" && cat; } >"$work/program"
    try "cosmology in $1" <"$work/program"
}

check h5py <<'PYTHON'
import sys, h5py, numpy as np
with h5py.File(sys.argv[1]) as file:
    head, bodies = dict(file["Header"].attrs), file["PartType1"]
    a, h = head["Time"], head["HubbleParam"]
    x, v = bodies["Position"][:] * a / h / 1000, bodies["Velocities"][:] * a ** 0.5
    assert np.allclose(bodies["Coordinates"][:], bodies["Position"][:] + head["BoxSize"] / 2)
    check(head["Redshift"], head["Time_GYR"], head["MassTable"][1] * 1e10 / h,
          np.linalg.norm(x, axis=1).max(), np.abs(v).max())
PYTHON
has yt && check yt <<'PYTHON'
import sys, numpy as np, yt
yt.set_log_level("error")
ds = yt.load(sys.argv[1])
assert ds.cosmological_simulation and ds.omega_matter == 0.3 and ds.omega_lambda == 0.7 and ds.hubble_constant == 0.7
data = ds.all_data()
x = data["all", "particle_position"].to("Mpc").v - ds.domain_center.to("Mpc").v
check(ds.current_redshift, ds.current_time.to("Gyr").v, data["all", "particle_mass"][0].to("Msun").v,
      np.linalg.norm(x, axis=1).max(), np.abs(data["all", "particle_velocity"].to("km/s").v).max())
PYTHON
has pynbody && check pynbody <<'PYTHON'
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
