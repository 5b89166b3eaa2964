# SPDX-License-Identifier: MIT
"""Snapshots: Gadget-style HDF5 in one file or several, and the text tables of g6run.

Positions are in the snapshot's own units, with the middle of the box as origin.  Only the data sets that are
asked for are read: memory may hold the positions and masses of a hundred million particles, but not all data sets.
"""
import collections
import contextlib
import glob
import itertools
import os
import re

from . import told
from .problem import Problem
from .text_comments import (LENGTH_UNITS, OTHER_SIGNS, TIME_UNITS, VELOCITY_UNITS, gravity_in, is_number, may_be_unit, tell_units,
                            time_in, without_number)
from .units import MSUN, PC, Units

PART = re.compile(r"\.(\d+)\.(hdf5|h5)$")
COLUMNS = ("m", "x", "y", "z", "vx", "vy", "vz")  # of a table
IN_PROSE = ("m", "x y z", "vx vy vz")
MUST_BE_ONCE = f"names of columns, among which each of {' '.join(COLUMNS)} must be once"
PLACE = re.compile(r"(?:pos|positions?|coord|coordinates?|x(?=\d)|(v|vel|velocity|velocities))([xyz1-3])")
UNIT_MARK = re.compile(r"[\[(/]")
EMPTY_CELL = re.compile(r"(^|[,;])\s*[,;]")
TYPES = ("gas", "halo", "disk", "bulge", "stars", "bndry")  # Gadget's types 0 to 5
DEFAULT_UNITS = (1e3 * PC, 1e10 * MSUN)  # Gadget's
UNKNOWN_UNITS = Units(name="units of the file")


# Which particles are read: ids, the first and the last number; types, as a list of 0 to 5.  None: all.
Selection = collections.namedtuple("Selection", "ids types", defaults=(None, None))
ALL = Selection()


class Header:
    """The header of a snapshot.  redshift and hubble are None if the universe does not expand.  sides: of the box.  label: the
    run, in a picture of several runs.  time_unit: the unit of time that a text table names, as Myr, else ""."""

    def __init__(self, path):
        self.path, self.time, self.sides, self.files, self.label, self.time_unit = path, 0.0, [0.0] * 3, 1, "", ""
        self.redshift = self.hubble = self.omega_matter = self.omega_lambda = None
        self.units, self.assumed = Units(), ""
        self.counts, self.masses = [], []

    @property
    def scale_factor(self):
        return 1.0 if self.redshift is None else 1 / (1 + self.redshift)

    @property
    def box(self):
        """The side of the box, which is a cube."""
        if len(set(self.sides)) > 1:
            raise Problem(f"{self.path}: its box is no cube")
        return self.sides[0]

    def title(self):
        return f"{self.label}: {self.when()}" if self.label else self.when()

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


def type_names(types):
    return ", ".join(f"{kind} ({TYPES[kind]})" if kind < len(TYPES) else str(kind) for kind in types)


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


def set_units(header, file):
    given, comoving = told.units(file), header.redshift is not None
    if given is None:
        if comoving:
            header.assumed = "the header has no UnitLength_in_cm: lengths are taken as kpc/h, masses as 1e10 Msun/h"
            length, mass = DEFAULT_UNITS
            header.units = Units(length / header.hubble, mass / header.hubble, None, True)
        else:
            header.units = UNKNOWN_UNITS
        return
    # g6run declares units that stand for none, because yt and pynbody need some.
    if "Units" in file and text_of(file["Units"].attrs.get("Description", "")).startswith("N-body units"):
        return
    length, mass, time, over_h = given
    if not comoving and not told.are_of_nature(file, given):
        return
    hubble = header.hubble if comoving and over_h else 1.0
    header.units = Units(length / hubble, mass / hubble, None if comoving else time, comoving)


def set_expansion(header, file):
    scale_factor = told.scale_factor(file)
    if scale_factor is None:
        return
    if not 0 < scale_factor < 1e6:
        raise ValueError(f"its scale factor is {scale_factor:g}")
    header.time, header.redshift = scale_factor, 1 / scale_factor - 1
    header.omega_matter, header.hubble = told.told(file, "omega_matter"), told.told(file, "hubble")
    omega_lambda = told.told(file, "omega_lambda")
    header.omega_lambda = 1 - header.omega_matter if omega_lambda is None else omega_lambda


def hdf5_header(file, path):
    if "Header" not in file:
        raise Problem(f"{path}: has no group Header: not a snapshot of Gadget's layout")
    attributes = dict(file["Header"].attrs)
    header = Header(path)
    try:
        header.counts = [int(n) for n in told.numbers(attributes, "NumPart_ThisFile")]
        header.masses = told.numbers(attributes, "MassTable") if "MassTable" in attributes else []
        header.masses += [0.0] * (len(header.counts) - len(header.masses))
        header.time = told.number(attributes, "Time", 0.0)
        sides = told.numbers(attributes, "BoxSize") if "BoxSize" in attributes else [0.0]
        if len(sides) not in (1, 3):
            raise ValueError(f"BoxSize: one number or three expected, not {len(sides)}")
        header.sides = sides * 3 if len(sides) == 1 else sides
        header.files = int(told.number(attributes, "NumFilesPerSnapshot", 1))
        set_expansion(header, file)
        set_units(header, file)
    except KeyError as missing:
        raise Problem(f"{path}: the header has no {missing.args[0]}")
    except (TypeError, ValueError, OverflowError) as why:
        raise Problem(f"{path}: the header cannot be read: {first_line(why)}")
    for kind, count in itertools.zip_longest(range(len(TYPES)), header.counts, fillvalue=0):
        data = file.get(f"PartType{kind}/Coordinates")
        if count == 0 and data is not None and data.size:
            raise Problem(f"{path}:/PartType{kind} has particles, of which NumPart_ThisFile counts none")
    if min(header.counts, default=0) < 0 or header.files < 1:
        raise Problem(f"{path}: the header counts {min(header.counts)} particles, {header.files} files")
    return header


def numbers(group, name, count, columns, path, exact=False):
    """The rows of a data set as doubles.  exact: in their own type, since doubles cannot hold ids above 2**53."""
    if name not in group:
        raise Problem(f"{path}: {group.name}/{name} is missing")
    wanted = (count, columns) if columns > 1 else (count,)
    if getattr(group[name], "shape", None) != wanted:
        shape = getattr(group[name], "shape", "that of a group")
        raise Problem(f"{path}: {group.name}/{name}: its size is {shape}, expected {wanted}")
    try:
        rows = group[name][()]
        return rows if exact else rows.astype(float, copy=False)
    except (OSError, ValueError, TypeError) as why:
        raise Problem(f"{path}: {group.name}/{name} cannot be read (truncated or damaged; {first_line(why)})")


def at_common_time(position, group, time, count, path):
    """Positions predicted to the header's time, since in interrupted.hdf5 each body has a time of its own."""
    dt = (time - numbers(group, "OwnTime", count, 1, path))[:, None]
    if not dt.any():
        return position
    v, a, j = (numbers(group, name, count, 3, path) for name in ("Velocities", "Acceleration", "Jerk"))
    return position + dt * (v + dt / 2 * (a + dt / 3 * j))


def read_type(file, header, kind, ids):
    """Position, mass and step of the particles of one type; if ids is not None, of those from ids[0] to ids[1]."""
    import numpy as np

    name, count, path = f"PartType{kind}", header.counts[kind], header.path
    if name not in file:
        raise Problem(f"{path}: has no group {name}, which the header announces")
    group = file[name]
    # g6run writes Position for itself; in an expanding universe only Coordinates are surely comoving.
    if header.redshift is None and "Position" in group:
        position = numbers(group, "Position", count, 3, path)
        if {"OwnTime", "Velocities", "Acceleration", "Jerk"} <= set(group):
            position = at_common_time(position, group, header.time, count, path)
    else:
        position = numbers(group, "Coordinates", count, 3, path) - np.array(header.sides) / 2

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


def parts(header):
    """Yields each file of a snapshot, open, with its own header, in which Time may be missing.  Refuses a file of another
    snapshot."""
    for path in parts_of(header):
        with open_file(path) as file:
            own = hdf5_header(file, path)
            other_time = "Time" in file["Header"].attrs and own.time != header.time
            if path != header.path and (other_time or own.files != header.files):
                raise Problem(f"{path}: its Time or NumFilesPerSnapshot is not that of {header.path}")
            yield file, own


def read_hdf5(path, only):
    import numpy as np

    with open_file(path) as file:
        header = hdf5_header(file, path)
    found, there = [], set()
    for file, own in parts(header):
        kinds = [kind for kind, n in enumerate(own.counts) if n > 0]
        there.update(kinds)
        found += [read_type(file, own, kind, only.ids) for kind in kinds if only.types is None or kind in only.types]
    if not there:
        raise Problem(f"{path}: no particles")
    if not found:
        raise Problem(f"{path}: has no particles of type {type_names(only.types)}; it has {type_names(sorted(there))}")
    position, mass, step = zip(*found)
    steps = None if any(s is None for s in step) else np.concatenate(step)
    return Snapshot(header, np.concatenate(position), np.concatenate(mass), steps)


# ---- text -----------------------------------------------------------------------------------------------------
def open_text(path):
    with open(path, "rb") as file:
        if b"\0" in file.read(512):
            raise Problem(f"{path}: a binary file; g6plot reads HDF5 snapshots of Gadget's layout, and tables "
                          "m x y z vx vy vz")
    return open(path, errors="replace", encoding="utf-8-sig")


def row_and_comment(line):
    """The part of a line before its comment, and the comment without #, !, % or //."""
    if line.lstrip().startswith("//"):
        return "", line.lstrip()[2:]
    return re.fullmatch(r"([^#!%]*)[#!%]*(.*)", line, re.S).groups()


def text_header(path):
    """The header of a text table.  The time is from "# time T" or "# t = T Myr", which may also stand below names or bodies;
    without such a line it is 0."""
    header, found = Header(path), False
    with open_text(path) as file:
        for line in file:
            row, comment = row_and_comment(line)
            if not row.strip():
                if (time := time_in(comment, path)) is not None:
                    found, (header.time, header.time_unit) = True, time
                    header.units.time = TIME_UNITS.get(header.time_unit)
            elif found and any(map(is_number, cells(row))):
                break
    return header


def cells(line):
    """The words of a line, which commas, semicolons or white space separate."""
    mark = ";" if ";" in line else "," if "," in line else None
    return [word.strip(' \t\r\n"') for word in line.strip().rstrip(mark).split(mark)]


def plain_name(name):
    """The plain name of a column: x for X, pos_x, x1, 2:x or "Position x [pc]", vx for v_x or v1, m for Mass, id for
    ParticleIDs."""
    text = re.sub(r"[\[(/].*|[^a-z0-9]", "", name.lower()).lstrip("0123456789")
    place = PLACE.fullmatch(text)
    if place:
        return ("v" if place[1] else "") + place[2].translate(str.maketrans("123", "xyz"))
    return {"mass": "m", "masses": "m", "ids": "id", "particleid": "id", "particleids": "id"}.get(text, text)


def columns_in_prose(word):
    """The columns that a word of a comment names, as "positions"."""
    place = PLACE.fullmatch(word.lower() + "x")
    if place and len(word) > 1:
        return IN_PROSE[2 if place[1] else 1]
    return "m" if len(word) > 1 and plain_name(word) == "m" else ""


def closed(words):
    """The words, with those inside brackets joined, so "[km / s]" is one word."""
    joined = []
    for word in words:
        if joined and re.search(r"[\[(][^\[\](){}]*$", joined[-1]):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def column_names(words):
    """Names with units and without column numbers: m, vx[km/s] and x[pc] for "(1) m (2) vx [km / s] (3) x_pc"."""
    names = []
    for word in closed(words):
        name = re.sub(r"^(?:[(\[]\d+[)\]]|\d+)[)\].:]*", "", word)
        if names and name[:1] in ("[", "("):
            names[-1] += name
        elif name or not word:
            names.append(name)
    plain = [plain_name(name) for name in names]
    for k, name in enumerate(names):
        for at in (match.start() for match in re.finditer("_", name) if plain[k] not in COLUMNS):
            column = plain_name(name[:at])
            if column in COLUMNS and column not in plain:
                names[k] = f"{name[:at]}[{name[at + 1:]}]"
                break
    return names


# The places of a table's columns: a list for COLUMNS, the place of the ids or None, and whether the names have units.
Places = collections.namedtuple("Places", "columns ids with_units")


def introduced(names):
    """The cells of a comment without a word that introduces names, as in "columns: m x y z" and "columns: m, x, y, z"."""
    if not names:
        return names
    first = re.sub(r"^.*?:( |$)", "", names[0])
    return [first] * bool(first or not names[0]) + names[1:]


def named_columns(names, width, is_head, path):
    """The Places from a line of names; None for a comment that is not a line of names."""
    names = column_names(names if is_head else introduced(names))
    if is_head and len(names) != width:
        raise Problem(f"{path}: {width} columns, but {len(names)} names above them")
    with_units, units = any(map(UNIT_MARK.search, names)), [re.sub(r"^[^\[(/]*", "", name) for name in names]
    names = [plain_name(name) for name in names]
    if all(names.count(name) == 1 for name in COLUMNS) and (is_head or len(names) == width):
        places = [names.index(name) for name in COLUMNS]
        check_units([units[k] for k in places], path)
        return Places(places, names.index("id") if names.count("id") == 1 else None, with_units)
    known = [k for k, name in enumerate(names) if name in COLUMNS]
    others = len(names) == width and len(known) > 3 and any(COLUMNS[k:k + 1] != (names[k],) for k in {0, *known})
    if is_head or others:
        raise Problem(f"{path}: {MUST_BE_ONCE}")
    return None


def check_units(words, path):
    """Refuses positions, or velocities, in different known units."""
    units = [re.sub(r"[][()\s]|^/", "", word) for word in words]
    plain = [re.sub("-1$|[^a-z0-9]", "", unit.lower()).replace("parsec", "pc").replace("auday", "aud") for unit in units]
    for first, others, known in ((1, (2, 3), LENGTH_UNITS), (4, (5, 6), VELOCITY_UNITS)):
        for k in others:
            are_known = all(known.fullmatch(without_number(units[c])) for c in (first, k))
            if are_known and plain[first] != plain[k]:
                raise Problem(f"{path}: {COLUMNS[first]} is in {units[first]}, but {COLUMNS[k]} in {units[k]}: give the positions "
                              "one unit, and the velocities one")


def are_units(words, places, path):
    """Whether a comment below the names has one word for x, y and z, and one for vx, vy and vz."""
    words = m, x, y, z, vx, vy, vz = [words[k] for k in places.columns]
    check_units(words, path)
    return x == y == z and vx == vy == vz and any(map(may_be_unit, (m, x, vx)))


def check_order(comments, width, path):
    """Refuses comments that name only some of the columns, or all of them in an unusual order among other words."""
    comments = list(comments)
    for comment in comments:
        given = column_names(introduced(comment))
        names = [plain_name(name) for name in given]
        if 3 < len(names) < len(COLUMNS) and set(names) <= set(COLUMNS):
            raise Problem(f"{path}: {MUST_BE_ONCE}")
        # More than seven words without ids and units may be prose.
        if all(names.count(name) == 1 for name in COLUMNS) and ("id" in names or any(map(UNIT_MARK.search, given))):
            raise Problem(f"{path}: {width} columns, but {len(names)} names above them")
    words = [word for comment in comments for cell in comment for word in re.findall(r"\w*[a-z]\b", cell, re.I)]
    for known, name_of in ((COLUMNS, plain_name), (IN_PROSE, columns_in_prose)):
        found = [name for name, _ in itertools.groupby(name for name in map(name_of, words) if name in known)]
        if sorted(found) == sorted(known):
            break
    if sorted(found) == sorted(known) and tuple(found) != known:
        order = " ".join(found)
        raise Problem(f"{path}: comments have names of columns in the order {order} among other words; "
                      f'write the names alone as a comment in the order of the columns, as "# {" ".join(COLUMNS)}" or "# {order}"')


def table_lines(path):
    """The lines of bodies, the Places, the comments, and a hint.  The Places are from a first line of names, else from the last
    comment of names before the bodies; None if there is neither."""
    comments, texts, head, lines, places, times, above, ends = [], [], None, [], None, 0, 0, {0}
    with open_text(path) as file:
        for line in file:
            line, rest = row_and_comment(line)
            if not line.strip():
                if time_in(rest, path) is not None:
                    times += 1
                    if times > 1 and lines:
                        raise Problem(f"{path}: another time among the bodies: the file has several snapshots; give one of them")
                ends.add(len(lines))
                if not lines:
                    comments.insert(0, cells(rest))
                    above += head is None
                    texts.append(rest)
                continue
            words = cells(line) if not lines else []
            if not lines and head is None and not any(map(is_number, words)):
                head = words
                continue
            if not lines:
                for k, names in enumerate([head] if head else comments):
                    places = named_columns(names, len(words), bool(head), path)
                    if places:
                        below = comments[:len(comments) - above] if head else comments[:k]
                        units = any(len(unit) == len(words) and are_units(unit, places, path) for unit in map(closed, below))
                        places = places._replace(with_units=places.with_units or units)
                        break
                else:
                    check_order(reversed(comments), len(words), path)
            lines.append(line)
    if not lines:
        raise Problem(f"{path}: no particles")
    return lines, places, texts, hint_of(sorted({*ends, len(lines)}))


def hint_of(ends):
    """A hint that a file seems to have several snapshots: parts of equal size between comments and empty lines; else ""."""
    sizes = {end - begin for begin, end in zip(ends, ends[1:])}
    if len(ends) < 3 or len(sizes) > 1 or min(sizes) < 2:
        return ""
    return (f"{len(ends) - 1} parts of {min(sizes)} bodies with comments or empty lines between them are one system here: "
            "are they several snapshots?")


def whole_numbers(words):
    """The words as ids of 64 bits, also from 1.0e+01; None if a word is not a whole number."""
    import numpy as np

    try:
        found = [int(word) if word.isdigit() else int(number) if (number := float(word)).is_integer() else -1 for word in words]
        return np.array(found, dtype=np.uint64) if min(found) >= 0 else None
    except (ValueError, OverflowError):
        return None


def text_rows(path):
    """The bodies of a table as rows m x y z vx vy vz."""
    return text_table(path).rows


# Rows m x y z vx vy vz; ids or None; whether names of columns or comments tell units, or a G that is not 1; a hint or "".
Table = collections.namedtuple("Table", "rows ids with_units hint")


def text_table(path):
    lines, places, comments, hint = table_lines(path)
    columns, at, with_units = places or Places(None, None, False)
    gravity = gravity_in(comments)
    with_units = with_units or tell_units(comments) if gravity is None else abs(gravity - 1) > 0.01
    return Table(*numbers_of(lines, columns, at, path), with_units, hint)


def numbers_of(lines, columns, at, path):
    """Rows and ids of lines; columns and at: their places, None for those of a table without names."""
    import warnings

    import numpy as np

    try:
        if columns and (columns != list(range(len(COLUMNS))) or len(cells(lines[0])) > len(COLUMNS)):
            words = [cells(line) for line in lines]
            if len(set(map(len, words))) > 1:
                raise ValueError("its lines have different numbers of columns")
            ids = None if at is None else whole_numbers([row[at] for row in words])
            return np.array([[float(row[k].translate(OTHER_SIGNS)) for k in columns] for row in words]), ids
        if any(EMPTY_CELL.search(line) for line in lines):
            raise ValueError("a cell is empty")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows = np.loadtxt([line.translate(OTHER_SIGNS) for line in lines], ndmin=2)
    except (ValueError, IndexError) as why:
        # Behind a semicolon NumPy names arguments of its own function.
        raise Problem(f"{path}: not a table m x y z vx vy vz ({first_line(why).partition(';')[0]})")
    if rows.shape[1] != len(COLUMNS):
        raise Problem(f"{path}: {rows.shape[1]} columns, expected {len(COLUMNS)} (m x y z vx vy vz)")
    return rows, None


def read_text(path, only):
    import numpy as np

    if only.types is not None:
        raise Problem(f"{path}: a table has no types of particles; --type draws snapshots in HDF5, --ids some rows of a table")
    header, (rows, numbers, with_units, header.assumed) = text_header(path), text_table(path)
    if with_units:
        header.units.name = UNKNOWN_UNITS.name
    if only.ids:
        numbers = np.arange(len(rows)) if numbers is None else numbers
        rows = rows[(numbers >= only.ids[0]) & (numbers <= only.ids[1])]
    return Snapshot(header, rows[:, 1:4].copy(), rows[:, 0].copy())


# ---- both -----------------------------------------------------------------------------------------------------
def is_text(path):
    import h5py

    return not path.endswith((".hdf5", ".h5")) and not h5py.is_hdf5(path)


def check_file(path):
    if not os.path.exists(path):
        raise Problem(f"{path}: no such file")
    if os.path.isdir(path):
        raise Problem(f"{path}: is a folder; name a snapshot in it")
    if not os.access(path, os.R_OK):
        raise Problem(f"{path}: cannot be read: Permission denied")


@contextlib.contextmanager
def named_errors(path):
    """Turns errors of the system or of HDF5 about a file into a Problem; the file may vanish at any moment."""
    try:
        yield
    except OSError as why:
        raise Problem(f"{path}: cannot be read: {why.strerror or first_line(why)}")
    except (KeyError, RuntimeError) as why:
        raise Problem(f"{path}: cannot be read (truncated or damaged; {first_line(why)})")


def read_header(path):
    check_file(path)
    with named_errors(path):
        if is_text(path):
            return text_header(path)
        with open_file(path) as file:
            return hdf5_header(file, path)


def read(path, warn=None, only=ALL):
    """Reads a snapshot; particles whose position or mass is not finite are left out, and warn() gets a message."""
    import numpy as np

    check_file(path)
    with named_errors(path):
        snapshot = read_text(path, only) if is_text(path) else read_hdf5(path, only)
    if only.ids and len(snapshot) == 0:
        raise Problem(f"{path}: no particle has a number from {only.ids[0]} to {only.ids[1]}")
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
    """Paths of the snapshots of a folder, in the order of their numbers; for a snapshot in several files, of the first file.
    Tables of halos, which g6plot writes beside snapshots, are left out."""
    if not os.path.isdir(folder):
        raise Problem(f"{folder}: no such folder")
    names = [os.path.join(glob.escape(folder), f"snapshot_*.{end}") for end in ("hdf5", "h5", "txt")]
    paths = [path for name in names for path in glob.glob(name)]
    paths = [path for path in paths if (not PART.search(path) or PART.search(path)[1] == "0") and not path.endswith("-halos.txt")]
    return sorted(paths, key=lambda path: [int(digits) for digits in re.findall(r"\d+", os.path.basename(path))])
