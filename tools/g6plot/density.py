# SPDX-License-Identifier: MIT
"""Projected density, or the particles themselves, and where their frame lies.

A map is a sum of masses over pixels: it holds the mass inside the frame, to rounding, also when it is smoothed.
Smoothing is adaptive as in SPH: where pixels have few particles, mass is spread by a Gaussian whose width grows
until it covers about PARTICLES_TO_COVER particles.
"""
import numpy as np

from .problem import Problem

PLANES = dict(x=(1, 2, 0), y=(2, 0, 1), z=(0, 1, 2))  # axes to the right, upward and towards the eye
PARTICLES_TO_COVER = 32
FEWEST_IN_CELL = 64  # of the densest cell: with fewer, chance decides which cell that is
FEWEST_IN_SPHERE = 50
NO_WIDTH = 1e-9  # of the whole: particles in one place


def nearest_image(offset, box):
    """Offsets in a periodic box, from -box/2 to box/2."""
    return offset - box * np.round(offset / box)


def plane(axis):
    """Unit vectors to the right, upward and towards the eye of a view along x, y, z or another direction, in which the
    z axis points upward."""
    if axis in PLANES:
        return np.eye(3)[list(PLANES[axis])]
    eye = np.asarray(axis, float) / np.linalg.norm(axis)
    right = np.cross((0, 0, 1), eye) if abs(eye[2]) < 1 - 1e-12 else np.array([1.0, 0, 0])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(eye, right), eye])


class Frame:
    """A square of the given width around centre, seen along an axis, which is "x", "y", "z" or a vector; depth None: all
    the way through."""

    def __init__(self, centre, width, axis="z", depth=None, pixels=600):
        self.centre, self.width, self.axis = np.asarray(centre, float), float(width), axis
        self.depth, self.pixels = depth, pixels
        if not (np.isfinite(self.width) and self.width > 0):
            raise Problem(f"the width of a map cannot be {width:g}")

    def flat(self, position, mass, period=0):
        """Coordinates in the plane, and masses, of the particles within the frame's depth."""
        right, up, eye = plane(self.axis)
        part = slice(None)
        if self.depth is not None:
            part = np.abs(self.along(position, eye, period)) <= self.depth / 2
        return self.along(position, right, period)[part], self.along(position, up, period)[part], mass[part]

    def along(self, position, vector, period):
        """Offsets from the centre along a unit vector; axes that it is at right angles to are not touched."""
        total = 0.0
        for axis in np.flatnonzero(vector):
            offset = position[:, axis] - self.centre[axis]
            total = total + vector[axis] * (nearest_image(offset, period) if period else offset)
        return total

    def inside(self, position, mass, period=0):
        """Coordinates in the plane, and masses, of the particles inside the frame."""
        x, y, m = self.flat(position, mass, period)
        half = self.width / 2
        with np.errstate(invalid="ignore"):
            kept = (x >= -half) & (x < half) & (y >= -half) & (y < half)
        return x[kept], y[kept], m[kept]


def image(frame, position, mass, period=0):
    """Masses and numbers of particles in the pixels, [row from below][column]."""
    x, y, mass = frame.inside(position, mass, period)
    n, half = frame.pixels, frame.width / 2
    column, row = (np.minimum(((v + half) * (n / frame.width)).astype(np.int64), n - 1) for v in (x, y))
    pixel = row * n + column
    masses = np.bincount(pixel, weights=mass, minlength=n * n)
    return masses.reshape(n, n), np.bincount(pixel, minlength=n * n).reshape(n, n)


# ---- smoothing ------------------------------------------------------------------------------------------------
def gaussian(values, sigma):
    """Convolution with a Gaussian; mass that would leave the frame is reflected at its edge, so that the sum stays."""
    reach = min(int(4 * sigma) + 1, values.shape[0])
    padded = np.pad(values, reach, mode="symmetric")
    k = np.fft.fftfreq(padded.shape[0])
    kr = np.fft.rfftfreq(padded.shape[1])
    weight = np.exp(-2 * (np.pi * sigma) ** 2 * (k[:, None] ** 2 + kr[None, :] ** 2))
    smooth = np.fft.irfft2(np.fft.rfft2(padded) * weight, padded.shape)[reach:-reach, reach:-reach]
    smooth = np.maximum(smooth, 0)  # rounding of the transform
    total = smooth.sum()
    return smooth * (values.sum() / total) if total > 0 else smooth


def smoothed(masses, counts, cover=PARTICLES_TO_COVER):
    """The map with each pixel's mass spread over a region of about cover particles.

    Tries squares of 1, 2, 4 ... pixels.  A Gaussian of a square's width estimates how many particles the square has
    around a pixel, with little noise.  Where it has `cover` particles, half of the pixel's mass is spread with this
    width, where it has more, up to all of the mass; the rest is left for wider squares.
    """
    result, left = np.zeros_like(masses), masses.astype(float)
    size, particles = 1, counts.astype(float)
    while left.any():
        last = size >= masses.shape[0] // 4
        ready = 1.0 if last else np.clip(gaussian(particles, size) * size ** 2 / cover - 0.5, 0, 1)
        share = left * ready
        result += share if size == 1 else gaussian(share, size / 2)
        left = left - share
        size *= 2
    return result


# ---- centre and width -----------------------------------------------------------------------------------------
def mass_centre(position, mass):
    total = mass.sum()
    return np.average(position, axis=0, weights=mass) if total > 0 else position.mean(axis=0)


def cell_of(position, low, width, cells):
    index = ((position - low) * (cells / width)).astype(np.int64)
    np.clip(index, 0, cells - 1, out=index)
    return (index[:, 0] * cells + index[:, 1]) * cells + index[:, 2]


def densest(position, mass, cells=16):
    """Centre of the densest region: the heaviest cell of a grid, then the heaviest of a finer grid in it and its
    neighbours, as long as cells have enough particles; from there a shrinking sphere (Power et al. 2003)."""
    low, high = position.min(axis=0), position.max(axis=0)
    width = float((high - low).max()) or 1.0
    centre, scale = (low + high) / 2, width
    chosen = np.arange(len(mass))
    while True:
        low = centre - width / 2
        cell = cell_of(position[chosen], low, width, cells)
        best = int(np.bincount(cell, weights=mass[chosen], minlength=cells ** 3).argmax())
        if (cell == best).sum() < FEWEST_IN_CELL or width < NO_WIDTH * scale:
            return shrinking_sphere(position[chosen], mass[chosen], centre, width / 2)
        corner = np.array([best // cells ** 2, best // cells % cells, best % cells])
        centre = low + (corner + 0.5) * width / cells
        width = 3 * width / cells
        chosen = chosen[(np.abs(position[chosen] - centre) <= width / 2).all(axis=1)]


def shrinking_sphere(position, mass, centre, radius):
    """Centre of mass of a sphere that moves to its centre of mass and shrinks by a tenth, while it has enough particles."""
    radius *= 3 ** 0.5  # around the cube of the grid
    least = NO_WIDTH * radius
    while radius > least:
        inside = ((position - centre) ** 2).sum(axis=1) <= radius * radius
        if inside.sum() < FEWEST_IN_SPHERE:
            break
        centre = mass_centre(position[inside], mass[inside])
        radius *= 0.9
    return centre


def enclosing_width(position, centre, share=0.9, space=1.6):
    """Width of a frame that has space times the distance, in any coordinate, of this share of the particles."""
    distance = np.abs(position - centre).max(axis=1)
    return 2 * space * float(np.quantile(distance, share)) or 1.0
