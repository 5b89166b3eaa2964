# SPDX-License-Identifier: MIT
"""Where the time of a run's steps goes: a panel of the record that g6run --steps-log writes, where the folder has it as
steps.txt.  Steps of different sizes stand against their size, as in GOTHIC's figures (Miki & Umemura 2017, New Astron. 52,
65), equal ones against time."""
import os

import numpy as np

from . import style, table
from .problem import Problem

NAME = "steps.txt"
PARTS = (("waiting", style.ORANGE), ("sending", style.GREEN), ("correction", style.PINK), ("prediction", style.SKY))
DOTS = 4000  # of more steps each n-th is drawn
ROUNDING = 1e-7  # of the times of a table, which have eight digits or more
MEAN_ROUNDING = 0.06  # of the mean sizes of a table, which have one decimal


def is_of(run, record):
    """Whether a record can be that of a run.  If so, a step of the record ends at each row of the table; for all rows within
    the record, the record lacks the same numbers of block steps and of particle steps, those before it began; and it
    does not go on behind the end of a finished run."""
    time, blocks, ends = run["time"], run["blocks"], record["time"]
    off = ROUNDING * np.abs(time)
    if run.finished and ends[-1] > time[-1] + off[-1]:
        return False
    inside, earlier = (time - off >= ends[0]) & (time - off <= ends[-1]), time + off < ends[0]
    fewest, most = np.searchsorted(ends, time - off)[inside] + 1, np.searchsorted(ends, time + off, "right")[inside]
    steps = np.append(0, np.cumsum(record["n"]))
    for count, recorded, rounding in ((blocks, np.arange(len(ends) + 1), 0 * blocks),
                                      (blocks * run["mean n"], steps, MEAN_ROUNDING * blocks)):
        low, high = count - rounding, count + rounding
        lacking = np.concatenate(([0], low[earlier], low[inside] - recorded[most]))
        if max(lacking) > min(high[inside] - recorded[fewest], default=np.inf):
            return False
    return True


def read(folder, warn, run=None):
    """The record as a table.  None where the folder has no record, or where steps.txt has no steps, belongs to another run
    than the given table, or is no record."""
    path = os.path.join(folder, NAME)
    if not os.path.isfile(path):
        return None
    try:
        with open(path, errors="replace") as file:
            record = table.parse(file.read(), path, warn)
    except OSError as why:
        warn(f"{path}: cannot be read: {why.strerror}")
        return None
    except Problem as why:
        warn(f"{why}; left out")
        return None
    for name in ("time", "n", "seconds", *(part for part, _ in PARTS)):
        if name not in record:
            warn(f"{path}: no record of g6run --steps-log: no column {name}; left out")
            return None
    if len(record) and run is not None and "blocks" in run and not is_of(run, record):
        warn(f"{path}: its steps are not those of table.txt; left out")
        return None
    return record if len(record) else None


def medians(sizes, values):
    """The median of the values in each octave of sizes, at the middle of the sizes there."""
    octave = np.floor(np.log2(sizes))
    at = [(np.exp(np.log(sizes[octave == k]).mean()), np.median(values[octave == k])) for k in np.unique(octave)]
    return np.array(at).T


def draw(axes, record, time_factor=1, time_label="time"):
    sizes, seconds = record["n"], record["seconds"]
    every = slice(None, None, -(-len(record) // DOTS))
    by_size = len(np.unique(sizes)) > 1
    x = sizes if by_size else record["time"] * time_factor
    axes.plot(x[every], seconds[every], ".", markersize=3, color=style.BLUE, alpha=0.5, label="whole step")
    for name, colour in PARTS:
        values = record[name]
        if not (values > 0).any():
            continue
        if by_size:
            axes.plot(*medians(sizes, values), marker="o", markersize=3, color=colour, label=name)
        else:
            axes.plot(x[every], values[every], linewidth=0.8, color=colour, label=name)
    axes.set(title="seconds of a step" + (", medians of its parts" if by_size else ""), yscale="log", ylabel="wall time [s]",
             xlabel="bodies of the step" if by_size else time_label, xscale="log" if by_size else "linear")
    style.legend_above(axes, 3)
    if by_size:
        style.label_decades(axes.xaxis)
