# SPDX-License-Identifier: MIT
"""Maps of projected density, the particles of a frame, and the centre and width of frames.

A map holds the masses in pixels: their sum is the mass inside the frame, to rounding, also after smoothing.
Smoothing is adaptive as in SPH: where pixels have few particles, mass is spread by a Gaussian, which is so wide
that it covers about the same number of particles everywhere.
"""
import numpy as np

from .problem import Problem

PLANES = dict(x=(1, 2, 0), y=(2, 0, 1), z=(0, 1, 2))  # axes to the right, upward and towards the eye
PARTICLES_TO_COVER = 32
FEWEST_IN_CELL = 64  # with fewer particles, chance decides which cell is the densest
FEWEST_IN_SPHERE = 50
NO_WIDTH = 1e-9  # fraction of the whole width below which particles count as being in one place


def nearest_image(offset, box):
    """Offsets in a periodic box, from -box/2 to box/2."""
    return offset - box * np.round(offset / box)


def plane(axis):
    """Unit vectors to the right, upward and towards the eye, in a view along x, y, z or another direction.  In other
    directions the z axis points upward."""
    if axis in PLANES:
        return np.eye(3)[list(PLANES[axis])]
    eye = np.asarray(axis, float) / np.linalg.norm(axis)
    right = np.cross((0, 0, 1), eye) if abs(eye[2]) < 1 - 1e-12 else np.array([1.0, 0, 0])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(eye, right), eye])


class Frame:
    """A square of the given width around centre, seen along an axis, which is "x", "y", "z" or a vector.  depth None: no
    particles are left out for their depth."""

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
        """Offsets from the centre along a unit vector; coordinates in which the vector is 0 are not read."""
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
    """Masses and numbers of particles in pixels, as [row][column]; row 0 is the lowest."""
    x, y, mass = frame.inside(position, mass, period)
    n, half = frame.pixels, frame.width / 2
    column, row = (np.minimum(((v + half) * (n / frame.width)).astype(np.int64), n - 1) for v in (x, y))
    pixel = row * n + column
    masses = np.bincount(pixel, weights=mass, minlength=n * n)
    return masses.reshape(n, n), np.bincount(pixel, minlength=n * n).reshape(n, n)


# ---- smoothing ------------------------------------------------------------------------------------------------
def gaussian(values, sigma):
    """Convolution with a Gaussian; mass that would leave the frame is reflected at its edge, so the sum stays."""
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

    Squares with sides of 1, 2, 4 ... pixels are tried in turn.  A Gaussian of the square's width estimates the number
    of particles in a square around a pixel, with little noise.  With cover particles half of the pixel's mass is
    spread by the square's width, with 1.5 cover particles all of it; the rest waits for wider squares.
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
    """Moves a sphere to its centre of mass and shrinks it by a tenth as long as it has enough particles; the last centre."""
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
    """Width of a frame whose half width is space times the largest coordinate offset within which this share of particles is."""
    distance = np.abs(position - centre).max(axis=1)
    return 2 * space * float(np.quantile(distance, share)) or 1.0
