# SPDX-License-Identifier: MIT
"""Bodies as points: discs whose radius goes with the cube root of the mass, as of spheres of equal density.

The discs are so small that those of the crowded middle cover about COVERED of it, but large enough to be seen.  Where
they still overlap they are transparent: k > 1 discs at a place have the opacity k^-0.6 each, so that a crowd becomes
brighter with k, as 1 - exp(-k^0.4), and hardly ever saturated.
"""
import numpy as np

from . import density, style

COVERED = 0.8  # of the crowded cells, were there no overlap
CROWD = 0.1  # of the bodies are in cells that are more crowded
CELLS = 64  # of the frame along each side, in which bodies are counted
LEAST, MOST = 1.1, 5.0  # diameters of a body of median mass [pt]
SPREAD = 6.0  # largest and 1 over smallest diameter, relative to that of the median mass
FAINTEST = 0.04  # opacity
KEY = "#333333"  # behind the key of the masses


def neighbours(x, y, half):
    """For each body, the number of bodies in a cell around it."""
    cells = density.Frame([0, 0, 0], 2 * half, pixels=CELLS)
    counts = density.image(cells, np.stack([x, y, 0 * x], axis=1), np.ones(len(x)))[0]
    column, row = (np.minimum(((v / half + 1) * CELLS / 2).astype(int), CELLS - 1) for v in (x, y))
    return np.maximum(density.gaussian(counts, 1.0)[row, column], 1e-3)


def look(x, y, mass, half, side):
    """Diameter [pt] and opacity of each disc, in a frame with a side of so many pt."""
    heavy = mass[mass > 0]
    relative = np.clip(np.cbrt(mass / (np.median(heavy) if len(heavy) else 1)), 1 / SPREAD, SPREAD)
    around, cell = neighbours(x, y, half), (side / CELLS) ** 2
    area = COVERED * cell / np.quantile(around, 1 - CROWD)
    unit = np.clip(np.sqrt(4 / np.pi * area / np.mean(relative ** 2)), LEAST, MOST)
    size = np.maximum(unit * relative, LEAST)
    overlap = around * np.pi / 4 * np.mean(size ** 2) / cell
    return size, np.clip(overlap ** -0.6 * np.maximum(relative, 1), FAINTEST, 1)


def draw(axes, x, y, mass, half, colours, mass_name):
    from matplotlib import colormaps

    side = axes.get_window_extent().width * 72 / axes.figure.dpi
    size, opacity = look(x, y, mass, half, side)
    order = np.argsort(-mass, kind="stable")  # light bodies are in front of heavy ones
    colour = colormaps[colours](style.BRIGHT)
    axes.set_facecolor(colormaps[colours](0.0))
    axes.scatter(x[order], y[order], size[order] ** 2, color=colour, alpha=opacity[order], linewidths=0,
                 rasterized=len(x) > 4096)
    axes.set(xlim=(-half, half), ylim=(-half, half), aspect="equal")
    if size.max() > 1.5 * size.min():
        name_sizes(axes, size[order], mass[order], colour, mass_name)


def name_sizes(axes, size, mass, colour, mass_name):
    """A key with the heaviest body, one of median mass and the lightest, where these have different masses.  Its opaque box of
    another colour keeps its discs apart from the bodies beside it."""
    for name, k in {f"{mass[k]:.2g}": k for k in (0, len(mass) // 2, -1)}.items():
        axes.scatter([], [], size[k] ** 2, color=colour, linewidths=0, label=name)
    axes.legend(loc="lower center", ncol=3, frameon=True, facecolor=KEY, edgecolor=style.GREY, framealpha=1,
                labelcolor="white", fontsize=8, handletextpad=0, columnspacing=1, title_fontsize=8,
                title="masses" + (f" [{mass_name}]" if mass_name else "")).get_title().set_color("white")
