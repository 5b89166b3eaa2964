# SPDX-License-Identifier: MIT
"""Friends of friends: particles that are nearer to each other than the linking length belong to one group.

All particles of a cell whose diagonal is the linking length are friends.  Such cells, on several shifted grids, join
most of a dense region without looking at pairs; a cell that has only cells of its own group in reach needs no pairs.
Pairs of the other particles come from scipy's k-d tree in lots of some millions, and groups are joined after each lot.
So memory and time grow with the number of particles and not with the number of pairs.
"""
from itertools import product

import numpy as np

from .problem import Problem

PAIRS_AT_ONCE = 20_000_000
SHIFTS = tuple(product((0.0, 0.5), repeat=3))  # of the grids, in cells
REACH = 2  # cells: the linking length is 3^(1/2) of their sides
DENSE = 4  # particles of a cell for which it pays to look at all cells in reach


def lots(counts, most):
    """Slices of consecutive particles with at most this many neighbours together, at least one particle each."""
    ends, start, total = np.cumsum(counts), 0, 0
    while start < len(counts):
        end = max(start + 1, int(np.searchsorted(ends, total + most, side="right")))
        yield slice(start, end)
        total, start = ends[end - 1], end


def join(labels, one, other):
    """Labels in which one[k] and other[k] have been joined into one group, for all k."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    first, second = labels[one], labels[other]
    differ = first != second
    if not differ.any():
        return labels
    n = int(labels.max()) + 1
    graph = coo_matrix((np.ones(int(differ.sum()), dtype=np.int32), (first[differ], second[differ])), shape=(n, n))
    return connected_components(graph, directed=False)[1][labels]


def cells_of(place, side, shift):
    """A number for the cell of each particle, and the factors of the three coordinates in it.  There is room for
    REACH cells on every side, so that numbers of neighbours are those of no other cell."""
    index = np.floor(place / side + np.asarray(shift)).astype(np.int64) + REACH
    factors = np.cumprod([1, *(index.max(axis=0)[:2] + REACH + 1)])
    return index @ factors, factors


def joined_cells(place, side):
    """Labels in which all particles of each cell have been joined into one group."""
    labels = np.arange(len(place))
    for shift in SHIFTS:
        cell, _ = cells_of(place, side, shift)
        order = np.argsort(cell, kind="stable")
        same = cell[order][1:] == cell[order][:-1]
        labels = join(labels, order[1:][same], order[:-1][same])
    return labels


def settled(place, labels, side, box):
    """Particles for which cells show that no particle of another group is within the linking length."""
    cell, factors = cells_of(place, side, (0, 0, 0))
    numbers, first, which, counts = np.unique(cell, return_index=True, return_inverse=True, return_counts=True)
    good = counts >= DENSE
    if box:  # what is beyond the border is not in these cells
        edge = (REACH + 1) * side
        good &= ((place[first] > edge) & (place[first] < box - edge)).all(axis=1)
    candidates = np.flatnonzero(good)
    own, alone = labels[first[candidates]], np.ones(len(candidates), dtype=bool)
    for step in product(range(-REACH, REACH + 1), repeat=3):
        wanted = numbers[candidates] + int(np.dot(step, factors))
        at = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
        alone &= (numbers[at] != wanted) | (labels[first[at]] == own)
    done = np.zeros(len(numbers), dtype=bool)
    done[candidates[alone]] = True
    return done[which]


def joined_pairs(place, labels, length, box, most):
    """Labels in which all pairs within the length have been joined."""
    from scipy.spatial import cKDTree

    tree = cKDTree(place, boxsize=box or None)
    # Neighbours in space are neighbours in the order of the tree, which makes lots compact.
    order = tree.indices
    counts = tree.query_ball_point(place[order], length, return_length=True, workers=-1)
    for lot in lots(counts, most):
        part = order[lot]
        pairs = cKDTree(place[part], boxsize=box or None).sparse_distance_matrix(tree, length, output_type="ndarray")
        labels = join(labels, part[pairs["i"]], pairs["j"])
    return labels


def groups(position, length, box=0, most=PAIRS_AT_ONCE):
    """Number of the group of each particle.  box: side of a periodic box, 0 for none."""
    try:
        import scipy.spatial  # noqa: F401
    except ImportError as why:
        raise Problem(f"halos need scipy ({why}; Debian: python3-scipy; PyPI: scipy)")
    place = position - position.min(axis=0) if not box else np.mod(position, box)
    if box:
        place[place >= box] = 0.0  # rounding
    side = length / 3 ** 0.5 * (1 - 1e-9)  # rounding makes no friends
    labels = joined_cells(place, side)
    open_ones = np.flatnonzero(~settled(place, labels, side, box))
    if len(open_ones) == 0:
        return labels
    # Labels of the open particles change; groups that the settled ones share with them follow by name.
    renamed = joined_pairs(place[open_ones], np.arange(len(open_ones)), length, box, most)
    first = np.unique(renamed, return_index=True)[1]
    return join(labels, open_ones, open_ones[first[renamed]])


class Halo:
    """mass and centre of mass in the snapshot's units."""

    def __init__(self, count, mass, centre):
        self.count, self.mass, self.centre = count, mass, centre


def find(position, mass, length, least=20, box=0):
    """Halos with at least so many particles, the most massive first."""
    label = groups(position, length, box)
    counts = np.bincount(label)
    kept = np.flatnonzero(counts >= least)
    number = np.full(len(counts), -1)
    number[kept] = np.arange(len(kept))
    inside = number[label] >= 0
    which, m, x = number[label[inside]], mass[inside], position[inside]
    total = np.bincount(which, weights=m, minlength=len(kept))
    first = np.zeros((len(kept), 3))
    first[which] = x
    # A group may lie across the border of the box: its centre is found relative to one of its particles.
    offset = x - first[which]
    if box:
        offset -= box * np.round(offset / box)
    moved = np.stack([np.bincount(which, weights=m * offset[:, d], minlength=len(kept)) for d in range(3)], axis=1)
    centre = first + moved / total[:, None]
    order = np.argsort(-total, kind="stable")
    return [Halo(int(counts[kept[k]]), float(total[k]), centre[k]) for k in order]


def mass_function(masses, volume, edges):
    """Numbers n in bins, and dn/dlnM with its Poisson error; edges of the bins, increasing."""
    numbers = np.histogram(masses, edges)[0]
    width = volume * np.diff(np.log(edges))
    return numbers, numbers / width, np.sqrt(numbers) / width
