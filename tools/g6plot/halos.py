# SPDX-License-Identifier: MIT
"""Friends of friends: particles that are nearer to each other than the linking length belong to one group.

Pairs come from scipy's k-d tree, some millions at a time, and groups are joined after each lot, so that the memory
goes with the number of particles and not with the number of pairs.
"""
import numpy as np

from .problem import Problem

PAIRS_AT_ONCE = 20_000_000


def lots(counts, most):
    """Slices of consecutive particles with at most this many neighbours together, at least one particle each."""
    ends, start, total = np.cumsum(counts), 0, 0
    while start < len(counts):
        end = max(start + 1, int(np.searchsorted(ends, total + most, side="right")))
        yield slice(start, end)
        total, start = ends[end - 1], end


def join(labels, one, other):
    """Labels after the groups of one[k] and other[k] are the same for all k."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = int(labels.max()) + 1
    edges = np.unique(np.stack([labels[one], labels[other]]), axis=1)
    graph = coo_matrix((np.ones(edges.shape[1], dtype=np.int8), edges), shape=(n, n))
    return connected_components(graph, directed=False)[1][labels]


def groups(position, length, box=0, most=PAIRS_AT_ONCE):
    """Number of the group of each particle.  box: side of a periodic box, 0 for none."""
    try:
        from scipy.spatial import cKDTree
    except ImportError as why:
        raise Problem(f"halos need scipy ({why}; Debian: python3-scipy; PyPI: scipy)")
    # Neighbours in space are neighbours in the order of the tree, which makes lots compact.
    place = position - position.min(axis=0) if not box else np.mod(position, box)
    if box:
        place[place >= box] = 0.0  # rounding
    tree = cKDTree(place, boxsize=box or None)
    order = tree.indices
    place = place[order]
    counts = tree.query_ball_point(place, length, return_length=True, workers=-1)
    labels, placed = np.arange(len(place)), inverse(order)
    for lot in lots(counts, most):
        pairs = cKDTree(place[lot], boxsize=box or None).sparse_distance_matrix(tree, length, output_type="ndarray")
        labels = join(labels, pairs["i"] + lot.start, placed[pairs["j"]])
    result = np.empty_like(labels)
    result[order] = labels
    return result


def inverse(order):
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place


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
    # A group may lie across the border of the box: its centre is counted from one of its particles.
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
