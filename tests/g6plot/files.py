# SPDX-License-Identifier: MIT
"""Files that the tests write: snapshots of Gadget's layout and tables of g6run."""
import os
import tempfile
import unittest

import h5py
import numpy as np
from matplotlib import pyplot

from g6plot.problem import Problem

MPC = 3.0856775814913673e24
HEAD = ("#     time                energy       dE/E   T/|W|    r 10%    r 50%    r 90%      blocks  mean n  Ginter/s\n")


def row(time, energy=-0.25, error=0.0, ratio=0.5, blocks=0, size=0.0, rate=0.0):
    return f"{time:10.8g} {energy:21.14e} {error:10.3e} {ratio:7.4f} 0.3 0.8 2.3 {blocks:11.0f} {size:7.1f} {rate:9.4g}\n"


def write_table(folder, rows, before="# g6run 1.0.0: 64 particles\n", after=""):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "table.txt")
    with open(path, "w") as file:
        file.write(before + HEAD + "".join(rows) + after)
    return path


def write_snapshot(path, position, mass, time=0.0, box=100.0, kind=1, files=1, units=None, **header):
    """position: as in Coordinates, from 0 to box."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    counts = np.zeros(6, dtype=np.uint32)
    counts[kind] = len(position)
    with h5py.File(path, "w") as file:
        attributes = file.create_group("Header").attrs
        attributes.update(dict(NumPart_ThisFile=counts, NumPart_Total=counts, MassTable=np.zeros(6), Time=time,
                               BoxSize=box, NumFilesPerSnapshot=files, Redshift=0.0, Omega0=0.0, OmegaLambda=0.0,
                               HubbleParam=1.0))
        attributes.update(header)
        if units:
            file.create_group("Units").attrs.update(units)
        group = file.create_group(f"PartType{kind}")
        group["Coordinates"] = position
        if mass is not None:
            group["Masses"] = mass
    return path


def cosmology(z, unit_cm=1e-3 * MPC, h=0.7):
    """Arguments of write_snapshot() for an expanding universe."""
    return dict(time=1 / (1 + z), Redshift=z, Omega0=0.3, OmegaLambda=0.7, HubbleParam=h,
                units=dict(UnitLength_in_cm=unit_cm, UnitMass_in_g=1.98841e43, UnitVelocity_in_cm_per_s=1e5))


class InFolder(unittest.TestCase):
    """A test with a folder of its own, self.folder, and the warnings that were given, self.warned."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.addCleanup(pyplot.close, "all")
        self.folder, self.warned = place.name, []

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        """Returns the path of a file with this text."""
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def refused(self, words, function, *arguments, **named):
        """The function raises a Problem with these words."""
        self.assertRaisesRegex(Problem, words, function, *arguments, **named)

    def warn(self, text):
        self.warned.append(text)
