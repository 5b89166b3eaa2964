#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares how the largest waves of a run of g6run --cosmology grow with linear theory.

Linear theory holds at each place of a sphere as it holds in an infinite universe: an overdensity delta obeys
    delta'' + 2 H delta' = 4 pi G rho delta
in which nothing but the density of that place stands.  (The vacuum outside adds a tidal field, which shears and moves
a part of the sphere, but does not compress it.)  So the overdensity of a large ball grows as the growing mode D.

For each ball the program fits a linear function of place to the displacements of its particles since the first
snapshot.  Minus the trace of that function is what the overdensity of the ball has gained.  The displacements that
linear theory expects follow from the first snapshot's peculiar velocities v, whatever program made them:
    psi = v / (a H f),  f = dlnD / dlna        x(z) = x(z0) + psi (D(z) / D(z0) - 1)
The same fit to them gives the gain that linear theory expects.  The slope is the regression of the measured gains on
the expected ones through the origin, over all balls of one radius: 1 is linear theory.  Waves that are longer than a
ball and of less than about 0.1 in density are linear; smaller balls and later times are not.

The universe must be flat.  Needs numpy and h5py (Debian: python3-numpy python3-h5py).
"""
import argparse
import csv
import os
import sys

try:
    import h5py
    import numpy as np
except ImportError as lacking:
    sys.exit(
        f"growth.py: {sys.executable}: {lacking}; Debian: apt install python3-numpy python3-h5py, and "
        "/usr/bin/python3; elsewhere: pip install numpy h5py"
    )

# g6plot's modules are in the source, or in share/g6plot beside the share/doc that a package has this file in.
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, "..", "..", "tools"), os.path.join(here, "..", "..", "..", "..", "g6plot")]

from g6plot import snapshot
from g6plot.cosmology import Cosmology
from g6plot.problem import Problem
from g6plot.units import PC

MPC = 1e6 * PC
LEAST = 64  # particles of a ball; fewer show the lattice more than the waves
COLUMNS = ("z", "growth", "ball [Mpc]", "balls", "particles", "overdensity", "slope", "scatter")


# ---- the run ----------------------------------------------------------------------------------------------------
class State:
    """Positions [n][3] in comoving Mpc from the middle of the sphere, ids [n], and the header of a snapshot."""

    def __init__(self, path):
        with snapshot.open_file(path) as file:
            self.header = snapshot.hdf5_header(file, path)
            if self.header.redshift is None:
                raise Problem(f"{path}: no snapshot of an expanding universe")
            kinds = [kind for kind, count in enumerate(self.header.counts) if count]
            if len(kinds) != 1:
                raise Problem(f"{path}: {len(kinds)} types of particles, not one")
            self.name, self.path, self.count = f"PartType{kinds[0]}", path, self.header.counts[kinds[0]]
            group = file[self.name]
            position = snapshot.numbers(group, "Coordinates", self.count, 3, path)
            self.ids = group["ParticleIDs"][()]
        position -= self.header.box / 2
        self.position = position * (self.header.units.length / MPC)

    def velocities(self):
        """Peculiar velocities in km/s; the file has them over the square root of a."""
        with h5py.File(self.path) as file:
            return file[self.name]["Velocities"][()] * self.header.scale_factor ** 0.5

    def in_order_of(self, first):
        """The positions, in the order of the particles of another snapshot."""
        if np.array_equal(self.ids, first.ids):
            return self.position
        mine, other = np.argsort(self.ids), np.argsort(first.ids)
        if not np.array_equal(self.ids[mine], first.ids[other]):
            raise Problem(f"{self.path}: has other particles than {first.path}")
        position = np.empty_like(self.position)
        position[other] = self.position[mine]
        return position


def cosmology_of(header):
    if abs(header.omega_matter + header.omega_lambda - 1) > 1e-6:
        raise Problem(f"{header.path}: the universe is not flat")
    return Cosmology(header.omega_matter, header.hubble, omega_baryon=0)


# ---- balls ------------------------------------------------------------------------------------------------------
def centres(radius, ball, spacing):
    """Middles of the balls that are within a sphere: a cubic lattice, with a point in the middle of the sphere."""
    reach = radius - ball
    if reach < 0:
        return np.empty((0, 3))
    side = np.arange(-np.floor(reach / spacing), np.floor(reach / spacing) + 1) * spacing
    points = np.stack(np.meshgrid(side, side, side), axis=-1).reshape(-1, 3)
    return points[(points ** 2).sum(axis=1) <= reach ** 2]


def traces(position, fields):
    """Traces of the linear functions of place that fit vector fields best.  fields: [n][3 k]; returns [k]."""
    offset = position - position.mean(axis=0)
    slopes = np.linalg.solve(offset.T @ offset, offset.T @ fields)
    return slopes.reshape(3, -1, 3).trace(axis1=0, axis2=2)


def gains(position, fields, ball, middles):
    """What the overdensity of each ball gains by each field, [balls][k], and the mean number of particles of a ball."""
    found, count = [], 0
    squares = (position ** 2).sum(axis=1)
    for middle in middles:
        # |x - c|^2 <= R^2, by one product of a matrix and a vector.
        inside = squares - position @ (2 * middle) <= ball ** 2 - middle @ middle
        if inside.sum() < LEAST:
            raise Problem(f"balls of {ball:g} Mpc have fewer than {LEAST} particles; give a larger --radius")
        count += inside.sum()
        found.append(-traces(position[inside], fields[inside]))
    return np.array(found), count / max(len(found), 1)


def compare(expected, measured):
    """Slope of the regression through the origin, and the scatter about it over the root mean square expected."""
    slope = (expected * measured).sum() / (expected ** 2).sum()
    return slope, np.sqrt(((measured - slope * expected) ** 2).mean() / (expected ** 2).mean())


def study(paths, radii, spacing, margin):
    """A row of COLUMNS for each later snapshot and each radius of balls."""
    first = State(paths[0])
    c, a = cosmology_of(first.header), first.header.scale_factor
    flow = 100 * c.hubble * a * c.expansion(a) * c.growth_rate(a)  # km/s for each Mpc
    later, moved = [], [first.velocities() / flow]
    for path in paths[1:]:
        state = State(path)
        later.append(state.header)
        moved.append(state.in_order_of(first) - first.position)
    fields = np.concatenate(moved, axis=1)
    reach = np.sqrt((first.position ** 2).sum(axis=1).max()) - margin
    rows = []
    for ball in radii:
        middles = centres(reach, ball, spacing)
        if not len(middles):
            raise Problem(f"a ball of {ball:g} Mpc is too large for a sphere of {reach + margin:.4g} Mpc with a margin of {margin:g}")
        found, count = gains(first.position, fields, ball, middles)
        for k, header in enumerate(later, start=1):
            growth = float(c.growth(header.scale_factor) / c.growth(a))
            slope, scatter = compare(found[:, 0] * (growth - 1), found[:, k])
            rows.append((header.redshift, growth, ball, len(middles), count, growth * found[:, 0].std(), slope, scatter))
    return sorted(rows, key=lambda row: (-row[0], row[2]))


# ---- the program ------------------------------------------------------------------------------------------------
def lengths(text):
    values = [float(word) for word in text.split(",")]
    if not all(0 < value < np.inf for value in values):
        raise argparse.ArgumentTypeError(f"{text}: lengths must be positive")
    return values


def parse(words):
    p = argparse.ArgumentParser(description=__doc__, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
                                epilog="Lengths are comoving Mpc, without h.  overdensity: the deviation of that of the balls, by "
                                       "linear theory; scatter: the deviation of the balls from the slope, over the gain expected.")
    p.add_argument("folder", help="that of the run; the growth is that since its first snapshot")
    p.add_argument("--radius", type=lengths, default=[12, 16, 20, 25], help="radii of the balls [12,16,20,25]")
    p.add_argument("--spacing", type=float, default=8, help="distance of the middles of balls [%(default)s]")
    p.add_argument("--margin", type=float, default=2, help="balls keep so far from the surface of the sphere [%(default)s]")
    p.add_argument("--tolerance", type=float, help="end with status 3 if a slope differs from 1 by more")
    p.add_argument("--csv", help="file that gets the table, too")
    return p.parse_args(words)


def main(words):
    o = parse(words)
    try:
        if not o.spacing > 0 or not o.margin >= 0:
            raise Problem("--spacing must be positive, and --margin not negative")
        paths = snapshot.in_folder(o.folder)
        if len(paths) < 2:
            raise Problem(f"{o.folder}: two snapshots are needed, {len(paths)} are there")
        rows = study(paths, o.radius, o.spacing, o.margin)
        print("#    z    growth  ball [Mpc]  balls  particles  overdensity   slope  scatter")
        for row in rows:
            print("{:6.2f} {:9.4f} {:11g} {:6d} {:10.0f} {:12.4f} {:7.4f} {:8.4f}".format(*row))
        if o.csv:
            with open(o.csv, "w", newline="") as file:
                csv.writer(file).writerows([COLUMNS, *[[f"{value:.5g}" for value in row] for row in rows]])
    except (Problem, OSError, KeyError) as why:
        print(f"growth.py: {why}", file=sys.stderr)
        return 1
    return 3 if o.tolerance and any(not abs(row[6] - 1) <= o.tolerance for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
