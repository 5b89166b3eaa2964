# SPDX-License-Identifier: MIT
"""Initial conditions: the models of g6run.  G = 1, the total mass is 1, and the centre of mass is at rest at the origin.  The
bodies are those of ``g6run --model NAME --bodies N --seed SEED``.  Parameters are those of g6run's models, as in
``king(1000, W0=7)`` or ``nfw(1000, c=20, scale=2)``; docs/tools.md lists them.
"""
from __future__ import annotations

import os
import tempfile

from ._run import execute
from ._snapshots import Bodies, read

__all__ = ["cube", "galaxy", "hernquist", "king", "m31", "make", "nfw", "plummer", "sphere", "two"]


def make(name: str, n: int, seed: int = 1, **parameters: object) -> Bodies:
    """Makes a model of g6run by its name.  ``g6run --help`` lists the names."""
    text = ",".join(f"{key}={value}" for key, value in parameters.items())
    with tempfile.TemporaryDirectory() as folder:
        execute(dict(model=f"{name}:{text}" if text else name, bodies=n, seed=seed, t_end=0, output=folder))
        return read(os.path.join(folder, "snapshot_0000.hdf5"))


def plummer(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """A Plummer sphere in equilibrium, with an energy near -1/4: its scale length is 3 pi / 16."""
    return make("plummer", n, seed, **parameters)


def king(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """King's (1966) sphere in N-body units; W0 (6) is the depth of the central potential."""
    return make("king", n, seed, **parameters)


def two(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """Two Plummer spheres on an orbit: q (1) is the ratio of their masses, d (10) their distance at the apocentre and e (0.5) the
    eccentricity."""
    return make("two", n, seed, **parameters)


def sphere(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """A uniform sphere of radius 1, at rest."""
    return make("sphere", n, seed, **parameters)


def cube(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """A uniform cube with sides of 2, at rest."""
    return make("cube", n, seed, **parameters)


def hernquist(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """A sphere of Hernquist (1990) with the scale length 1, cut at 50."""
    return make("hernquist", n, seed, **parameters)


def nfw(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """A halo of Navarro, Frenk & White (1996) with the scale length 1, cut at 10."""
    return make("nfw", n, seed, **parameters)


def galaxy(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """A galaxy: Hernquist's bulge, exponential disk and NFW halo with masses 1:2:12; the scale length of the disk is 1."""
    return make("galaxy", n, seed, **parameters)


def m31(n: int, seed: int = 1, **parameters: object) -> Bodies:
    """The Andromeda galaxy: bulge, disk and halo with masses 3.24:3.66:81.1; the scale length of the disk is 1."""
    return make("m31", n, seed, **parameters)
