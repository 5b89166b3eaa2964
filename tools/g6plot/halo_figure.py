# SPDX-License-Identifier: MIT
"""The halos of a cosmological snapshot: a table of them, and their mass function beside the formulas of Press &
Schechter (1974) and of Sheth & Tormen (1999), whose halos are friends of friends with a linking length of 0.2.

The volume is the mass of all particles over the mean density, so that a box, and a sphere cut from a box, need no option.
"""
import numpy as np

from . import halos, progress, snapshot, style
from .cosmology import Cosmology
from .problem import EXIT_USAGE, Problem
from .units import MPC, MSUN

BINS_A_DECADE = 5
FITS = (("ST99", "Sheth & Tormen 1999", style.ORANGE, "-"), ("PS74", "Press & Schechter 1974", style.GREY, "--"))


def cosmology_of(header, options):
    try:
        return Cosmology(header.omega_matter, header.hubble, options.sigma8, options.index, options.baryons)
    except ValueError as why:
        raise Problem(f"{header.path}: {why}", EXIT_USAGE)


def in_cosmic_units(s):
    """Positions [Mpc/h] and masses [Msun/h]."""
    units, h = s.header.units, s.header.hubble
    return s.position * (units.length * h / MPC), s.mass * (units.mass * h / MSUN)


def edges_of(masses, smallest):
    """Edges of the bins, from the smallest mass that a halo may have."""
    top = masses.max() * 1.001 if len(masses) else smallest * 10
    count = max(1, int(np.ceil(np.log10(top / smallest) * BINS_A_DECADE)))
    return smallest * 10 ** (np.arange(count + 1) / BINS_A_DECADE)


TABLE = "# friends of friends in "


def is_table(path):
    """Whether the file begins as a table of halos does."""
    with open(path, "rb") as file:
        return file.read(len(TABLE)) == TABLE.encode()


def table_text(found, s, length, c, options):
    lines = [f"{TABLE}{s.header.path}: {len(found)} halos of {options.least} particles or more, "
             f"{s.header.when()}",
             f"# linking length {options.link:g} of the mean distance, {length:.6g} Mpc/h; Omega_m {c.omega_matter:g}, h {c.hubble:g}",
             "# particles  mass[Msun/h]  x y z [Mpc/h, comoving, from the middle of the box]"]
    lines += [f"{f.count:11d} {f.mass:13.6e} " + " ".join(f"{x:12.6f}" for x in f.centre) for f in found]
    return "\n".join(lines) + "\n"


def is_flat(header):
    return abs(header.omega_matter + header.omega_lambda - 1) < 1e-3  # but for radiation


def draw(found, mass, volume, c, header, options, title):
    masses = np.array([f.mass for f in found])
    smallest = options.least * float(np.median(mass)) * 0.999
    edges = edges_of(masses, smallest)
    numbers, density, error = halos.mass_function(masses, volume, edges)
    middle = np.sqrt(edges[1:] * edges[:-1])
    plt = style.pyplot()
    figure, axes = plt.subplots(figsize=(6.4, 5), layout="constrained")
    some = numbers > 0
    axes.errorbar(middle[some], density[some], error[some], fmt="o", color=style.BLUE, capsize=2,
                  label=f"friends of friends, {len(found)} halos")
    grid = np.geomspace(edges[0], edges[-1] * 2, 60)
    for fit, name, colour, line in FITS if is_flat(header) else ():
        axes.plot(grid, c.mass_function(grid, header.scale_factor, fit), line, color=colour, label=name)
    title = title or f"halos at {header.when()}, sigma$_8$ = {c.sigma8:g}, n$_s$ = {c.index:g}"
    one = 1 / (volume * np.log(edges[1] / edges[0]))
    axes.axhline(one, color=style.GREY, linewidth=0.8, linestyle=":")
    axes.annotate("one halo in a bin", (0.02, one), xycoords=("axes fraction", "data"), va="bottom", color=style.GREY)
    axes.set(xscale="log", yscale="log", xlabel=r"mass [M$_\odot$/h]", ylabel=r"dn / dlnM [(h/Mpc)$^3$, comoving]",
             ylim=(one / 20, None), title=style.in_lines(title, 5.4))
    axes.legend()
    return figure


def make(path, options, notes):
    """The figure and the text of the table."""
    progress.now(f"reading {path}")
    s = snapshot.read(path, notes.warn, snapshot.Selection(types=options.type))
    progress.now("looking for halos")
    if s.header.redshift is None:
        raise Problem(f"{path}: not cosmological: its header has no Omega0 and Redshift that belong to its Time")
    c = cosmology_of(s.header, options)
    position, mass = in_cosmic_units(s)
    matter = in_cosmic_units(snapshot.read(path))[1] if options.type else mass
    volume = matter.sum() / c.mean_density()
    length = options.link * (volume / len(s)) ** (1 / 3)
    box = s.header.box * s.header.units.length * s.header.hubble / MPC if options.periodic else 0
    if box and abs(box ** 3 / volume - 1) > 0.05:
        raise Problem(f"{path}: --periodic: its particles do not fill the box at mean density", EXIT_USAGE)
    found = halos.find(position, mass, length, options.least, box)
    if not is_flat(s.header):
        notes.warn(f"{path}: the universe is not flat: the formulas, which are for a flat one, are left out")
    if not found:
        notes.warn(f"{path}: no halo has {options.least} particles")
    return draw(found, mass, volume, c, s.header, options, options.title), table_text(found, s, length, c, options)
