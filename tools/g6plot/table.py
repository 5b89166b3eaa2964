# SPDX-License-Identifier: MIT
"""The table of a run, table.txt: comments, a line with the names of the columns, and a row for each time.

A run that goes on appends to the file, so that its last line may be cut off: such a line is left out.
"""
import os
import re

from .problem import Problem
from .units import NAMES_IN_TABLES, TIMES

FIRST_COLUMNS = ("time", "step")  # of a cluster or galaxy, and of an expanding universe


class Table:
    """title: the first comment, with the end of a run that went on.  columns: {name: values}, in the
    order of the file.  length_unit, time_unit: (factor, name) of a run with --units or --table-units, else (1, "").  energy_unit: its name, "" for units of the run.
    shared: all particles have the same steps."""

    def __init__(self, title, columns, length_unit=(1.0, ""), time_unit=(1.0, ""), finished=False, shared=False):
        self.title, self.columns, self.shared = title, columns, shared
        self.length_unit, self.time_unit, self.finished = length_unit, time_unit, finished
        self.energy_unit = ""

    def __len__(self):
        return len(next(iter(self.columns.values()), ()))

    def __contains__(self, name):
        return name in self.columns

    def reached(self):
        """How far the run is, in words and in the unit of the page."""
        if "z" in self:
            return f"z = {self.columns['z'][-1]:g}"
        factor, unit = self.time_unit
        return f"t = {factor * self.columns['time'][-1]:g} {unit}".strip()

    def __getitem__(self, name):
        import numpy as np

        return np.array(self.columns[name])


def column_names(head, rows):
    """Names stand between two blanks or more: "r 10%" is one name.  Where rows have more numbers than this gives names, each
    name ends where a column ends in the first row that has as many numbers as most rows."""
    names = re.split(r"\s{2,}", head.lstrip("#").strip())
    counts = [len(row.split()) for row in rows if numbers(row) and len(row.split()) >= len(names)]
    if not counts or len(names) in counts:
        return names
    usual = max(set(counts), key=counts.count)
    row = next(row for row in rows if numbers(row, usual))
    ends = [match.end() for match in re.finditer(r"\S+", row)]
    starts = [0] + ends[:-1]
    return [head[start:end].strip("# ") for start, end in zip(starts, ends)]


def units_of(comment):
    """(factor, name) of length and time from "units: length 2pc, ..., time 0.42 Myr"."""
    length = re.search(r"length ([-+.\deE]*)([A-Za-z]+)", comment)
    time = re.search(r"time ([-+.\deE]+) (\w+)", comment)
    if not length or not time or length[2] not in NAMES_IN_TABLES or time[2] not in dict(TIMES):
        return (1.0, ""), (1.0, "")
    return (float(length[1] or 1), length[2]), (float(time[1]), time[2])


def own_units(comment, length_unit, time_unit):
    """(factor, name) of length and time of --table-units, from "units of this table: time Myr, length 10pc"; the given values
    for what the comment lacks."""
    length = re.search(r"length ([-+.\deE]*)([A-Za-z]+)", comment)
    time = re.search(r"time ([-+.\deE]*)([A-Za-z]+)", comment)
    return ((float(length[1] or 1), length[2]) if length else length_unit,
            (float(time[1] or 1), time[2]) if time else time_unit)


def energy_unit(comment):
    """The unit of energy, from "units of this table: ..., energy Msun (km/s)^2"; "" where the comment has none."""
    energy = re.search(r"energy (.+)", comment)
    return energy[1].replace("Msun", r"M$_\odot$").replace(")^2", ")$^2$") if energy else ""


def numbers(line, count=None):
    """The values of a row.  None where some of them are no numbers, or where their number is wrong."""
    words = line.split()
    if count and len(words) != count:
        return None
    try:
        return [float(word) for word in words]
    except ValueError:
        return None


def sort_lines(text):
    """The head, comments, and rows with their numbers of lines.  A run that went on has its head twice."""
    head, comments, rows = "", [], []
    lines = text.split("\n")
    lines.pop()  # what follows the last end of a line: nothing, or a line that is being written
    for count, line in enumerate(lines, 1):
        words = line.lstrip("#").split()
        if not line.startswith("#"):
            rows += [(count, line)] if words else []
        elif len(words) > 3 and words[0] in FIRST_COLUMNS and words[1] != "=":
            head = head or line
        else:
            comments.append(line.lstrip("# "))
    return head, comments, rows


def parse(text, path, warn):
    head, comments, lines = sort_lines(text)
    if not head:
        raise Problem(f"{path}: has no line with the names of columns: no table of g6run, or a run that has just begun")
    names = column_names(head, [line for _, line in lines])
    rows, damaged = [], []
    for count, line in lines:
        row = numbers(line, len(names))
        (rows if row else damaged).append(row or count)
    if damaged:
        others = f", and {len(damaged) - 1} more" if len(damaged) > 1 else ""
        warn(f"{path}:{damaged[0]}{others}: not a row of {len(names)} numbers")
    if lines and not rows:
        raise Problem(f"{path}: none of its {len(lines)} rows is whole")
    columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    table = Table(comments[0] if comments else "", columns)
    for comment in comments:
        if comment.startswith("g6run "):  # a part of the run begins, whose end the title tells
            table.title = table.title.partition(" to ")[0] + "".join(comment.partition(" to ")[1:])
            table.finished = False
        if comment.startswith("units: "):
            table.length_unit, table.time_unit = units_of(comment)
        if comment.startswith("units of this table: "):
            table.length_unit, table.time_unit = own_units(comment, table.length_unit, table.time_unit)
            table.energy_unit = energy_unit(comment)
        table.finished |= "of wall time" in comment
        table.shared |= comment.startswith(("method ", "shared steps")) and ", block steps, " not in comment
    return table


def read(folder, warn):
    """The table of a folder; that of a run without a snapshot is still called table.txt.tmp."""
    for name in ("table.txt", "table.txt.tmp"):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            try:
                with open(path, errors="replace") as file:
                    return parse(file.read(), path, warn)
            except OSError as why:
                raise Problem(f"{path}: cannot be read: {why.strerror}")
    raise Problem(f"{folder}: has no table.txt: no folder of g6run?")
