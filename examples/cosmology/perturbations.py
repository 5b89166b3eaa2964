# SPDX-License-Identifier: MIT
"""A Gaussian random density field on a periodic grid, and the displacements of Lagrangian perturbation theory.

Lengths are in the unit of the box.  A field is real, [n][n][n]; its transform is that of numpy's rfftn.  The
sign and the growth factors are those of Crocce, Pueblas & Scoccimarro 2006 (MNRAS 373, 369):

    delta = -div psi1        laplace phi1 = delta        psi1 = -grad phi1
    laplace phi2 = sum over i < j of phi1,ii phi1,jj - phi1,ij^2        psi2 = grad phi2
    x = q + psi1 + D2 psi2        D2 = -3/7 Omega_m(a)^(-1/143)        with delta that of scale factor a
"""
import numpy as np

SECOND_ORDER = -3 / 7
SECOND_GROWTH = -1 / 143


class Grid:
    """n cells along each side of a box."""

    def __init__(self, n, box):
        self.n, self.box = n, box
        self.unit = 2 * np.pi / box  # of wave numbers
        whole, half = np.fft.fftfreq(n, 1 / n), np.arange(n // 2 + 1, dtype=float)
        shapes = (-1, 1, 1), (1, -1, 1), (1, 1, -1)
        self.waves = [w.reshape(shape) for w, shape in zip((whole, whole, half), shapes)]
        # The wave of n/2 has no direction: its derivative on the grid is zero.
        self.slopes = [np.where(2 * np.abs(w) == n, 0, w) * self.unit for w in self.waves]

    def squares(self):
        """Squares of the wave numbers in units of the smallest: whole numbers."""
        return sum(w * w for w in self.waves).astype(np.int64)

    def inverse_laplace(self):
        square = self.squares() * self.unit ** 2
        square[0, 0, 0] = 1.0  # the mean has no potential
        weight = -1 / square
        weight[0, 0, 0] = 0.0
        return weight

    def back(self, transform):
        return np.fft.irfftn(transform, (self.n,) * 3, axes=(0, 1, 2))

    def lattice(self):
        """Middles of the cells, [n^3][3], the last coordinate runs fastest."""
        middle = (np.arange(self.n) + 0.5) * (self.box / self.n)
        return np.stack(np.meshgrid(middle, middle, middle, indexing="ij"), axis=-1).reshape(-1, 3)


def density(grid, power, seed):
    """Transform of a Gaussian density field with the spectrum power(k), <|delta_k|^2> = P(k) / V.

    White noise has |transform|^2 = n^3 in the mean; delta_k is the transform over n^3.
    """
    noise = np.fft.rfftn(np.random.Generator(np.random.PCG64(seed)).standard_normal((grid.n,) * 3))
    squares = grid.squares()
    table = np.zeros(int(squares.max()) + 1)
    table[1:] = power(grid.unit * np.sqrt(np.arange(1.0, len(table))))
    noise *= np.sqrt(table * (grid.n / grid.box) ** 3)[squares]
    return noise


def gradient(grid, potential):
    """[n^3][3], the gradient of a field that its transform gives."""
    result = np.empty((grid.n ** 3, 3))
    for axis, slope in enumerate(grid.slopes):
        result[:, axis] = grid.back(1j * slope * potential).ravel()
    return result


def first_order(grid, delta):
    return -gradient(grid, grid.inverse_laplace() * delta)


def second_source(grid, delta):
    """sum over i < j of phi,ii phi,jj - phi,ij^2, a field."""
    potential = grid.inverse_laplace() * delta
    x, y, z = grid.slopes
    xx, yy, zz = (grid.back(-w * w * potential) for w in (x, y, z))
    source = xx * yy + (xx + yy) * zz
    del xx, yy, zz
    for one, other in ((x, y), (x, z), (y, z)):
        source -= grid.back(-one * other * potential) ** 2
    return source


def second_order(grid, delta):
    """psi2, without its growth factor."""
    source = np.fft.rfftn(second_source(grid, delta))
    return gradient(grid, grid.inverse_laplace() * source)


def second_factor(matter):
    """D2 for displacements of the same scale factor; matter: Omega_m there."""
    return SECOND_ORDER * matter ** SECOND_GROWTH


def second_rate(matter):
    """dlnD2 / dlna, from Bouchet et al. 1995 (A&A 296, 575)."""
    return 2 * matter ** (6 / 11)
