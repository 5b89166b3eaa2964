# SPDX-License-Identifier: MIT
"""Snapshots: Gadget-style HDF5 in one file or several, and the text tables of g6run.

Positions are those of the snapshot in its own units, with the middle of the box as origin.  Nothing is read but
what is asked for: positions and masses of a hundred million particles fit where all data sets do not.
"""
import glob
import os
import re

from .problem import Problem
from .units import MSUN, PC, Units

PART = re.compile(r"\.(\d+)\.(hdf5|h5)$")
TEXT_COLUMNS = 7
DEFAULT_UNITS = (1e3 * PC, 1e10 * MSUN)  # Gadget's


class Header:
    """What a picture says of a snapshot.  redshift and hubble are None where nothing expands."""

    def __init__(self, path):
        self.path, self.time, self.box, self.files = path, 0.0, 0.0, 1
        self.redshift = self.hubble = self.omega_matter = self.omega_lambda = None
        self.units, self.assumed = Units(), ""
        self.counts, self.masses = [], []

    @property
    def scale_factor(self):
        return 1.0 if self.redshift is None else 1 / (1 + self.redshift)

    def when(self):
        """Redshift, or time, for a title."""
        if self.redshift is None:
            return self.units.time_text(self.time)
        rounded = round(self.redshift, 2 if self.redshift < 10 else 1)
        return f"z = {rounded + 0.0:g}"


class Snapshot:
    """header; position [n][3]; mass [n]; step [n], the time steps, or None where there are none."""

    def __init__(self, header, position, mass, step=None):
        self.header, self.position, self.mass, self.step = header, position, mass, step

    def __len__(self):
        return len(self.mass)


# ---- HDF5 -----------------------------------------------------------------------------------------------------
def text_of(value):
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def open_file(path):
    import h5py

    try:
        return h5py.File(path, "r")
    except OSError as why:
        raise Problem(f"{path}: cannot be opened as HDF5 (truncated or damaged; {first_line(why)})")


def first_line(why):
    return (str(why).splitlines() or [type(why).__name__])[0][:120]


def expands(attributes):
    """Whether Time is a scale factor: Gadget's files have no flag that says so."""
    if not {"Omega0", "Redshift", "Time", "HubbleParam"} <= set(attributes):
        return False
    omega, redshift, time = (float(attributes[name]) for name in ("Omega0", "Redshift", "Time"))
    return omega > 0 and redshift > -1 and abs(time * (1 + redshift) - 1) < 1e-3


def unit_attributes(file):
    """The group or header that says what the units are, or None.  Gadget-4 has them in Parameters."""
    for name in ("Units", "Header", "Parameters"):
        if name in file and "UnitLength_in_cm" in file[name].attrs and "UnitMass_in_g" in file[name].attrs:
            return file[name].attrs
    return None


def set_units(header, file):
    given = unit_attributes(file)
    comoving = header.redshift is not None
    if given is None:
        if comoving:
            header.assumed = "the header has no UnitLength_in_cm: lengths are taken as kpc/h, masses as 1e10 Msun/h"
            length, mass = DEFAULT_UNITS
            header.units = Units(length / header.hubble, mass / header.hubble, None, True)
        return
    # g6run declares units that stand for none, because yt and pynbody need some.
    if text_of(given.get("Description", "")).startswith("N-body units"):
        return
    length, mass = float(given["UnitLength_in_cm"]), float(given["UnitMass_in_g"])
    time = length / float(given["UnitVelocity_in_cm_per_s"]) if "UnitVelocity_in_cm_per_s" in given else None
    hubble = header.hubble if comoving else 1.0
    header.units = Units(length / hubble, mass / hubble, None if comoving else time, comoving)


def hdf5_header(file, path):
    if "Header" not in file:
        raise Problem(f"{path}: has no group Header: not a snapshot of Gadget's layout")
    attributes = dict(file["Header"].attrs)
    header = Header(path)
    try:
        header.counts = [int(n) for n in attributes["NumPart_ThisFile"]]
        header.masses = [float(m) for m in attributes.get("MassTable", [])]
        header.masses += [0.0] * (len(header.counts) - len(header.masses))
        header.time = float(attributes.get("Time", 0))
        header.box = float(attributes.get("BoxSize", 0))
        header.files = int(attributes.get("NumFilesPerSnapshot", 1))
        if expands(attributes):
            header.redshift, header.hubble = float(attributes["Redshift"]), float(attributes["HubbleParam"])
            header.omega_matter = float(attributes["Omega0"])
            header.omega_lambda = float(attributes.get("OmegaLambda", 1 - header.omega_matter))
            if not header.hubble > 0:
                raise Problem(f"{path}: HubbleParam is {header.hubble:g}")
        set_units(header, file)
    except KeyError as missing:
        raise Problem(f"{path}: the header has no {missing.args[0]}")
    except (TypeError, ValueError) as why:
        raise Problem(f"{path}: the header cannot be read: {first_line(why)}")
    return header


def numbers(group, name, count, columns, path, exact=False):
    """The rows of a data set as doubles; exact: as they are, since doubles cannot hold ids above 2**53."""
    if name not in group:
        raise Problem(f"{path}: {group.name}/{name} is missing")
    wanted = (count, columns) if columns > 1 else (count,)
    if group[name].shape != wanted:
        raise Problem(f"{path}: {group.name}/{name}: its size is {group[name].shape}, expected {wanted}")
    try:
        rows = group[name][()]
        return rows if exact else rows.astype(float, copy=False)
    except (OSError, ValueError, TypeError) as why:
        raise Problem(f"{path}: {group.name}/{name} cannot be read (truncated or damaged; {first_line(why)})")


def at_common_time(position, group, time, count, path):
    """Positions at the header's time: in interrupted.hdf5 each body has a time of its own."""
    dt = (time - numbers(group, "OwnTime", count, 1, path))[:, None]
    if not dt.any():
        return position
    v, a, j = (numbers(group, name, count, 3, path) for name in ("Velocities", "Acceleration", "Jerk"))
    return position + dt * (v + dt / 2 * (a + dt / 3 * j))


def read_type(file, header, kind, ids):
    """Position, mass and step of one type of particles, of those between ids[0] and ids[1] if ids is not None."""
    name, count, path = f"PartType{kind}", header.counts[kind], header.path
    if name not in file:
        raise Problem(f"{path}: has no group {name}, which the header announces")
    group = file[name]
    # Position is the run's own; in an expanding universe only Coordinates are surely comoving.
    if header.redshift is None and "Position" in group:
        position = numbers(group, "Position", count, 3, path)
        if {"OwnTime", "Velocities", "Acceleration", "Jerk"} <= set(group):
            position = at_common_time(position, group, header.time, count, path)
    else:
        position = numbers(group, "Coordinates", count, 3, path) - header.box / 2
    import numpy as np

    own = header.masses[kind]
    mass = np.full(count, own) if own > 0 else numbers(group, "Masses", count, 1, path)
    step = numbers(group, "TimeStep", count, 1, path) if "TimeStep" in group else None
    if ids:
        number = numbers(group, "ParticleIDs", count, 1, path, exact=True)
        chosen = (number >= ids[0]) & (number <= ids[1])
        position, mass, step = position[chosen], mass[chosen], None if step is None else step[chosen]
    return position, mass, step


def parts_of(header):
    """Paths of all files of a snapshot in several files."""
    match = PART.search(header.path)
    if header.files == 1:
        return [header.path]
    if not match:
        raise Problem(f"{header.path}: one of {header.files} files, but its name has no number: NAME.0.hdf5")
    stem = header.path[:match.start()]
    paths = [f"{stem}.{k}.{match[2]}" for k in range(header.files)]
    for path in paths:
        if not os.path.isfile(path):
            raise Problem(f"{path}: is missing, the snapshot has {header.files} files")
    return paths


def read_hdf5(path, ids=None):
    import numpy as np

    with open_file(path) as file:
        header = hdf5_header(file, path)
    found = []
    for part in parts_of(header):
        with open_file(part) as file:
            own = hdf5_header(file, part)
            found += [read_type(file, own, kind, ids) for kind, n in enumerate(own.counts) if n > 0]
    if not found:
        raise Problem(f"{path}: no particles")
    position, mass, step = zip(*found)
    steps = None if any(s is None for s in step) else np.concatenate(step)
    return Snapshot(header, np.concatenate(position), np.concatenate(mass), steps)


# ---- text -----------------------------------------------------------------------------------------------------
def text_header(path):
    """Time from "# time T" ahead of the rows; a file without such a line has time 0."""
    header = Header(path)
    try:
        with open(path, errors="replace") as file:
            for line in file:
                words = line.split()
                if words and words[0][0] not in "#!%":
                    break
                if words[1:2] == ["time"] and len(words) == 3:
                    header.time = float(words[2])
    except (OSError, ValueError) as why:
        raise Problem(f"{path}: cannot be read: {first_line(why)}")
    return header


def read_text(path, ids=None):
    import warnings

    import numpy as np

    header = text_header(path)
    with open(path, errors="replace") as file:
        first = next((line for line in file if line.strip() and line.lstrip()[0] not in "#!%"), "")
    separator = ";" if ";" in first else "," if "," in first else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an empty file; it is named below
            rows = np.loadtxt(path, comments=["#", "!", "%"], ndmin=2, delimiter=separator, encoding="utf-8-sig")
    except (ValueError, UnicodeDecodeError) as why:
        raise Problem(f"{path}: not a table m x y z vx vy vz ({first_line(why)})")
    if rows.size == 0:
        raise Problem(f"{path}: no particles")
    if rows.shape[1] != TEXT_COLUMNS:
        raise Problem(f"{path}: {rows.shape[1]} columns, expected {TEXT_COLUMNS} (m x y z vx vy vz)")
    if ids:
        rows = rows[max(ids[0], 0):max(ids[1] + 1, 0)]
    return Snapshot(header, rows[:, 1:4].copy(), rows[:, 0].copy())


# ---- both -----------------------------------------------------------------------------------------------------
def is_text(path):
    return not path.endswith((".hdf5", ".h5"))


def check_file(path):
    if not os.path.exists(path):
        raise Problem(f"{path}: no such file")
    if os.path.isdir(path):
        raise Problem(f"{path}: is a folder; name a snapshot in it")
    if not os.access(path, os.R_OK):
        raise Problem(f"{path}: cannot be read: Permission denied")


def read_header(path):
    check_file(path)
    if is_text(path):
        return text_header(path)
    with open_file(path) as file:
        return hdf5_header(file, path)


def read(path, warn=None, ids=None):
    """A snapshot; particles whose position or mass is not finite are left out, with a word to warn().  ids: the first and
    the last number of the particles that are read, or None for all."""
    import numpy as np

    check_file(path)
    snapshot = read_text(path, ids) if is_text(path) else read_hdf5(path, ids)
    if ids and len(snapshot) == 0:
        raise Problem(f"{path}: no particle has a number from {ids[0]} to {ids[1]}")
    good = np.isfinite(snapshot.position).all(axis=1) & np.isfinite(snapshot.mass)
    if not good.all():
        if not good.any():
            raise Problem(f"{path}: no particle has a finite position and mass")
        if warn:
            warn(f"{path}: {len(good) - good.sum()} particles are not finite and are left out")
        step = None if snapshot.step is None else snapshot.step[good]
        snapshot = Snapshot(snapshot.header, snapshot.position[good], snapshot.mass[good], step)
    if warn and snapshot.header.assumed:
        warn(f"{path}: {snapshot.header.assumed}")
    return snapshot


def in_folder(folder):
    """Paths of the snapshots of a folder, in the order of their numbers; of several files, the first."""
    if not os.path.isdir(folder):
        raise Problem(f"{folder}: no such folder")
    names = [os.path.join(glob.escape(folder), f"snapshot_*.{end}") for end in ("hdf5", "h5", "txt")]
    paths = [path for name in names for path in glob.glob(name)]
    paths = [path for path in paths if not PART.search(path) or PART.search(path)[1] == "0"]
    return sorted(paths, key=lambda path: [int(digits) for digits in re.findall(r"\d+", os.path.basename(path))])
