# SPDX-License-Identifier: MIT
"""The figure of a run: the columns of its table against time, and the bodies at its start and at its end.

The table has the number of block steps and their mean size since the start of the run; their differences are
those of the interval that ends at a row.
"""
import numpy as np

from . import maps, step_costs, style
from .problem import Problem
from .units import label

RADII = (("r 10%", "10 %", style.ORANGE), ("r 50%", "50 %", style.GREEN), ("r 90%", "90 %", style.PINK))
REDSHIFTS = (20, 9, 4, 2, 1, 0.5, 0.2, 0)
DOTS = 40  # more rows than these are drawn as lines only
ROUNDING = 0.1  # of the particles a block step
MOST_OFF = 0.02  # of kinetic and potential energy


def energies(energy, ratio):
    """Kinetic and potential energy from E = T + W and q = T/|W|:  |W| = E / (q - 1),  T = q |W|.

    The table has four digits of q.  Values are left out where these do not tell q - 1 to MOST_OFF of it, as on a nearly
    parabolic orbit.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        depth = energy / (ratio - 1)
    rounding = np.where(ratio < 1, 5e-5, 5e-4)
    depth = np.where((rounding <= MOST_OFF * np.abs(ratio - 1)) & (depth > 0), depth, np.nan)
    return ratio * depth, -depth


def block_rates(time, blocks):
    """For each interval between rows: its end, and block steps a unit of time.  Rows of equal time have no interval."""
    span, done = np.diff(time), np.diff(blocks)
    good = (span > 0) & (done > 0)
    return time[1:][good], done[good] / span[good]


def block_sizes(time, blocks, mean_size):
    """For intervals between rows: their ends, and particles a block step; a run with shared steps has blocks of all particles.

    The table rounds the mean size since the start of the run to 0.1.  In a long run that is more particles than move between
    two rows, so that rows are joined until rounding changes no value by more than ROUNDING of it.
    """
    steps, error, ends = blocks * mean_size, 0.05 * blocks, [0]
    for k in range(1, len(time)):
        last = ends[-1]
        if blocks[k] > blocks[last] and error[last] + error[k] <= ROUNDING * (steps[k] - steps[last]):
            ends.append(k)
    return time[ends[1:]], np.diff(steps[ends]) / np.diff(blocks[ends])


class Page:
    """Axes that are filled one after the other, with the time of the table below each: for an expanding universe
    the scale factor, with redshifts as its labels."""

    def __init__(self, axes, table):
        self.axes, self.table = list(axes), table
        factor, unit = table.time_unit
        self.expands = "z" in table
        self.time = table["a"] if self.expands else table["time"] * factor
        self.time_label = "redshift" if self.expands else label("time", unit)
        self.marker = "o" if len(table) <= DOTS else ""

    def next(self, title):
        axes = self.axes.pop(0)
        axes.set(title=title, xlabel=self.time_label)
        span = self.time[-1] - self.time[0]
        if span > 0:
            axes.set_xlim(self.time[0] - 0.04 * span, self.time[-1] + 0.04 * span)
        if self.expands:
            shown = [z for z in REDSHIFTS if self.time[0] <= 1 / (1 + z) * 1.001 and 1 / (1 + z) <= self.time[-1] * 1.001]
            axes.set_xticks([1 / (1 + z) for z in shown], [f"{z:g}" for z in shown])
        return axes

    def line(self, axes, x, y, colour, name=None):
        axes.plot(x, y, marker=self.marker, markersize=3, color=colour, label=name)


def draw_energies(page):
    energy, ratio = page.table["energy"], page.table["T/|W|"]
    kinetic, potential = energies(energy, ratio)
    axes = page.next("energies")
    for values, colour, name in ((kinetic, style.ORANGE, "kinetic"), (energy, "black", "total"),
                                 (potential, style.BLUE, "potential")):
        page.line(axes, page.time, values, colour, name)
    axes.set_ylabel(label("energy", page.table.energy_unit))
    style.legend_above(axes, 3)


def draw_error(page):
    error = np.abs(page.table["dE/E"])
    axes = page.next("energy error")
    shown = np.where(error > 0, error, np.nan)
    page.line(axes, page.time, shown, style.BLUE)
    axes.set_ylabel("|dE/E|")
    if np.isfinite(shown).any():
        axes.set_yscale("log")
        largest = np.nanmax(shown)
        axes.set_title(f"energy error, largest {largest:.2g}")
        if largest / np.nanmin(shown) < 10:  # or the scale has no label
            axes.set_ylim(10 ** np.floor(np.log10(np.nanmin(shown))), 10 ** np.ceil(np.log10(largest) + 1e-9))


def draw_virial(page):
    axes = page.next("virial ratio")
    axes.axhline(0.5, color=style.GREY, linewidth=0.9, linestyle="--")
    page.line(axes, page.time, page.table["T/|W|"], style.BLUE)
    axes.set_ylabel("T/|W|")
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0.47), max(high, 0.53))


def draw_radii(page):
    factor, unit = page.table.length_unit
    axes = page.next("Lagrangian radii")
    for column, name, colour in RADII:
        if column in page.table:
            page.line(axes, page.time, page.table[column] * factor, colour, name)
    axes.set(yscale="log", ylabel=label("radius", unit))
    axes.margins(y=0.2)
    style.legend_above(axes, 3)
    style.label_decades(axes.yaxis)


def lines_of_blocks(table):
    """(times, values, colour, name) of the lines to draw.  There are none where all particles always take the same step, as
    in a leapfrog."""
    factor, unit = table.time_unit
    time, rate = block_rates(factor * table["time"], table["blocks"])
    ends, size = block_sizes(factor * table["time"], table["blocks"], table["mean n"])
    shared = table.shared and (len(size) == 0 or np.ptp(size) < 0.5)
    lines = []
    if not shared or (len(rate) and np.ptp(rate) > 0.01 * rate.max()):
        lines.append((time, rate, style.BLUE, f"steps in a {unit or 'unit of time'}"))
    if not shared:
        lines.append((ends, size, style.ORANGE, "particles a step"))
    return lines


def draw_blocks(page):
    lines = lines_of_blocks(page.table)
    axes = page.next("block steps" if len(lines) > 1 else "steps of all particles")
    for time, values, colour, name in lines:
        page.line(axes, time, values, colour, name)
    axes.set(yscale="log", ylabel="number")
    style.legend_above(axes)


def draw_rate(page):
    rate = page.table["Ginter/s"]
    axes = page.next("speed")
    page.line(axes, page.time[rate > 0], rate[rate > 0], style.GREEN)
    axes.set_ylabel(r"$10^9$ interactions / s")
    axes.set_ylim(bottom=0)


def draw_cosmic_energies(page):
    axes = page.next("energies of peculiar motion and of fluctuations")
    page.line(axes, page.time, page.table["kinetic"], style.ORANGE, "kinetic")
    page.line(axes, page.time, -page.table["potential"], style.BLUE, "-potential")
    axes.set(yscale="log", ylabel=r"energy [$10^{10}$ M$_\odot$/h (km/s)$^2$]")
    axes.legend()


def draw_cosmic_errors(page):
    axes = page.next("error of the energy equation")
    for column, name, colour in (("LI error", "Layzer-Irvine", style.BLUE), ("E error", "total energy", style.ORANGE)):
        error = np.abs(page.table[column])
        page.line(axes, page.time, np.where(error > 0, error, np.nan), colour, name)
    axes.set(yscale="log", ylabel="relative error")
    axes.legend()


def draw_interactions(page):
    cost = page.table["interactions"]
    axes = page.next("interactions a step")
    page.line(axes, page.time[cost > 0], cost[cost > 0], style.GREEN)
    axes.set_ylabel("interactions")
    axes.set_ylim(bottom=0)


def draw_seconds(page):
    seconds = page.table["seconds"]
    axes = page.next("seconds a step")
    page.line(axes, page.time[seconds > 0], seconds[seconds > 0], style.PINK)
    axes.set_ylabel("wall time [s]")
    axes.set_ylim(bottom=0)


# The columns that a panel needs, and the function that draws it.
PANELS = ((("energy", "T/|W|"), draw_energies), (("dE/E",), draw_error), (("T/|W|",), draw_virial),
          (("r 50%",), draw_radii), (("blocks", "mean n"), draw_blocks), (("Ginter/s",), draw_rate),
          (("z", "kinetic", "potential"), draw_cosmic_energies), (("LI error", "E error"), draw_cosmic_errors),
          (("interactions",), draw_interactions), (("z", "seconds"), draw_seconds))


def draw_steps(axes, snapshot):
    """How many particles have which time step: powers of two."""
    power = np.round(np.log2(snapshot.step[snapshot.step > 0])).astype(int)
    values, counts = np.unique(power, return_counts=True)
    axes.bar(values, counts, color=style.BLUE)
    axes.set(title=f"time steps at {snapshot.header.when()}", xlabel="log$_2$ of the time step [units of the run]",
             ylabel="particles", yscale="log", ylim=(0.5, 2 * counts.max()))
    axes.xaxis.get_major_locator().set_params(integer=True)


def has_steps(snapshot):
    """Whether particles have different time steps."""
    return snapshot.step is not None and len(np.unique(snapshot.step[snapshot.step > 0])) > 1


def in_rows(total, columns):
    """Panels of each row; rows at the foot have one less where the panels do not fill all rows, and are as wide."""
    rows = -(-total // columns)
    return [total // rows + (k < total % rows) for k in range(rows)]


def figure(table, first=None, last=None, title=None, record=None):
    """first, last: snapshots, or None where there are none; record: of the steps (step_costs.py), or None."""
    plt = style.pyplot()
    panels = [draw for needs, draw in PANELS if all(name in table for name in needs)]
    if draw_blocks in panels and not lines_of_blocks(table):
        panels.remove(draw_blocks)
    # One body has all the mass.
    if draw_radii in panels and not any((table[column] > 0).any() for column, _, _ in RADII if column in table):
        panels.remove(draw_radii)
    bodies = [s for s in (first, last) if s is not None]
    with_steps = bool(bodies) and has_steps(bodies[-1])
    total = len(panels) + len(bodies) + with_steps + (record is not None)
    if total == 0:
        raise Problem("the table has no column that is drawn, and there are no snapshots")
    columns = 3 if total > 4 else 2
    rows = in_rows(total, columns)
    result = plt.figure(figsize=(4.6 * columns, 3.9 * len(rows)), layout="constrained")
    grid = result.add_gridspec(len(rows), 6)
    places = [grid[k, 6 * i // n:6 * (i + 1) // n] for k, n in enumerate(rows) for i in range(n)]
    page = Page([result.add_subplot(place) for place in places], table)
    for draw in panels:
        draw(page)
    if record is not None:
        step_costs.draw(page.axes.pop(0), record, page.table.time_unit[0], page.time_label)
    if with_steps:
        draw_steps(page.axes.pop(0), bodies[-1])
    if bodies:
        draw_bodies(page, bodies)
    result.suptitle(style.in_lines(title or table.title, result.get_figwidth(), 12))
    return result


def draw_bodies(page, bodies):
    """Maps of the same part of space."""
    from . import density

    centre = density.mass_centre(bodies[0].position, bodies[0].mass)
    width = max(density.enclosing_width(s.position, centre, space=1.3) for s in bodies)
    view = maps.View(width=(width, ""), pixels=300)
    drawn = [maps.make(s, view) for s in bodies]
    limits = maps.common_limits(drawn)
    for m in drawn:
        axes = page.axes.pop(0)
        picture = maps.draw(axes, m, limits, view.colours, f"{m.count} bodies at {m.header.when()}")
        maps.name_axes(axes, m)
        if picture:
            maps.bar_inside(axes, picture, m)
