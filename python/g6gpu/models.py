# SPDX-License-Identifier: MIT
"""Initial conditions: the models of g6run.  G = 1, the total mass is 1, and the centre of mass is at rest at the origin.  The
same seed gives the same bodies as ``g6run --model NAME --bodies N --seed SEED``.
"""
from __future__ import annotations

import os
import tempfile

from ._run import execute
from ._snapshots import Bodies, read

__all__ = ["cube", "galaxy", "hernquist", "m31", "make", "nfw", "plummer", "sphere"]


def make(name: str, n: int, seed: int = 1) -> Bodies:
    """A model of g6run by its name and parameters, as "king:W0=6".  ``g6run --help`` lists the names."""
    with tempfile.TemporaryDirectory() as folder:
        execute(dict(model=name, bodies=n, seed=seed, t_end=0, output=folder))
        return read(os.path.join(folder, "snapshot_0000.hdf5"))


def plummer(n: int, seed: int = 1) -> Bodies:
    """A Plummer sphere in equilibrium, with the energy -1/4: its scale length is 3 pi / 16."""
    return make("plummer", n, seed)


def sphere(n: int, seed: int = 1) -> Bodies:
    """A uniform sphere of radius 1, at rest."""
    return make("sphere", n, seed)


def cube(n: int, seed: int = 1) -> Bodies:
    """A uniform cube with sides of 2, at rest."""
    return make("cube", n, seed)


def hernquist(n: int, seed: int = 1) -> Bodies:
    """A sphere of Hernquist (1990) with the scale length 1, cut at 50."""
    return make("hernquist", n, seed)


def nfw(n: int, seed: int = 1) -> Bodies:
    """A halo of Navarro, Frenk & White (1996) with the scale length 1, cut at 10."""
    return make("nfw", n, seed)


def galaxy(n: int, seed: int = 1) -> Bodies:
    """A galaxy: Hernquist's bulge, exponential disk and NFW halo with masses 1:2:12; the scale length of the disk is 1."""
    return make("galaxy", n, seed)


def m31(n: int, seed: int = 1) -> Bodies:
    """The Andromeda galaxy: bulge, disk and halo with masses 3.24:3.66:81.1; the scale length of the disk is 1."""
    return make("m31", n, seed)
