# SPDX-License-Identifier: MIT
"""What the attributes of an HDF5 snapshot say: the units, the constant of gravity, and whether the universe expands.
common/snapshot_names.inc has the names of the attributes.  tools/g6run/told.cpp has the same rules."""
import functools
import os
import re

from .problem import Problem
from .units import G, MSUN, PC

NAMES = os.path.join(os.path.dirname(__file__), "..", "common", "snapshot_names.inc")
ROW = re.compile(r'^G6_NAME\((\w+), +"([^"]*)", +"([^"]*)"\)', re.M)
# Programs differ in the fourth digit of the constants of nature.  Sizes this near to those of MEANT stand for them.
TOLERANCE = 1e-3
MEANT = (1e3 * PC, 1e6 * PC, 1e10 * MSUN)


@functools.lru_cache(maxsize=None)
def rows():
    """(quantity, group, attribute), in the order of the table."""
    with open(NAMES) as file:
        return tuple(ROW.findall(file.read()))


def numbers(attributes, name):
    """The numbers of an attribute, which may be one number or an array."""
    import numpy as np

    return np.asarray(attributes[name], float).ravel().tolist()


def number(attributes, name, default=None):
    """An attribute that is one number, or an array of one.  default: where there is none."""
    if default is not None and name not in attributes:
        return default
    values = numbers(attributes, name)
    if len(values) != 1:
        raise ValueError(f"{name}: one number expected, not {len(values)}")
    return values[0]


def told(file, quantity):
    """The value of a quantity of the table; None where the file does not tell it."""
    value = None
    for each, group, attribute in rows():
        if each == quantity and not value and group in file and attribute in file[group].attrs:
            value = number(file[group].attrs, attribute)
    return value


def units(file):
    """(cm, g, s, whether lengths and masses of an expanding universe are over h), or None.  Where a file has but some
    units, the others are None."""
    length, mass, velocity = (told(file, name) for name in ("length_over_h", "mass_over_h", "velocity"))
    time = length / velocity if length and velocity else None
    over_h = any(value is not None for value in (length, mass, velocity))
    if not over_h:
        length, mass, time = (told(file, name) for name in ("length", "mass", "time"))
    if length is None or mass is None:
        return None
    if not (0 < length < float("inf") and 0 < mass < float("inf")):
        raise ValueError(f"its units cannot be: {length:g} cm, {mass:g} g")
    snapped = [next((meant for meant in MEANT if abs(value / meant - 1) < TOLERANCE), value) for value in (length, mass)]
    return (*snapped, time, over_h)


def are_of_nature(file, found):
    """Whether the file's constant of gravity is that of nature in its units: N-body units may have any names."""
    length, mass, time, _ = found
    own = told(file, "gravity")
    if not own or time is None:
        return True
    return abs(own * length ** 3 / (G * mass * time ** 2) - 1) < 0.01


def scale_factor(file):
    """The scale factor of an expanding universe; None for other snapshots, and for one that does not tell its cosmology."""
    flag, time, z = told(file, "expands"), number(file["Header"].attrs, "Time", 0.0), told(file, "redshift")
    omega, hubble = told(file, "omega_matter"), told(file, "hubble")
    if flag == 0 or not omega or not omega > 0 or hubble is None or not (flag or z is not None):
        return None
    if not hubble > 0:
        raise Problem(f"{file.filename}: h is {hubble:g}")
    a = told(file, "scale_factor")
    if flag and a:
        return a
    if z is None or flag and not z:
        return time
    return 1 / (1 + z) if z > -1 and (flag or abs(time * (1 + z) - 1) < 1e-3) else None
