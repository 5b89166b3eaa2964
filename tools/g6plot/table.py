# SPDX-License-Identifier: MIT
"""The table of a run, table.txt: comments, a line with the names of the columns, and a row for each time.

A run that goes on appends to the file, so that its last line may be cut off: such a line is left out.
"""
import os
import re

from .problem import Problem
from .units import NAMES_IN_TABLES, TIMES

FIRST_COLUMN = "time"


class Table:
    """title: the first comment.  columns: {name: values}, in the order of the file.  length_unit, time_unit:
    (factor, name) of a run with --units, else (1, "")."""

    def __init__(self, title, columns, length_unit=(1.0, ""), time_unit=(1.0, ""), finished=False):
        self.title, self.columns = title, columns
        self.length_unit, self.time_unit, self.finished = length_unit, time_unit, finished

    def __len__(self):
        return len(self.columns[FIRST_COLUMN])

    def __contains__(self, name):
        return name in self.columns

    def __getitem__(self, name):
        import numpy as np

        return np.array(self.columns[name])


def column_names(line):
    """Names stand between two blanks or more: "r 10%" is one name."""
    return re.split(r"\s{2,}", line.lstrip("#").strip())


def units_of(comment):
    """(factor, name) of length and time from "units: length 2pc, ..., time 0.42 Myr"."""
    length = re.search(r"length ([-+.\deE]*)([A-Za-z]+)", comment)
    time = re.search(r"time ([-+.\deE]+) (\w+)", comment)
    if not length or not time or length[2] not in NAMES_IN_TABLES or time[2] not in dict(TIMES):
        return (1.0, ""), (1.0, "")
    return (float(length[1] or 1), length[2]), (float(time[1]), time[2])


def numbers(line, count):
    """Values of a row, or None where the row is not whole."""
    words = line.split()
    if len(words) != count:
        return None
    try:
        return [float(word) for word in words]
    except ValueError:
        return None


def parse(text, path, warn):
    names, rows, comments = None, [], []
    lines = text.split("\n")
    lines.pop()  # what follows the last end of a line: nothing, or a line that is being written
    for count, line in enumerate(lines, 1):
        if line.startswith("#"):
            if line.lstrip("# ").startswith(FIRST_COLUMN + " "):
                names = column_names(line)
            else:
                comments.append(line.lstrip("# "))
            continue
        if not line.strip():
            continue
        if names is None:
            raise Problem(f"{path}:{count}: a row stands ahead of the names of the columns: no table of g6run")
        row = numbers(line, len(names))
        if row is None:
            warn(f"{path}:{count}: not a row of {len(names)} numbers")
        else:
            rows.append(row)
    if names is None:
        raise Problem(f"{path}: has no line with the names of columns: no table of g6run, or a run that has just begun")
    columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    table = Table(comments[0] if comments else "", columns)
    for comment in comments:
        if comment.startswith("units: "):
            table.length_unit, table.time_unit = units_of(comment)
        table.finished |= "of wall time" in comment
    return table


def read(folder, warn):
    """The table of a folder, also of a run that has no snapshot yet, whose table is still called table.txt.tmp."""
    for name in ("table.txt", "table.txt.tmp"):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            try:
                with open(path, errors="replace") as file:
                    return parse(file.read(), path, warn)
            except OSError as why:
                raise Problem(f"{path}: cannot be read: {why.strerror}")
    raise Problem(f"{folder}: has no table.txt: no folder of g6run?")
