# SPDX-License-Identifier: MIT
"""Snapshots as NumPy arrays: text tables, and HDF5 in Gadget's layout, in one file or several.

The modules of g6plot, which the package has in g6gpu/g6plot, read the files.  They need h5py.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, each, floats, rows
from ._library import logger
from ._programs import module

PathLike = Union[str, "os.PathLike[str]"]
HALO = 1  # the type of bodies if none is given
# GIZMO's names of units.
CGS = dict(UnitLength_In_CGS="UnitLength_in_cm", UnitMass_In_CGS="UnitMass_in_g", UnitVelocity_In_CGS="UnitVelocity_in_cm_per_s")


@dataclass(eq=False, repr=False)
class Bodies:
    """Bodies at one time, for ``mass, x, v = bodies`` and ``cluster.set_particles(*bodies)``.

    Attributes:
        mass: masses (n,)
        x: positions (n, 3); if the file has a box, relative to the middle of the box
        v: velocities (n, 3), as the file has them
        time: the time; in an expanding universe the scale factor
        id: numbers of the bodies (n,), by default 0, 1, 2 ...
        type: types of Gadget (n,): 0 gas, 1 halo, 2 disk, 3 bulge, 4 stars, 5 others; by default 1
        header: the attributes of a file's group Header
        units: the file's UnitLength_in_cm, UnitMass_in_g, UnitVelocity_in_cm_per_s; bodies with neither header nor units
            are written in N-body units, which the file then describes as 1 pc and 1 solar mass
        told: the attributes of the file's other groups that tell gravity and cosmology
        time_unit: the unit of time that a table tells, as Myr; "": time is in the units of the other numbers
    """

    mass: Floats
    x: Floats
    v: Floats
    time: float = 0.0
    id: Any = None
    type: Any = None
    header: dict[str, Any] = field(default_factory=dict)
    units: dict[str, Any] = field(default_factory=dict)
    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    time_unit: str = ""

    def __post_init__(self) -> None:
        n = rows(self.x)
        self.mass, self.x, self.v = each(self.mass, n, "mass"), floats(self.x, (n, 3), "x"), floats(self.v, (n, 3), "v")
        self.id = np.arange(n) if self.id is None else np.asarray(self.id)
        self.type = np.full(n, HALO) if self.type is None else np.asarray(self.type)
        for name in ("id", "type"):
            if getattr(self, name).shape != (n,):
                raise ValueError(f"{name} has shape {getattr(self, name).shape}, not ({n},)")

    def __repr__(self) -> str:
        return f"<g6gpu.Bodies: {len(self)} bodies at t = {f'{self.time:g} {self.time_unit}'.strip()}>"

    def __len__(self) -> int:
        return len(self.mass)

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.mass, self.x, self.v))

    def __getitem__(self, chosen: Any) -> Bodies:
        """Some of the bodies: ``bodies[:100]``, ``bodies[bodies.type == 2]``."""
        mass, x, v = (array[chosen] for array in self)
        return Bodies(mass, x, v, self.time, self.id[chosen], self.type[chosen], self.header, self.units, self.told, self.time_unit)


def read(path: PathLike) -> Bodies:
    """The bodies of a snapshot: HDF5 in the layout of Gadget, or a text table ``m x y z vx vy vz``.

    If a snapshot has several files, NAME.0.hdf5 stands for all of them.  In interrupted.hdf5 each body has its own time; such
    bodies are predicted to the file's time.
    """
    from .g6plot import snapshot
    from .g6plot.problem import Problem

    module("h5py", "a snapshot")
    name = os.fspath(path)
    try:
        os.stat(name)
        snapshot.check_file(name)
        return _read_text(name) if snapshot.is_text(name) else _read_hdf5(name)
    except Problem as why:
        raise ValueError(str(why)) from None


def _read_text(path: str) -> Bodies:
    from .g6plot.snapshot import text_header, text_table

    table, ids, with_units, hint = text_table(path)
    if hint:
        logger.warning("%s: %s", path, hint)
    head = text_header(path)
    # A header without units says that the units are unknown: run() then asks for them.
    header = dict(Time=head.time) if with_units else {}
    unit = head.time_unit if head.time else ""  # 0 is the same time in any unit
    return Bodies(table[:, 0], table[:, 1:4], table[:, 4:], head.time, ids, header=header, time_unit=unit)


def _read_hdf5(path: str) -> Bodies:
    from .g6plot import snapshot

    with snapshot.open_file(path) as file:
        header = snapshot.hdf5_header(file, path)
        attributes, units, told = dict(file["Header"].attrs), _units(file), _told(file)
    found = []
    for file, own in snapshot.parts(header):
        for kind in np.flatnonzero(own.counts):
            found.append(_read_type(file, own, int(kind), sum(len(each[0]) for each in found)))
    if not found:
        raise ValueError(f"{path}: no particles")
    mass, x, v, numbers, types = (np.concatenate(_whole(arrays)) for arrays in zip(*found))
    return Bodies(mass, x, v, header.time, numbers, types, attributes, units, told)


def _whole(arrays: tuple) -> list:
    """Integer arrays of several dtypes as uint64 if no number is negative: NumPy would join them to float64, which rounds."""
    several = len({a.dtype for a in arrays}) > 1 and all(a.dtype.kind in "iu" and (a >= 0).all() for a in arrays)
    return [a.astype(np.uint64) for a in arrays] if several else list(arrays)


def _units(file: Any) -> dict[str, Any]:
    """The units of a file, from its group Units, Parameters (as in Gadget-4) or Header (as in AREPO and GIZMO)."""
    for name in ("Units", "Parameters", "Header"):
        found = {CGS.get(key, key): value for key, value in file[name].attrs.items() if key.startswith("Unit")} if name in file else {}
        if found:
            told = file[name].attrs.get("Description")
            return found if told is None else {**found, "Description": told}
    return {}


def _told(file: Any) -> dict[str, dict[str, Any]]:
    """The attributes of groups other than Header that tell gravity and cosmology."""
    from .g6plot.told import rows as names

    found: dict[str, dict[str, Any]] = {}
    for quantity, group, attribute in names():
        if group != "Header" and not attribute.startswith("Unit") and group in file and attribute in file[group].attrs:
            found.setdefault(group, {})[attribute] = file[group].attrs[attribute]
    return found


def _read_type(file: Any, header: Any, kind: int, first: int) -> tuple:
    from .g6plot import snapshot

    group, n = file[f"PartType{kind}"], header.counts[kind]
    x, mass, _ = snapshot.read_type(file, header, kind, None)
    vectors = {name: snapshot.numbers(group, name, n, 3, header.path)
               for name in ("Velocities", "Acceleration", "Jerk") if name in group or name == "Velocities"}  # fmt: skip
    v = vectors["Velocities"]
    if "OwnTime" in group and len(vectors) == 3:
        dt = (header.time - snapshot.numbers(group, "OwnTime", n, 1, header.path))[:, None]
        v = v + dt * (vectors["Acceleration"] + dt / 2 * vectors["Jerk"])
    known = "ParticleIDs" in group
    numbers = snapshot.numbers(group, "ParticleIDs", n, 1, header.path, exact=True) if known else np.arange(first, first + n)
    return mass, x, v, numbers, np.full(n, kind)


def write(path: PathLike, bodies: Union[Bodies, Iterable[ArrayLike]]) -> None:
    """Writes Bodies, or (mass, x, v): HDF5 in the layout of Gadget if the name ends with .hdf5 or .h5, else a text table.

    A table has neither ids nor types; it has units in the names of its columns if G is not 1 in these units.  g6run reads both
    kinds of file; yt and pynbody read HDF5 too.
    """
    if isinstance(bodies, Bodies):
        whole = bodies
    elif len(three := tuple(bodies)) == 3:
        whole = Bodies(*three)
    else:
        raise TypeError(f"bodies must be g6gpu.Bodies or (mass, x, v), three arrays and not {len(three)}")
    name = os.fspath(path)
    if name.lower().endswith((".hdf5", ".h5")):
        _write_hdf5(name, whole)
    else:
        head = f"time {float(whole.time)!r} {whole.time_unit}".rstrip() + f"\n{_column_names(whole)}"
        np.savetxt(name, np.column_stack(tuple(whole)), fmt="%.17g", header=head)


def _column_names(bodies: Bodies) -> str:
    """The names of a table's columns: with units if G is not 1 in them, and with marks for unknown units, for which run() asks."""
    from .g6plot.units import G

    units = [bodies.units.get(name) for name in ("UnitMass_in_g", "UnitLength_in_cm", "UnitVelocity_in_cm_per_s")]
    known, plain = None not in units and not bodies.told, not (bodies.header or bodies.units)
    mass = length = velocity = "?"
    if known:
        m, x, v = map(float, units)
        plain = abs(G * m / (x * v**2) - 1) < 0.01
        mass, length, velocity = f"{m!r}g", f"{x!r}cm", f"{v!r}cm/s"
    return "m x y z vx vy vz" if plain else f"m[{mass}] x[{length}] y z vx[{velocity}] vy vz"


def _n_body_units() -> dict[str, Any]:
    """The units that g6run writes without --units: yt and pynbody need units, and G = 1 in these."""
    from .g6plot.units import MSUN, PC, G

    return dict(UnitLength_in_cm=PC, UnitMass_in_g=MSUN, UnitVelocity_in_cm_per_s=(G * MSUN / PC) ** 0.5,
                Description="N-body units, G = 1; 1 pc and 1 Msun stand for their physical size")  # fmt: skip


def _write_hdf5(path: str, bodies: Bodies) -> None:
    from .g6plot import told

    h5py = module("h5py", "a snapshot in HDF5")
    if bodies.time_unit:
        raise ValueError(f'time is {bodies.time:g} {bodies.time_unit}: give it in the unit of the other numbers, and time_unit = ""')
    others = bodies.type[~np.isin(bodies.type, range(6))]
    if len(others):
        raise ValueError(f"type has {others[0]}; the types of Gadget are 0 to 5")
    counts = np.bincount(bodies.type.astype(int), minlength=6)
    with np.errstate(invalid="ignore"):
        numbers = bodies.id.astype(np.uint64)
    if not (numbers == bodies.id).all():
        raise ValueError("id has a value that is no integer from 0 to 2**64 - 1")
    header = {name: value for name, value in bodies.header.items() if not (bodies.units and name.startswith("Unit"))}
    own = dict(NumPart_ThisFile=counts.astype(np.uint32), NumPart_Total=counts.astype(np.uint32),
               NumPart_Total_HighWord=np.zeros(6, np.uint32), MassTable=np.zeros(6), NumFilesPerSnapshot=1)  # fmt: skip
    with h5py.File(path, "w") as file:
        for name, attributes in bodies.told.items():
            file.require_group(name).attrs.update(attributes)
        head = file.create_group("Header").attrs
        head.update({**header, **own})
        # In an expanding universe the box is a part of the model.
        expands = header.get("Omega0", 0.0) > 0 or told.scale_factor(file) is not None
        box = header.get("BoxSize", 0.0) if expands else 0.0
        usual = dict(Redshift=0.0, Omega0=told.told(file, "omega_matter") or 0.0, OmegaLambda=told.told(file, "omega_lambda") or 0.0,
                     HubbleParam=told.told(file, "hubble") or 1.0, Flag_DoublePrecision=1)  # fmt: skip
        head.update({**usual, **header, **own, "Time": float(bodies.time), "BoxSize": box})
        # The gravity of a header without units is unknown too.
        if bodies.units or not header:
            file.require_group("Units").attrs.update(bodies.units or _n_body_units())
        for kind in np.flatnonzero(counts):
            chosen, group = bodies.type == kind, file.create_group(f"PartType{kind}")
            group["Coordinates"] = bodies.x[chosen] + np.asarray(box) / 2
            group["Velocities"], group["Masses"] = bodies.v[chosen], bodies.mass[chosen]
            group["ParticleIDs"] = numbers[chosen]
