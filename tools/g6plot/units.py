# SPDX-License-Identifier: MIT
"""The physical sizes of a snapshot's units, and the units that a picture shows.

A file of Gadget's kind gives lengths and masses in units of UnitLength_in_cm and UnitMass_in_g.  A cosmological
one gives comoving lengths and divides both units by the Hubble parameter h: 1 kpc/h, 1e10 Msun/h.
"""
import math
import re

from .problem import EXIT_USAGE, Problem

PC = 3.0856775814913673e18  # cm
MPC = 1e6 * PC
G = 6.67430e-8  # CODATA 2018, cm^3 g^-1 s^-2
MSUN = 1.3271244e26 / G  # GM of IAU 2015 over G, as g6run has it
YEAR = 3.15576e7  # s
LENGTHS = (("AU", 1.495978707e13), ("pc", PC), ("kpc", 1e3 * PC), ("Mpc", MPC))
TIMES = (("yr", YEAR), ("kyr", 1e3 * YEAR), ("Myr", 1e6 * YEAR), ("Gyr", 1e9 * YEAR))
NAMES_IN_TABLES = dict(cm=1, m=1e2, km=1e5, Rsun=6.957e10, **dict(LENGTHS))


def largest_below(names, value):
    """Name and size of the largest unit that is not above the value.  The list is in ascending order."""
    fitting = [pair for pair in names if pair[1] <= value]
    return fitting[-1] if fitting else names[0]


class Units:
    """Sizes of a snapshot's units; length, mass and time are None in N-body units, and in others whose size is not known.

    length [cm] and mass [g] have the factors 1/h.  comoving: lengths are to be multiplied by the scale factor.  name: of units
    without sizes.
    """

    def __init__(self, length=None, mass=None, time=None, comoving=False, name="N-body units"):
        self.length, self.mass, self.time, self.comoving, self.name = length, mass, time, comoving, name

    def own_length(self, given, scale_factor=1.0, physical=False):
        """A length of the command line, (number, name of its unit or ""), in the snapshot's units."""
        number, name = given
        if not name:
            return number
        if self.length is None:
            raise Problem(f"{number:g}{name}: the snapshot is in {self.name}; give a length without a unit", EXIT_USAGE)
        return number * dict(LENGTHS)[name] / (self.length * (scale_factor if physical else 1.0))

    def own_time(self, given):
        """A time of the command line, (number, name of its unit or ""), in the snapshot's units."""
        number, name = given
        if not name:
            return number
        if self.time is None:
            raise Problem(f"{number:g}{name}: the snapshot does not tell its unit of time; give a time without a unit", EXIT_USAGE)
        return number * dict(TIMES)[name] / self.time

    def length_scale(self, extent, scale_factor=1.0, physical=False):
        """Factor and name of the unit of length in which a picture of this extent is labelled."""
        if self.length is None:
            return 1.0, ""
        size = self.length * (scale_factor if physical else 1.0)
        name, unit = largest_below(LENGTHS, 5 * size * extent)  # from 0.2 of a unit on, as 0.3 Mpc
        comoving = ", comoving" if self.comoving and not physical else ""
        return size / unit, name + comoving

    def mass_scale(self):
        """Factor from the snapshot's masses to solar masses, and the name; 1 and "" in N-body units."""
        if self.mass is None:
            return 1.0, ""
        return self.mass / MSUN, r"M$_\odot$"

    def time_text(self, time):
        """A time for a picture's title."""
        if self.time is None or not time:
            return f"t = {time:.4g}"
        seconds = abs(time * self.time)
        # Of the digits that are shown: 0.99999 Myr is 1 Myr, not 1000 kyr.
        fitting = [(name, unit) for name, unit in TIMES if float(f"{seconds / unit:.4g}") >= 1]
        name, unit = fitting[-1] if fitting else TIMES[0]
        return f"t = {math.copysign(seconds / unit, time):.4g} {name}"


def measure_of(text, names, what):
    """(number, name of the unit or "") from 30Mpc or 30; names: the units that there are."""
    match = re.fullmatch(r"([-+]?[\d.]+(?:[eE][-+]?\d+)?) ?([A-Za-z]*)", text.strip())
    try:
        if match and (not match[2] or match[2] in dict(names)):
            return float(match[1]), match[2]
    except ValueError:
        pass
    known = ", ".join(name for name, _ in names)
    raise Problem(f"'{text}' is no {what}: a number, in units of the snapshot, or with one of {known}", EXIT_USAGE)


def length_of(text):
    return measure_of(text, LENGTHS, "length")


def time_of(text):
    return measure_of(text, TIMES, "time")


def label(what, unit, otherwise="N-body units"):
    return f"{what} [{unit or otherwise}]"
