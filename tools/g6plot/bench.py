# SPDX-License-Identifier: MIT
"""Times of block steps against their size, from what g6bench --csv prints: a line for each column of g6bench and each
N through the medians, with a bar from the least to the most time.  Where all blocks have one size, times stand against
N; where there is one N, too, each column of g6bench has a bar."""
import csv
import statistics

from . import style
from .problem import Problem

NEEDED = ("kind", "name", "nj", "ni", "us_min", "us_median", "us_max")
TIME = "time of a block step [us]"
LEGEND_WIDTH = 5.5  # inches
DIGIT = 0.015  # width of a digit over that of the axis
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PINK, style.YELLOW, style.SKY, "black")


def read(paths):
    """{(name, N): [(n, least, median, most)]}, times in us, n ascending; lines that begin with # are comments."""
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
            raise Problem(f"{path}: has no column {sorted(set(NEEDED) - set(rows[0]))[0]}: g6plot bench draws the block steps that "
                          "g6bench --csv prints without --tree and --replay")
        for row in rows:
            if row["kind"] != "step":
                continue
            try:
                n, least, median, most = (float(row[name]) for name in NEEDED[3:])
                if not 0 <= least <= median <= most:
                    raise ValueError
            except (TypeError, ValueError):
                raise Problem(f"{path}: a row of a step has no numbers, or they are not in order: {row}")
            if median > 0:
                lines.setdefault((row["name"], int(row["nj"])), []).append((n, least, median, most))
    if not lines:
        raise Problem(f"{', '.join(paths)}: no block steps")
    return {key: joined(points) for key, points in lines.items()}


def joined(points):
    """A point for each n; several runs of one n are joined: the least of their times, the median of their medians, the most."""
    result = []
    for n in sorted({point[0] for point in points}):
        _, least, median, most = zip(*(point for point in points if point[0] == n))
        result.append((n, min(least), statistics.median(median), max(most)))
    return result


def against_n_bodies(lines):
    """Times by N instead of n, for blocks of one size: {(name, n): [(N, least, median, most)]}."""
    result = {}
    for (name, bodies), ((n, *times),) in sorted(lines.items(), key=lambda item: item[0][1]):
        result.setdefault((name, n), []).append((bodies, *times))
    return result


def name_of(key, several):
    """The settings of a column tell it apart; the file of its library, the first word, does not."""
    name = key[0].split(" ", 1)[-1]
    return f"{name}, N = {key[1]}" if several else name


def errors(points):
    """Medians, and bars from the least to the most time."""
    _, least, median, most = zip(*points)
    return median, [[m - l for m, l in zip(median, least)], [u - m for u, m in zip(most, median)]]


def label_values(axis, values):
    """A tick at each measured value; labels that would touch others are left out."""
    low, high = axis.get_transform().transform(axis.get_view_interval())
    labels, end = [], float("-inf")
    for value, place in zip(values, (axis.get_transform().transform(values) - low) / (high - low)):
        label = f"{value:.0f}"
        half = len(label) * DIGIT / 2
        labels.append(label if place - half > end else "")
        end = place + half + DIGIT if labels[-1] else end
    axis.set_ticks(values, labels)
    axis.set_ticks([], minor=True)


def draw_lines(axes, lines, name, xlabel):
    names = [style.in_lines(name(key), LEGEND_WIDTH, 10) for key in lines]
    for k, points in enumerate(lines.values()):
        median, bars = errors(points)
        axes.errorbar([point[0] for point in points], median, bars, marker="o", markersize=5, elinewidth=1, capsize=3,
                      color=COLOURS[k % len(COLOURS)], label=names[k])
    axes.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=TIME)
    label_values(axes.xaxis, sorted({point[0] for points in lines.values() for point in points}))
    style.label_decades(axes.yaxis)
    if len(lines) > 1:
        columns = 1 if max(map(len, names)) > 32 else 2
        below = -(-len(lines) // columns) + sum(each.count("\n") for each in names)
        axes.figure.set_figheight(4.8 + 0.18 * below)
        axes.legend(loc="upper left", bbox_to_anchor=(0, -0.14), ncol=columns)


def draw_bars(axes, lines, xlabel):
    for k, points in enumerate(lines.values()):
        median, bars = errors(points)
        axes.barh(k, median, xerr=bars, height=0.6, capsize=3, color=COLOURS[k % len(COLOURS)])
    names = [style.in_lines(name_of(key, False), 3, 10) for key in lines]
    axes.set_yticks(range(len(lines)), names)
    axes.figure.set_figheight(1.4 + len(lines) * (0.3 + 0.2 * max(each.count("\n") + 1 for each in names)))
    axes.invert_yaxis()
    axes.set(xlabel=xlabel, xlim=(0, None))


def figure(lines, title=None):
    plt = style.pyplot()
    bodies = {each for _, each in lines}
    sizes = {point[0] for points in lines.values() for point in points}
    result, axes = plt.subplots(figsize=(7.5, 4.8), layout="constrained")
    if len(sizes) > 1:
        one = f", N = {min(bodies)}" if len(bodies) == 1 else ""
        draw_lines(axes, lines, lambda key: name_of(key, len(bodies) > 1), f"i-particles of a block step{one}")
    elif len(bodies) > 1:
        xlabel = f"N, blocks of {min(sizes):.0f} i-particles"
        draw_lines(axes, against_n_bodies(lines), lambda key: name_of(key, False), xlabel)
    else:
        draw_bars(axes, lines, f"{TIME}, N = {min(bodies)}, n = {min(sizes):g}")
    axes.set_title(style.in_lines(title or "medians, and bars from least to most", 6))
    return result
