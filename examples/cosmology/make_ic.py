#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes initial conditions of structure in a flat universe: a periodic box of particles, or a sphere cut from it.

They are a file of Gadget's layout as N-GenIC and MUSIC write it: particles of type 1, comoving lengths in kpc/h or
Mpc/h, masses in 1e10 Msun/h, velocities v / sqrt(a) in km/s, Time the scale factor.  README.md has examples.
Needs numpy and h5py (Debian: python3-numpy python3-h5py); --power camb and colossus need these (PyPI).
"""
import argparse
import os
import sys

try:
    import h5py
    import numpy as np
except ImportError as lacking:
    sys.exit(
        f"make_ic.py: {sys.executable}: {lacking}; Debian: apt install python3-numpy python3-h5py, and "
        "/usr/bin/python3; elsewhere: pip install numpy h5py"
    )

here = os.path.dirname(os.path.abspath(__file__))
# g6plot's modules are in the source, or in share/g6plot beside the share/doc that a package has these files in.
sys.path[:0] = [here, os.path.join(here, "..", "..", "tools"), os.path.join(here, "..", "..", "..", "..", "g6plot")]

import perturbations
from g6plot.cosmology import Cosmology

MPC_IN_CM = 3.0856775814913673e24
MASS_UNIT = 1e10  # Msun/h
MSUN_IN_G = 1.3271244e26 / 6.67430e-8
UNITS = dict(kpc=1e-3, Mpc=1.0)
DARK_MATTER = 1  # the type of the particles


class Wrong(Exception):
    """A line for the user."""


# ---- the spectrum -----------------------------------------------------------------------------------------------
def camb_power(c):
    """P(k) of today by camb, at its own amplitude; k in h/Mpc."""
    import camb

    given = camb.set_params(H0=100 * c.hubble, ombh2=c.omega_baryon * c.hubble ** 2, ns=c.index, mnu=0,
                            omch2=(c.omega_matter - c.omega_baryon) * c.hubble ** 2, TCMB=c.cmb)
    given.set_matter_power(redshifts=[0.0], kmax=200.0)
    k, _, p = camb.get_results(given).get_matter_power_spectrum(minkh=1e-4, maxkh=150, npoints=1000)
    return k, p[0]


def colossus_power(c):
    from colossus.cosmology import cosmology

    cosmology.addCosmology("here", dict(flat=True, H0=100 * c.hubble, Om0=c.omega_matter, Ob0=c.omega_baryon,
                                        sigma8=c.sigma8, ns=c.index, Tcmb0=c.cmb, relspecies=False))
    k = np.logspace(-4, 2.2, 1000)
    return k, cosmology.setCosmology("here").matterPowerSpectrum(k)


def file_power(path):
    """Columns k [h/Mpc] and P [(Mpc/h)^3], as CAMB and CLASS write them."""
    try:
        rows = np.loadtxt(path, ndmin=2)
    except (OSError, ValueError) as why:
        raise Wrong(f"{path}: no table of k and P(k): {why}")
    k, p = rows[:, 0], rows[:, 1] if rows.shape[1] > 1 else np.zeros(len(rows))
    if len(k) < 3 or not (np.diff(k) > 0).all() or not (k > 0).all() or not (p > 0).all():
        raise Wrong(f"{path}: not two columns of positive numbers with growing k")
    return k, p


def power_of(name, c):
    """P(k) of today with the amplitude sigma8: that of EH98, or of a table, which its end slopes continue."""
    if name == "eh98":
        return c.power
    tables = dict(camb=camb_power, colossus=colossus_power)
    try:
        k, p = tables[name](c) if name in tables else file_power(name)
    except ImportError:
        raise Wrong(f"--power {name}: Python has no {name} (pip install {name})")
    from g6plot.cosmology import SIGMA8_RADIUS, top_hat

    lnk, lnp = np.log(k), np.log(p)
    ends = [(lnp[1] - lnp[0]) / (lnk[1] - lnk[0]), (lnp[-1] - lnp[-2]) / (lnk[-1] - lnk[-2])]

    def raw(wave):
        x = np.log(wave)
        inside = np.interp(x, lnk, lnp)
        return np.exp(inside + np.minimum(x - lnk[0], 0) * ends[0] + np.maximum(x - lnk[-1], 0) * ends[1])

    x = np.linspace(np.log(1e-5), np.log(1e3), 6000)
    wave = np.exp(x)
    variance = (wave ** 3 * raw(wave) / (2 * np.pi ** 2) * top_hat(wave * SIGMA8_RADIUS) ** 2).sum() * (x[1] - x[0])
    return lambda wave: raw(wave) * (c.sigma8 ** 2 / variance)


# ---- particles --------------------------------------------------------------------------------------------------
def displace(grid, c, a, power, seed, order):
    """Displacements [Mpc/h] and peculiar velocities [km/s] at scale factor a, [n^3][3] each."""
    growth = c.growth(a) / c.growth(1.0)
    delta = perturbations.density(grid, power, seed) * growth
    flow = 100 * a * c.expansion(a)  # km/s for each Mpc/h of displacement and unit of dlnD/dlna
    moved = perturbations.first_order(grid, delta)
    velocity = flow * c.growth_rate(a) * moved
    if order == 2:
        second = perturbations.second_order(grid, delta)
        second *= perturbations.second_factor(c.matter(a))
        moved += second
        second *= flow * perturbations.second_rate(c.matter(a))
        velocity += second
    return moved, velocity


def make(c, grid_size, box, redshift, seed, order=2, power=None, sphere=None):
    """Ids, positions [Mpc/h], velocities [km/s], mass of a particle [Msun/h].  box, sphere: Mpc/h.

    A sphere has the particles whose places, not those of the lattice, are within it around the middle of the box.
    """
    a = 1 / (1 + redshift)
    grid = perturbations.Grid(grid_size, box)
    moved, velocity = displace(grid, c, a, power or c.power, seed, order)
    moved += grid.lattice()
    moved %= box
    mass = c.mean_density() * (box / grid_size) ** 3
    ids = np.arange(1, len(moved) + 1, dtype=np.uint64)
    if sphere is None:
        return ids, moved, velocity, mass
    inside = ((moved - box / 2) ** 2).sum(axis=1) <= sphere * sphere
    if not inside.any():
        raise Wrong(f"no particle is within {sphere / c.hubble:g} Mpc of the middle of the box")
    return ids[inside], moved[inside], velocity[inside], mass


# ---- the file ---------------------------------------------------------------------------------------------------
def header(c, count, mass, box, redshift, unit):
    counts = np.zeros(6, dtype=np.uint32)
    counts[DARK_MATTER] = count
    masses = np.zeros(6)
    masses[DARK_MATTER] = mass / MASS_UNIT
    flags = {f"Flag_{name}": 0 for name in ("Sfr", "Cooling", "StellarAge", "Metals", "Feedback", "Entropy_ICs")}
    return dict(NumPart_ThisFile=counts, NumPart_Total=counts, NumPart_Total_HighWord=np.zeros(6, dtype=np.uint32),
                MassTable=masses, Time=1 / (1 + redshift), Redshift=float(redshift), BoxSize=box / unit, NumFilesPerSnapshot=1,
                Omega0=c.omega_matter, OmegaLambda=c.omega_lambda, OmegaBaryon=c.omega_baryon, HubbleParam=c.hubble,
                Flag_DoublePrecision=1, **flags)


def write(path, c, particles, box, redshift, unit_name="kpc", masses_block=False):
    """Writes the file at once or not at all.  The group Units and the attributes of the data sets tell pynbody what
    the numbers are."""
    ids, position, velocity, mass = particles
    unit = UNITS[unit_name]
    length = unit * MPC_IN_CM
    part = path + ".part"
    with h5py.File(part, "w") as file:
        attributes = header(c, len(ids), mass, box, redshift, unit)
        file.create_group("Header").attrs.update(attributes)
        file.create_group("Units").attrs.update(dict(
            UnitLength_in_cm=length, UnitMass_in_g=MASS_UNIT * MSUN_IN_G, UnitVelocity_in_cm_per_s=1e5,
            UnitTime_in_s=length / 1e5, Description=np.bytes_(f"comoving {unit_name}/h, 1e10 Msun/h, km/s sqrt(a)")))
        group = file.create_group(f"PartType{DARK_MATTER}")
        for name, values, text, size, a_power, h_power in (
                ("Coordinates", position / unit, "[U_L]", length, 1.0, -1.0),
                ("Velocities", velocity * (1 + redshift) ** 0.5, "[U_V]", 1e5, 0.5, 0.0),
                ("ParticleIDs", ids, "[1]", 1.0, 0.0, 0.0),
                ("Masses", np.full(len(ids), mass / MASS_UNIT) if masses_block else None, "[U_M]",
                 MASS_UNIT * MSUN_IN_G, 0.0, -1.0)):
            if values is None:
                continue
            group[name] = values
            group[name].attrs.update({"VarDescription": np.bytes_(f"{name} {text}"), "CGSConversionFactor": size,
                                      "aexp-scale-exponent": a_power, "h-scale-exponent": h_power})
        if masses_block:
            file["Header"].attrs["MassTable"] = np.zeros(6)
    os.replace(part, path)


# ---- the program ------------------------------------------------------------------------------------------------
def parse(words):
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], allow_abbrev=False,
                                epilog="Lengths of the options are comoving Mpc, without h.")
    p.add_argument("output", help="file to write, as ic.hdf5")
    p.add_argument("--grid", type=int, default=64, help="particles along a side of the box [%(default)s]")
    p.add_argument("--box", type=float, default=100.0, help="side of the box, Mpc [%(default)s]")
    p.add_argument("--sphere", type=float, help="cut out a sphere of this radius around the middle, Mpc [the whole box]")
    p.add_argument("--redshift", type=float, default=49.0, help="[%(default)s]")
    p.add_argument("--omega-m", type=float, default=0.3, help="density of matter over the critical one [%(default)s]")
    p.add_argument("--omega-b", type=float, default=0.045, help="that of baryons, part of it [%(default)s]")
    p.add_argument("--hubble", type=float, default=0.7, help="H0 / (100 km/s/Mpc) [%(default)s]")
    p.add_argument("--sigma8", type=float, default=0.8, help="amplitude of the spectrum [%(default)s]")
    p.add_argument("--index", type=float, default=0.96, help="its slope at large scales [%(default)s]")
    p.add_argument("--power", default="eh98", help="eh98 (Eisenstein & Hu 1998, no oscillations), camb, colossus, or a "
                   "file with columns k [h/Mpc] and P [(Mpc/h)^3] [%(default)s]")
    p.add_argument("--order", type=int, choices=(1, 2), default=2, help="1: Zel'dovich; 2: second order [%(default)s]")
    p.add_argument("--seed", type=int, default=1, help="[%(default)s]")
    p.add_argument("--unit", choices=tuple(UNITS), default="kpc", help="unit of length in the file, over h [%(default)s]")
    p.add_argument("--masses-block", action="store_true", help="masses as a data set, not in the header")
    p.add_argument("--overwrite", action="store_true", help="replace the file")
    return p.parse_args(words)


def check(o):
    if not 2 <= o.grid <= 2048:
        raise Wrong(f"--grid {o.grid}: from 2 to 2048")
    for name in ("box", "redshift", "sphere"):
        value = getattr(o, name)
        if value is not None and not 0 < value < np.inf:
            raise Wrong(f"--{name} {value:g}: must be positive")
    if o.sphere and 2 * o.sphere > o.box:
        raise Wrong(f"--sphere {o.sphere:g} does not fit into a box of {o.box:g} Mpc")
    if o.seed < 0:
        raise Wrong(f"--seed {o.seed}: must not be negative")
    if os.path.exists(o.output) and not o.overwrite:
        raise Wrong(f"{o.output} is there; --overwrite replaces it")
    if not os.path.isdir(os.path.dirname(o.output) or "."):
        raise Wrong(f"{os.path.dirname(o.output)}: no such folder")


def main(words):
    o = parse(words)
    try:
        check(o)
        c = Cosmology(o.omega_m, o.hubble, o.sigma8, o.index, o.omega_b)
        box, sphere = o.box * o.hubble, o.sphere and o.sphere * o.hubble
        particles = make(c, o.grid, box, o.redshift, o.seed, o.order, power_of(o.power, c), sphere)
        write(o.output, c, particles, box, o.redshift, o.unit, o.masses_block)
    except (Wrong, ValueError, OSError) as why:
        print(f"make_ic.py: {why}", file=sys.stderr)
        return 1
    except MemoryError:
        print(f"make_ic.py: memory is not enough for a grid of {o.grid}^3", file=sys.stderr)
        return 1
    print(f"{o.output}: {len(particles[0])} particles of {particles[3] / o.hubble:.4g} Msun at z = {o.redshift:g}, "
          f"{'a sphere of ' + format(o.sphere, 'g') + ' Mpc from ' if o.sphere else ''}a box of {o.box:g} Mpc")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
