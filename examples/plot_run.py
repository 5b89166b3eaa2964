# SPDX-License-Identifier: MIT
"""Draws a run of g6run from its output folder: the energy error and the Lagrangian radii against
time, and the bodies at the start and at the end.

usage: python3 plot_run.py FOLDER        writes FOLDER/run.png and prints its path

Needs matplotlib, and h5py for the bodies; without h5py they are left out, and without matplotlib
one line says so.  Status 0 in all these cases: a run is good without its picture.
"""
import glob
import os
import sys

try:
    import matplotlib

    matplotlib.use("Agg")  # no display is needed
    from matplotlib import pyplot
except Exception as why:  # it may be missing, or built for another numpy
    print(f"no picture: matplotlib cannot be used ({why}; Debian: python3-matplotlib python3-h5py)")
    sys.exit(0)
try:
    import h5py
except Exception:
    h5py = None


def read_table(path):
    """Title of the run, and rows of time, energy, dE/E, T/|W| and radii of 10, 50 and 90 % of the mass."""
    with open(path) as file:
        lines = file.read().splitlines()
    rows = [[float(word) for word in line.split()[:7]] for line in lines if line and line[0] != "#"]
    return lines[0].lstrip("# "), rows


def read_bodies(path):
    """Time of a snapshot and the x and y of its bodies."""
    with h5py.File(path, "r") as file:
        x, y = [], []
        for name in file:
            if name.startswith("PartType"):
                bodies = file[name]
                position = bodies["Position" if "Position" in bodies else "Coordinates"][:]
                x.extend(position[:, 0])
                y.extend(position[:, 1])
        return float(file["Header"].attrs["Time"]), x, y


def draw_energy(axes, rows):
    axes.plot([row[0] for row in rows], [row[2] for row in rows], "o-", color="#0072b2")
    axes.set(xlabel="time", ylabel="dE/E", title="energy error")
    axes.axhline(0, color="#999999", linewidth=0.8)


def draw_radii(axes, rows):
    for column, share, colour in (4, 10, "#d55e00"), (5, 50, "#009e73"), (6, 90, "#cc79a7"):
        axes.plot([row[0] for row in rows], [row[column] for row in rows], "o-", color=colour)
        axes.annotate(f"{share} % of the mass", (rows[0][0], rows[0][column]), xytext=(0, 8),
                      textcoords="offset points", color=colour)
    axes.set(xlabel="time", ylabel="radius", yscale="log", title="Lagrangian radii")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")
    axes.margins(y=0.15)


def draw_bodies(axes, path, width):
    time, x, y = read_bodies(path)
    size = max(0.3, min(4, 8000 / max(1, len(x))))
    axes.scatter(x, y, s=size, color="black", linewidths=0, alpha=0.7)
    axes.set(xlabel="x", ylabel="y", xlim=(-width, width), ylim=(-width, width), aspect="equal",
             title=f"{len(x)} bodies at t = {time:g}")


def main(folder):
    title, rows = read_table(os.path.join(folder, "table.txt"))
    if not rows:
        sys.exit(f"plot_run.py: no rows in {folder}/table.txt")
    snapshots = sorted(glob.glob(os.path.join(folder, "snapshot_*.hdf5"))) if h5py else []
    lines = 2 if snapshots else 1
    figure, axes = pyplot.subplots(lines, 2, figsize=(10, 5 * lines), squeeze=False)
    figure.suptitle(title)
    draw_energy(axes[0][0], rows)
    draw_radii(axes[0][1], rows)
    if snapshots:
        # Both pictures show the same part of space: that which holds 90 % of the mass, and as much around it.
        width = 2 * max(row[6] for row in rows)
        draw_bodies(axes[1][0], snapshots[0], width)
        draw_bodies(axes[1][1], snapshots[-1], width)
    figure.tight_layout()
    picture = os.path.join(folder, "run.png")
    figure.savefig(picture, dpi=120)
    print(f"picture: {picture}" + ("" if h5py else " (the bodies need h5py; Debian: python3-h5py)"))


if len(sys.argv) != 2:
    sys.exit("usage: python3 plot_run.py FOLDER")
main(sys.argv[1])
