# SPDX-License-Identifier: MIT
"""Which snapshots a picture shows: those of a folder at given redshifts or times, or some of all."""
import os

from . import progress, snapshot
from .problem import Problem


def headers(paths, notes):
    """Headers of the files that can be read; the others are left out with a line."""
    found = []
    for done, path in enumerate(paths):
        progress.now("reading the head of snapshot", done, len(paths))
        try:
            found.append(snapshot.read_header(path))
        except Problem as why:
            notes.skip(str(why))
    return found


def nearest(found, wanted, value, what, notes):
    """For each wanted value the header that is nearest to it; one that is far away is named."""
    have = [h for h in found if value(h) is not None]
    if not have:
        raise Problem(f"no snapshot has a {what}")
    chosen = []
    for target in wanted:
        best = min(have, key=lambda h: abs(value(h) - target))
        scale = 1 + abs(target) if what == "redshift" else abs(target) or 1
        if abs(value(best) - target) > 0.1 * scale:
            notes.warn(f"the snapshot nearest to {what} {target:g} has {value(best):.4g}")
        chosen.append(best)
    return chosen


def spread(found, count):
    """count headers from the first to the last, at even distances."""
    if count >= len(found):
        return found
    if count == 1:
        return found[-1:]
    return [found[round(k * (len(found) - 1) / (count - 1))] for k in range(count)]


def paths_of(given, notes):
    """Snapshots of the files and folders of a command line."""
    paths = []
    for path in given:
        if os.path.isdir(path):
            inside = snapshot.in_folder(path)
            if not inside:
                notes.skip(f"{path}: has no snapshots (snapshot_NNNN.hdf5 or .txt)")
            paths += inside
        else:
            paths.append(path)
    return paths


def choose(given, notes, redshifts=None, times=None, panels=None):
    """Headers in the order in which they are shown.  Without a wish: all files that are given, or the last
    snapshot of a folder."""
    found = headers(paths_of(given, notes), notes)
    if not found:
        raise Problem("no snapshot can be read")
    if redshifts:
        return nearest(found, redshifts, lambda h: h.redshift, "redshift", notes)
    if times:
        return nearest(found, times, lambda h: h.time, "time", notes)
    if panels:
        return spread(found, panels)
    return found[-1:] if any(os.path.isdir(path) for path in given) else found


def each_readable(found, notes, ids=None):
    """Snapshots one after the other; one that is damaged behind its header is left out with a line.  ids: the first and
    the last number of the particles that are read, or None for all."""
    for done, header in enumerate(found):
        progress.now("snapshot", done, len(found))
        try:
            yield snapshot.read(header.path, notes.warn, ids)
        except Problem as why:
            notes.skip(str(why))
