# SPDX-License-Identifier: MIT
"""Which snapshots a picture shows: those of a folder at given redshifts or times, or some at even distances."""
import os

from . import progress, snapshot
from .problem import EXIT_USAGE, Problem


def headers(paths, notes):
    """Headers of the files that can be read; each other file is left out with a warning."""
    found = []
    for done, path in enumerate(paths):
        progress.now("reading the head of snapshot", done, len(paths))
        try:
            found.append(snapshot.read_header(path))
        except Problem as why:
            notes.skip(str(why))
    return found


def nearest(found, wanted, value, what, notes):
    """For each wanted value the header that is nearest to it, with a warning if it is far away.  Times are (number, name of
    the unit or "")."""
    have = [h for h in found if value(h) is not None]
    if not have:
        raise Problem(f"no snapshot has a {what}")
    chosen = []
    for each in wanted:
        number, unit = each if what == "time" else (each, "")
        own = (lambda h: h.units.own_time(each)) if unit else lambda h: number
        best = min(have, key=lambda h: abs(value(h) - own(h)))
        target = own(best)
        scale = 1 + abs(target) if what == "redshift" else abs(target) or 1
        if abs(value(best) - target) > 0.1 * scale:
            has = best.when().removeprefix("t = ") if unit else f"{value(best):.4g}"
            notes.warn(f"the snapshot nearest to {what} {number:g}{unit} has {has}")
        chosen.append(best)
    return chosen


def spread(found, count):
    """count headers that are evenly spread from the first to the last."""
    if count >= len(found):
        return found
    if count == 1:
        return found[-1:]
    return [found[round(k * (len(found) - 1) / (count - 1))] for k in range(count)]


def sources(given, notes):
    """(name, paths, whether it is a folder) for each folder of a command line, and for each series of files between folders."""
    found = []
    for path in given:
        if os.path.isdir(path):
            inside = snapshot.in_folder(path)
            if not inside:
                notes.skip(f"{path}: has no snapshots (snapshot_NNNN.hdf5 or .txt)")
            found.append((os.path.normpath(path), inside, True))
        elif found and not found[-1][2]:
            found[-1][1].append(path)
        else:
            found.append(("", [path], False))
    return found


def paths_of(given, notes):
    """Snapshots of the files and folders of a command line."""
    return [path for _, paths, _ in sources(given, notes) for path in paths]


def choose(given, notes, redshifts=None, times=None, panels=None):
    """Headers in the order in which they are shown.  Each folder, and each series of files between folders, gives the
    snapshots that the options ask for; without such options a folder gives its last snapshot, and a series all its files."""
    chosen, places = [], sources(given, notes)
    for name, paths, is_folder in places:
        found = headers(paths, notes)
        if not found:
            continue
        if redshifts:
            found = nearest(found, redshifts, lambda h: h.redshift, "redshift", notes)
        elif times:
            found = nearest(found, times, lambda h: h.time, "time", notes)
        elif panels:
            found = spread(found, panels)
        elif is_folder:
            found = found[-1:]
        for header in found if len(places) > 1 else ():
            header.label = name or os.path.basename(header.path)
        chosen += found
    if not chosen:
        raise Problem("no snapshot can be read")
    return chosen


def check_units(found, width):
    """Refuses maps with different units of length, unless their common width has a unit."""
    sizes = [h.units.length for h in found]
    with_unit = [size for size in sizes if size is not None]
    if len(with_unit) not in (0, len(sizes)):
        raise Problem(f"{found[sizes.index(None)].path}: has N-body units and {found[sizes.index(with_unit[0])].path} has "
                      "not: draw them one by one", EXIT_USAGE)
    if with_unit and not (width and width[1]) and max(with_unit) / min(with_unit) > 1.001:
        raise Problem(f"{found[sizes.index(min(sizes))].path} and {found[sizes.index(max(sizes))].path} have different "
                      "units: give --width with a unit, as 30Mpc", EXIT_USAGE)


def each_readable(headers_found, notes, only=snapshot.ALL):
    """Yields the snapshots; one that is damaged behind its header is left out with a warning."""
    for done, header in enumerate(headers_found):
        progress.now("snapshot", done, len(headers_found))
        try:
            found = snapshot.read(header.path, notes.warn, only)
        except Problem as why:
            notes.skip(str(why))
            continue
        found.header.label = header.label
        yield found
