#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the inputs of g6run and g6plot with random files: headers of all families of codes, columns in any order,
units, several files, damage.  The right answer follows from the numbers that a file was written from: the first snapshot of a
run has these bodies, with velocities divided by the root of G, or g6run refuses the file with the message that belongs to
its fault.  With a damaged file g6run must end with a status and a message, or with bodies that are finite.

  fuzz.py --bin build/bin --count 150 --seed 1      status 1 when a file is misread; --keep FOLDER keeps such files
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from g6plot import snapshot  # noqa: E402
from g6plot.problem import Problem  # noqa: E402

G, PC, MSUN = 6.6743e-8, 3.0856775814913673e18, 1.3271244e26 / 6.6743e-8
END = "9.5367431640625e-07"  # 2^-20
NAMES = ("m", "x", "y", "z", "vx", "vy", "vz")
BINARY = {"gzip": b"\x1f\x8b\x08\0", "bzip2": b"BZh9", "NumPy": b"\x93NUMPY\1\0", "NEMO": b"\x92\x09\1\0",
          "Tipsy": np.array([0.5]).tobytes() + np.array([4, 3, 0, 4, 0], np.int32).tobytes(),
          "binary format 1": np.array([256] + [0] * 64 + [256], np.int32).tobytes(),
          "binary format 2": np.array([8], np.int32).tobytes() + b"HEAD" + np.array([264, 8], np.int32).tobytes(),
          "": b"\0\1\2\3"}


class Case:
    """A file and what is right: words of the refusal, or rows m x y z vx vy vz of the run; options that go with it."""

    def __init__(self, path):
        self.path, self.options, self.words, self.rows = path, [], None, None
        self.damaged = False
        self.picture = None  # (positions, masses, unit of length [cm] or None, redshift or None) that g6plot reads


def random_rows(r, count, single=False):
    size = r.choice([1e-9, 1.0, 1e4])
    rows = np.array([[r.uniform(0.1, 1)] + [r.gauss(0, size) for _ in range(3)] + [r.gauss(0, 1) for _ in range(3)]
                     for _ in range(count)])
    return rows.astype(np.float32).astype(float) if single else rows


# ---- HDF5 -----------------------------------------------------------------------------------------------------
def units_of(r, family):
    """(cm, g, cm/s) and groups of attributes, of a family and of random sizes."""
    length = r.choice([1.0, PC, 1e3 * PC, 1.7 * PC])
    mass, speed = r.choice([1.0, 1e10 * MSUN, MSUN, 7e34]), r.choice([1.0, 1e5, 3e6])
    if r.random() < 0.3:
        speed = (G * mass / length) ** 0.5  # G = 1
    if family == "SWIFT":
        names = {"Unit length in cgs (U_L)": length, "Unit mass in cgs (U_M)": mass, "Unit time in cgs (U_t)": length / speed}
        return (length, mass, speed), {"Units": names}
    names = (("UnitLength_In_CGS", "UnitMass_In_CGS", "UnitVelocity_In_CGS") if family == "GIZMO" else
             ("UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s"))
    group = {"Gadget-4": "Parameters", "AREPO": "Header", "GIZMO": "Header", "g6run": "Units"}[family]
    return (length, mass, speed), {group: dict(zip(names, (length, mass, speed)))}


def gravity_of(r, family, sizes, groups):
    """The file's own constant of gravity, or that of nature in its units."""
    own = r.choice([None, 0.0, 1.0, 43007.1, 0.5])
    length, mass, speed = sizes
    natural = G * mass / (length * speed ** 2)
    if family == "SWIFT" and own:
        groups["PhysicalConstants/CGS"] = {"newton_G": own * G}
        return natural * own
    if family not in ("Gadget-4", "GIZMO") or own is None:
        return natural
    group, name = (("Parameters", "GravityConstantInternal") if family == "Gadget-4" else
                   ("Header", "Gravitational_Constant_In_Code_Inits"))
    groups.setdefault(group, {})[name] = own
    return own or natural


def expansion(r, family, groups):
    """Makes it a file of an expanding universe; returns its redshift and h."""
    z, h = r.choice([0.0, 0.5, 9.0]), r.choice([0.7, 1.0])
    header = groups["Header"]
    header.update(Redshift=z, Time=1 / (1 + z))
    if family == "SWIFT":
        header.update({"Time": 0.013, "Scale-factor": 1 / (1 + z)})
        groups["Cosmology"] = {"Cosmological run": 1, "Omega_m": 0.3, "Omega_lambda": 0.7, "h": h}
        return z, h
    group = groups.setdefault("Parameters" if family == "Gadget-4" else "Header", {})
    matter, constant = ("Omega_Matter", "Omega_Lambda") if family == "GIZMO" else ("Omega0", "OmegaLambda")
    group.update({matter: 0.3, constant: 0.7, "HubbleParam": h})
    if family == "Gadget-4":
        group["ComovingIntegrationOn"] = 1
    return z, h


def write_part(path, r, groups, rows, types, table, single):
    """One file.  types: of the rows.  table: whether MassTable has the masses of type 1."""
    kind = np.float32 if single else float
    with h5py.File(path, "w") as file:
        for name, attributes in groups.items():
            for key, value in attributes.items():
                alone = np.ndim(value) == 0 and r.random() < 0.5
                file.require_group(name).attrs[key] = [value] if alone else value
        for each in sorted(set(types)):
            own, group = rows[types == each], file.create_group(f"PartType{each}")
            group["Coordinates"], group["Velocities"] = own[:, 1:4].astype(kind), own[:, 4:].astype(kind)
            if not (table and each == 1):
                group["Masses"] = own[:, 0].astype(kind)


def break_units(r, groups):
    """Takes away or spoils one attribute of a unit; the words of the refusal."""
    group, name = r.choice([(g, n) for g, names in groups.items() for n in names if "nit" in n and "cgs" in n.lower() or
                            n.startswith("Unit")])
    if r.random() < 0.5:
        del groups[group][name]
        return "names some of its units"
    groups[group][name] = r.choice([0.0, -1.0, np.nan, np.inf])
    return re.escape(name)


def hdf5_case(r, folder):
    case = Case(os.path.join(folder, "a.hdf5"))
    single, n = r.random() < 0.4, r.randint(2, 12)
    rows = random_rows(r, n, single)
    types = np.sort(np.array([r.choice([1, 1, 1, 2, 4]) for _ in range(n)]))
    family = r.choice(["GADGET-2", "Gadget-4", "AREPO", "GIZMO", "SWIFT", "g6run"])
    box = r.choice([0.0, 8.0])
    groups = {"Header": dict(Time=0.0, Redshift=0.0, BoxSize=[box] * 3 if r.random() < 0.3 else box)}
    sizes, gravity = (None,) * 3, None
    if family != "GADGET-2":
        sizes, units = units_of(r, family)
        for name, attributes in units.items():
            groups.setdefault(name, {}).update(attributes)
        gravity = gravity_of(r, family, sizes, groups)
    table = 1 in types and r.random() < 0.4
    if table:
        rows[types == 1, 0] = rows[types == 1, 0][0]
        masses = [0.0] * r.choice([2, 6])
        masses[1] = rows[types == 1, 0][0]
        groups["Header"]["MassTable"] = masses
    expect(r, case, family, groups, rows, gravity, sizes)
    files = r.choice([1, 1, 2, 3]) if n >= 3 else 1
    cuts = np.array_split(r.sample(range(n), n), files)
    order = []
    for k, own in enumerate(cuts):
        own = np.sort(own)
        counts = np.bincount(types[own], minlength=7)
        groups["Header"].update(NumPart_ThisFile=counts, NumPart_Total=np.bincount(types, minlength=7),
                                NumFilesPerSnapshot=files)
        path = os.path.join(folder, f"a.{k}.hdf5") if files > 1 else case.path
        write_part(path, r, groups, rows[own], types[own], table, single)
        order += [(types[i], k, i) for i in own]
    if files > 1:
        lose_part(r, case, path)
        case.path = os.path.join(folder, r.choice(["a", "a.0.hdf5"] + [f"a.{files - 1}.hdf5"] * os.path.exists(path)))
    order = [i for _, _, i in sorted(order)]  # of g6run: by types, then by files
    if case.rows is not None:
        case.rows = case.rows[order]
    if case.picture and files == 1:
        case.picture = (rows[:, 1:4] - box / 2, rows[:, 0], *case.picture)
    else:
        case.picture = None
    return case


def lose_part(r, case, path):
    """Takes away the last of several files, or gives it another time."""
    fault = r.random()
    if fault > 0.3:
        return
    if fault < 0.15:
        os.remove(path)
    else:
        with h5py.File(path, "r+") as file:
            file["Header"].attrs["Time"] = 0.75
    case.words = "no such file" if fault < 0.15 else "its Time or NumFilesPerSnapshot is not that of"
    case.rows = None


def expect(r, case, family, groups, rows, gravity, sizes):
    """What is right for a file of these groups; may change them."""
    length = sizes[0]
    natural = length and G * sizes[1] / (length * sizes[2] ** 2)
    if length and r.random() < 0.15 and not any(groups.get(g, {}).get(n) for g, n in (
            ("Parameters", "GravityConstantInternal"), ("Header", "Gravitational_Constant_In_Code_Inits"))):
        case.words = break_units(r, groups)
        return
    if r.random() < 0.2:
        z, h = expansion(r, family, groups)
        case.words = "expanding universe"
        over = 1 if family == "SWIFT" else h
        case.picture = ((length or 1e3 * PC) / over, z)
        return
    case.picture = (length if length and abs(gravity / natural - 1) < 0.01 or family == "SWIFT" else None, None)
    if gravity is None and r.random() < 0.5:
        case.words = "constant of gravity does not follow"
    elif gravity is None or r.random() < 0.6:
        given = gravity or r.choice([1.0, 43009.2])
        case.options = ["--gravity", repr(given)]
        case.rows = np.hstack([rows[:, :4], rows[:, 4:] / given ** 0.5])
    elif abs(gravity - 1) < 0.01:
        case.rows = rows
    else:
        case.words = "have G = "


# ---- text -----------------------------------------------------------------------------------------------------
def name_of(r, name):
    axis = name[-1]
    names = dict(m=["m", "mass", "Masses"]).get(name) or (
        [name, name.upper(), f"vel_{axis}", f"Velocity {axis}", f"v_{axis}"] if name[0] == "v" else
        [name, name.upper(), f"pos_{axis}", f"Position_{axis}"])
    return r.choice(names)


def number_text(r, value):
    text = f"{value:.17g}"
    if r.random() < 0.2:
        text = f"{value:.16e}".replace("e", r.choice(["d", "D", "E"]))
    return text


def text_case(r, folder):
    case = Case(os.path.join(folder, r.choice(["a.txt", "a.csv", "a"])))
    rows = random_rows(r, r.randint(2, 12))
    if r.random() < 0.15:
        words = r.choice(sorted(BINARY))
        with open(case.path, "wb") as file:
            file.write(BINARY[words] + bytes(r.randrange(256) for _ in range(600)))
        case.words = "a binary file, .*" + words
        return case
    columns = list(NAMES)
    head = r.random() < 0.6
    if head:
        columns += r.sample(["id", "age", "type", "vxy", "radius"], r.randint(0, 3))
        r.shuffle(columns)
    separator = r.choice([" ", "\t", ",", ";", ", ", "  "])
    names = [name_of(r, c) if c in NAMES else c for c in columns]
    if not separator.strip():
        names = [name.replace(" ", "_") for name in names]
    quote = '"' if separator.strip() and r.random() < 0.3 else ""
    lines = ["# made by a program", "! time of another kind"][:r.randint(0, 2)]
    if head:
        lines.append(r.choice(["# ", "#", ""]) + separator.join(quote + name + quote for name in names))
    first = len(lines)
    for row in rows:
        values = dict(zip(NAMES, row))
        lines.append(separator.join(number_text(r, values.get(c, r.randint(0, 99))) for c in columns))
    case.rows = rows
    fault = r.random()
    if fault < 0.1 and not head:
        lines.insert(first, separator.join(r.choice([[str(len(rows))], ["0", str(len(rows)), "0"]])))
        case.words = "is a first line with counts"
    elif fault < 0.2 and head and "m" in columns:
        lines = [line.replace(names[columns.index("m")], "weight", 1) if k == first - 1 else line
                 for k, line in enumerate(lines)]
        if columns[:1] != ["m"] or len(columns) != 7 or not lines[first - 1].startswith("#"):
            case.words = "names of columns|columns, expected 7"
        elif columns != list(NAMES):
            case.words = "names of columns"
    elif fault < 0.3:
        lines[-1] = lines[-1].rsplit(separator, 1)[0]
        case.words = "columns, expected"
    if case.words:
        case.rows = None
    end = r.choice(["\n", "\r\n"])
    with open(case.path, "w", newline="", encoding=r.choice(["utf-8", "utf-8-sig"])) as file:
        file.write(end.join(lines) + (end if r.random() < 0.8 else ""))
    return case


def damage(r, case):
    """Flips or cuts bytes of a file: nothing is known of it but that g6run must not crash."""
    if not os.path.isfile(case.path):
        return
    with open(case.path, "rb") as file:
        data = bytearray(file.read())
    for _ in range(r.choice([1, 1, 3, 30])):
        if len(data) > 1:
            data[r.randrange(len(data))] = r.randrange(256)
    if r.random() < 0.3:
        del data[r.randrange(len(data)):]
    with open(case.path, "wb") as file:
        file.write(data)
    case.rows, case.words, case.picture, case.damaged = None, "", None, True


# ---- the programs ---------------------------------------------------------------------------------------------
def wrong_run(case, program, folder):
    """What g6run does wrong, or nothing."""
    out = os.path.join(folder, "out")
    call = [program, "--input", case.path, "--eps", "1", "--t-end", END, "--format", "text", "--quiet", "--strict",
            "--output", out, *case.options]
    done = subprocess.run(call, capture_output=True, text=True, errors="replace", timeout=60)
    said = done.stderr.strip()
    if done.returncode not in (0, 1, 2, 3) or (done.returncode != 0) != bool(said):
        return f"status {done.returncode}: {said}"
    if case.words and (done.returncode == 0 or not re.search(case.words, said)):
        return f"status {done.returncode}, expected \"{case.words}\": {said}"
    # In some units a body makes many revolutions within the shortest step.  g6run then fails, but has read the file.
    fast = done.returncode == 3 and "is too long for its orbit" in said
    if done.returncode != 0 and not fast:
        return f"refused: {said}" if case.rows is not None else ""
    rows = np.loadtxt(os.path.join(out, "snapshot_0000.txt"), ndmin=2)
    if case.rows is None:
        return "" if np.isfinite(rows).all() else "numbers that are not finite"
    if rows.shape != case.rows.shape or not np.allclose(rows, case.rows, rtol=1e-14, atol=0):
        return f"other bodies:\n{rows}\nexpected:\n{case.rows}"
    return ""


def wrong_picture(case):
    """What g6plot reads wrong, or nothing.  Leaves out damaged HDF5: its library may crash, and would end this program."""
    if case.damaged and h5py.is_hdf5(case.path):
        return ""
    try:
        found = snapshot.read(case.path)
    except Problem as why:
        return f"g6plot: {why}" if case.picture else ""
    if not case.picture:
        return ""
    position, mass, length, redshift = case.picture
    header = found.header
    same = np.array_equal(found.position, position) and np.array_equal(found.mass, mass)
    near = header.units.length == length or (length and header.units.length and
                                             abs(header.units.length / length - 1) < 1e-9)
    at = header.redshift == redshift or (None not in (header.redshift, redshift) and
                                         abs(header.redshift - redshift) < 1e-12)
    at = at and (redshift is None or (header.omega_matter, header.omega_lambda) == (0.3, 0.7))
    return "" if same and near and at else (
        f"g6plot: length {header.units.length}, z {header.redshift}, expected {length}, {redshift}; bodies "
        f"{'are the same' if same else 'differ'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    program, bad, tried = os.path.join(options.bin, "g6run"), 0, 0
    for seed in range(options.seed, options.seed + options.count):
        r = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            case = r.choice([hdf5_case, text_case])(r, folder)
            if case is None:
                continue
            if r.random() < 0.15:
                damage(r, case)
            tried += 1
            wrong = wrong_run(case, program, folder) or wrong_picture(case)
            if not wrong:
                continue
            bad += 1
            print(f"seed {seed}: {os.path.basename(case.path)} {' '.join(case.options)}: {wrong}")
            if options.keep:
                shutil.copytree(folder, os.path.join(options.keep, str(seed)), dirs_exist_ok=True)
    print(f"{tried} files, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
