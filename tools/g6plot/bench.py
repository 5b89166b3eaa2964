# SPDX-License-Identifier: MIT
"""Times of block steps against their size, from what g6bench --csv prints: a line for each column of g6bench and
each N through the medians, with a bar from the least to the most time."""
import csv

from . import style
from .problem import Problem

NEEDED = ("kind", "name", "nj", "ni", "us_min", "us_median", "us_max")
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PINK, style.YELLOW, style.SKY, "black")


def read(paths):
    """{(name, N): [(n, least, median, most)]}, times in us; lines that begin with # are comments."""
    lines = {}
    for path in paths:
        try:
            with open(path, newline="") as file:
                rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        except OSError as why:
            raise Problem(f"{path}: cannot be read: {why.strerror}")
        except (UnicodeDecodeError, csv.Error):
            raise Problem(f"{path}: not what g6bench --csv prints")
        if rows and not set(NEEDED) <= set(rows[0]):
            raise Problem(f"{path}: not what g6bench --csv prints: no column {sorted(set(NEEDED) - set(rows[0]))[0]}")
        for row in rows:
            if row["kind"] != "step":
                continue
            try:
                n, least, median, most = (float(row[name]) for name in NEEDED[3:])
            except (TypeError, ValueError):
                raise Problem(f"{path}: a row of a step has no numbers: {row}")
            if median > 0:
                lines.setdefault((row["name"], int(row["nj"])), []).append((n, least, median, most))
    if not lines:
        raise Problem(f"{', '.join(paths)}: no block steps")
    return lines


def name_of(key, several):
    """The settings of a column tell it apart; the file of its library, the first word, does not."""
    name = key[0].split(" ", 1)[-1]
    return f"{name}, N = {key[1]}" if several else name


def figure(lines, title=None):
    plt = style.pyplot()
    result, axes = plt.subplots(figsize=(7.5, 4.8), layout="constrained")
    several = len({nj for _, nj in lines}) > 1
    for k, (key, points) in enumerate(lines.items()):
        n, least, median, most = zip(*sorted(points))
        bars = [[m - l for m, l in zip(median, least)], [u - m for u, m in zip(most, median)]]
        axes.errorbar(n, median, bars, marker="o", markersize=4, color=COLOURS[k % len(COLOURS)],
                      label=name_of(key, several))
    axes.set(xscale="log", yscale="log", xlabel="i-particles of a block step", ylabel="time of a block step [us]",
             title=title or "")
    axes.legend()
    return result
