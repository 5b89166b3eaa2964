#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads an HDF5 snapshot of g6run with h5py and draws its bodies and its density profile.

usage: plot_snapshot.py SNAPSHOT.hdf5 [PICTURE.png]
docs/snapshots.md describes the file.
"""
import sys

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")  # no window
import matplotlib.pyplot as plt


def read(path):
    """Time, masses [n], positions [n][3] and velocities [n][3] of all bodies, in N-body units."""
    with h5py.File(path) as file:
        time = file["Header"].attrs["Time"]
        types = [file[name] for name in file if name.startswith("PartType")]
        return time, *(np.concatenate([group[name][:] for group in types])
                       for name in ("Masses", "Position", "Velocities"))


def lagrangian_radii(mass, radius, fractions):
    """Radii of the spheres that hold these fractions of the mass."""
    order = np.argsort(radius)
    inside = np.cumsum(mass[order]) / mass.sum()
    return radius[order][np.searchsorted(inside, fractions)]


def density(mass, radius, bins=24):
    """Middle radius and mass density of shells with equal numbers of bodies."""
    edges = np.quantile(radius, np.linspace(0, 1, bins + 1))
    shell = np.histogram(radius, edges, weights=mass)[0]
    return np.sqrt(edges[1:] * edges[:-1]), shell / (4 / 3 * np.pi * np.diff(edges**3))


def main(snapshot, picture):
    time, mass, position, velocity = read(snapshot)
    centre = np.average(position, axis=0, weights=mass)
    radius = np.linalg.norm(position - centre, axis=1)
    kinetic = 0.5 * np.sum(mass * np.sum(velocity**2, axis=1))
    radii = lagrangian_radii(mass, radius, [0.1, 0.5, 0.9])
    print(f"{len(mass)} bodies at t = {time:g}, mass {mass.sum():.6g}, kinetic energy {kinetic:.6g}")
    print("Lagrangian radii of 10, 50, 90 % about the centre of mass: {:.4f} {:.4f} {:.4f}".format(*radii))

    figure, (plane, profile) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    plane.scatter(*(position - centre).T[:2], s=400 / len(mass) ** 0.75, linewidths=0)
    plane.set(xlabel="x", ylabel="y", aspect="equal", title=f"t = {time:g}",
              xlim=(-2 * radii[2], 2 * radii[2]), ylim=(-2 * radii[2], 2 * radii[2]))
    profile.loglog(*density(mass, radius), "o-")
    profile.set(xlabel="radius", ylabel="density")
    figure.savefig(picture)
    print(picture)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "snapshot.png")
