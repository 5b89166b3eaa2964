# SPDX-License-Identifier: MIT
"""Expected values: sums over pairs in long double (64-bit mantissa on x86-64), by the formulas of g6lib.h."""
import numpy as np

# Rounding of double-precision results: some tens of units in the last place of the sum of absolute terms.
DOUBLE = 1e-13
# Precision mixed: the terms of a pair have 24 bits; tests/tolerance.h derives the same bound.
MIXED = 1e-6


def force(mass, x, v, xi, vi, eps2, j_index, i_index):
    """acc, jerk, pot, nearest of each i-particle, and for each kind the sum of its absolute terms."""
    wide = np.longdouble
    m = np.asarray(mass, wide)[None, :]
    r = np.asarray(x, wide)[None] - np.asarray(xi, wide)[:, None]
    u = np.asarray(v, wide)[None] - np.asarray(vi, wide)[:, None]
    r2 = (r**2).sum(-1)
    other = np.asarray(i_index)[:, None] != np.asarray(j_index)[None]
    acts = other & ((r2 > 0) | (eps2 > 0))
    s2 = np.where(acts, r2 + wide(eps2), 1)
    m = np.where(acts, m, 0)
    acc = m[..., None] * r / s2[..., None] ** wide(1.5)
    speed = 3 * (r * u).sum(-1)[..., None] * r / s2[..., None]
    jerk = m[..., None] * (u - speed) / s2[..., None] ** wide(1.5)
    size = m[..., None] * (abs(u) + abs(speed)) / s2[..., None] ** wide(1.5)
    pot = -m / np.sqrt(s2)
    far = np.where(other, r2, np.inf)
    nearest = np.where(other.any(1), np.asarray(j_index)[far.argmin(1)], -1)
    scales = (np.sqrt((acc**2).sum(-1)).sum(1), np.sqrt((size**2).sum(-1)).sum(1), abs(pot).sum(1))
    return (acc.sum(1), jerk.sum(1), pot.sum(1), nearest), scales


def assert_close(found, expected, scale, tolerance, what):
    """Errors of [n] or [n][3] values below tolerance times the sum of absolute terms."""
    error = abs(found - expected)
    error = error.max(-1) if error.ndim == 2 else error
    assert (error <= tolerance * scale).all(), f"{what}: worst {float((error / scale).max()):.2e}"


def assert_force(found, expected, scales, tolerance):
    for k, name in enumerate(("acc", "jerk", "pot")):
        assert_close(getattr(found, name), expected[k], scales[k], tolerance, name)
    if found.nearest is not None:
        assert found.nearest.tolist() == expected[3].tolist()


def cluster_of_stars(n, seed=1):
    """mass (n,), x, v (n, 3): unequal masses in a ball."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0.5, 1.5, n) / max(n, 1), rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
