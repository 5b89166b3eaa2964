# SPDX-License-Identifier: MIT
"""Pictures of snapshots: the bodies as points where they are few, else their surface density.  One snapshot, or
several as panels that share frame and colours."""
import math

from . import density, points, style
from .problem import Problem
from .snapshot import ALL

LEAST_SPAN, MOST_SPAN = 1.5, 3.5  # decades of a colour bar
MOST_POINTS = 32768  # more bodies are drawn as a density


class View:
    """What the options of a map say.

    axis: x, y, z or a vector.  width, depth: lengths as units.length_of() has them, or None.  centre: "mass", "densest",
    "middle" or three lengths.  limits: least and largest surface density, or None.  physical: lengths of a
    cosmological snapshot as they are, not comoving.  only: the particles that are drawn.  bodies: "points", "density",
    or None: by their number.
    """

    def __init__(self, axis="z", width=None, centre="mass", depth=None, pixels=500, colours="inferno", limits=None,
                 physical=False, smooth=True, periodic=False, only=ALL, bodies=None):
        self.axis, self.width, self.centre, self.depth = axis, width, centre, depth
        self.pixels, self.colours, self.limits = pixels, colours, limits
        self.physical, self.smooth, self.periodic = physical, smooth, periodic
        self.only, self.bodies = only, bodies

    def has_points(self, count):
        if self.bodies:
            return self.bodies == "points"
        return count <= MOST_POINTS and self.limits is None and self.smooth

    def own(self, header, length):
        """A length in units of the snapshot."""
        return header.units.own_length(length, header.scale_factor, self.physical)


class Map:
    """One snapshot.  points: coordinates in the plane, in length_name, and masses, in mass_name; or values [n][n]: the
    surface density, in mass_name / length_name^2.  width in length_name."""

    def __init__(self, points, values, width, length_name, mass_name, header, axis, count):
        self.points, self.values, self.width = points, values, width
        self.length_name, self.mass_name = length_name, mass_name
        self.header, self.axis, self.count = header, axis, count


def find_centre(snapshot, view):
    if view.centre == "mass":
        return density.mass_centre(snapshot.position, snapshot.mass)
    if view.centre == "densest":
        return density.densest(snapshot.position, snapshot.mass)
    if view.centre == "middle":
        return [0.0, 0.0, 0.0]
    return [view.own(snapshot.header, length) for length in view.centre]


def frame_of(snapshot, view):
    centre = find_centre(snapshot, view)
    width = view.own(snapshot.header, view.width) if view.width else density.enclosing_width(snapshot.position, centre)
    depth = view.own(snapshot.header, view.depth) if view.depth else None
    return density.Frame(centre, width, view.axis, depth, view.pixels)


def make(snapshot, view):
    """The map of a snapshot."""
    header, frame = snapshot.header, frame_of(snapshot, view)
    # Panels share a width without a unit, and so the unit that fits it, whatever their scale factors.
    extent = frame.width / (header.scale_factor if view.physical and view.width and not view.width[1] else 1)
    scale, length_name = header.units.length_scale(extent, header.scale_factor, view.physical)
    mass_scale, mass_name = header.units.mass_scale()
    period = header.box if view.periodic else 0
    flat = values = None
    if view.has_points(len(snapshot)):
        x, y, mass = frame.inside(snapshot.position, snapshot.mass, period)
        flat, found = (x * scale, y * scale, mass * mass_scale), len(x)
    else:
        masses, counts = density.image(frame, snapshot.position, snapshot.mass, period)
        found = counts.sum()
        if view.smooth:
            masses = density.smoothed(masses, counts)
        values = masses * mass_scale / (frame.width * scale / view.pixels) ** 2
    if found == 0:
        raise Problem(f"{header.path}: no particle is inside the frame")
    return Map(flat, values, frame.width * scale, length_name, mass_name, header, view.axis, len(snapshot))


def common_limits(maps, given=None):
    """Least and largest value of the colours of several maps: their largest values, and some decades below.  None for
    maps of points."""
    import numpy as np

    values = [m.values for m in maps if m.values is not None]
    if given or not values:
        return given
    top = max(float(v.max()) for v in values)
    low = min(float(np.quantile(v[v > 0], 0.02)) for v in values)
    bright = np.median([float(np.quantile(v[v > 0], 0.9999)) for v in values])
    top = min(top, max(bright, low * 10 ** LEAST_SPAN))
    return min(max(low, top / 10 ** MOST_SPAN), top / 10 ** LEAST_SPAN), top


def density_label(m):
    length = m.length_name.split(",")[0]
    unit = f"{m.mass_name}/{length}$^2$" if length else f"mass / length$^2$, {m.header.units.name}"
    return f"surface density [{unit}]"


def draw(axes, m, limits, colours, title=None):
    """One map; returns the picture that a colour bar belongs to, or None for points."""
    half, picture = m.width / 2, None
    if m.points:
        points.draw(axes, *m.points, half, colours, m.mass_name)
    else:
        picture = draw_density(axes, m.values, half, limits, colours)
    axes.grid(False)
    axes.locator_params(nbins=6)
    axes.set_title(style.in_lines(title or m.header.title(), axes.get_window_extent().width / axes.figure.dpi))
    return picture


def draw_density(axes, values, half, limits, colours):
    from matplotlib.colors import LogNorm

    return axes.imshow(values.clip(min=limits[0]), origin="lower", extent=(-half, half, -half, half), cmap=colours,
                       norm=LogNorm(*limits), interpolation="bilinear")


def name_axes(axes, m, left=True, bottom=True):
    right, up = ("xyz"[k] for k in density.PLANES[m.axis][:2]) if m.axis in density.PLANES else ("to the right", "upward")
    unit = m.length_name or m.header.units.name
    if bottom:
        axes.set_xlabel(f"{right} [{unit}]")
    if left:
        axes.set_ylabel(f"{up} [{unit}]")


def bar_inside(axes, picture, m):
    """A colour bar at the foot of a map, which then needs no room beside it."""
    place = axes.inset_axes([0.08, 0.12, 0.84, 0.035])
    bar = axes.figure.colorbar(picture, cax=place, orientation="horizontal")
    bar.outline.set_edgecolor("white")
    place.tick_params(which="both", colors="white")
    place.set_title(density_label(m), color="white", fontsize=9, pad=4)


def figure(maps, view, title=None, limits=None):
    """A figure of one map or of several as panels."""
    plt = style.pyplot()
    limits = common_limits(maps, limits or view.limits)
    columns = math.ceil(math.sqrt(len(maps)))
    rows = math.ceil(len(maps) / columns)
    side = 5.4 if len(maps) == 1 else 4.2 if columns == 2 else 3.2
    bar = 0.3 if limits is None else 1.3  # inches
    result, axes = plt.subplots(rows, columns, figsize=(columns * side + bar, rows * side + 0.3), squeeze=False,
                                layout="constrained", sharex=len({m.width for m in maps}) == 1)
    pictures = []
    for k, panel in enumerate(axes.flat):
        if k >= len(maps):
            panel.set_visible(False)
            continue
        pictures.append(draw(panel, maps[k], limits, view.colours))
        name_axes(panel, maps[k], k % columns == 0, k + columns >= len(maps))
        panel.tick_params(labelbottom=k + columns >= len(maps) or len({m.width for m in maps}) > 1)
    picture = next((picture for picture in pictures if picture), None)
    if picture:
        # Every map has regions below the least density of the colours; few go above the largest.
        above = max(float(m.values.max()) for m in maps if m.points is None) > limits[1] * 1.0001
        result.colorbar(picture, ax=list(axes.flat), label=density_label(maps[0]), extend="both" if above else "min",
                        extendfrac=0.03, shrink=0.9, pad=0.02)
    if title:
        result.suptitle(style.in_lines(title, result.get_figwidth(), 12))
    return result
