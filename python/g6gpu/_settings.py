# SPDX-License-Identifier: MIT
"""The library's settings and counters as Python values."""
from __future__ import annotations

import ctypes
import re
from typing import NamedTuple

from ._library import HEADER, check, lib


class Setting(NamedTuple):
    """A row of the library's table of settings."""

    values: str
    """what it may be, as text"""
    meaning: str


def settings() -> dict[str, Setting]:
    """All settings, by the names that Cluster() takes, with their values and what they mean."""
    table: dict[str, Setting] = {}
    key, values, meaning = ctypes.c_char_p(), ctypes.c_char_p(), ctypes.c_char_p()
    while lib.g6_option_row(len(table), *map(ctypes.byref, (key, values, meaning))) == 0:
        table[key.value.decode().lower()] = Setting(values.value.decode(), meaning.value.decode())
    return table


def option_text(value: object) -> str:
    """The text that the library reads for a setting's value."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def option_value(number: int, name: str) -> str:
    """The value of a setting that is in force for a cluster."""
    value = ctypes.create_string_buffer(1024)
    check(lib.g6_get_option(number, name.encode(), value, len(value)))
    return value.value.decode()


def _stats_type() -> type[ctypes.Structure]:
    """struct g6_stats, from the header."""
    kinds = {"size_t": ctypes.c_size_t, "double": ctypes.c_double, "int": ctypes.c_int}
    body = re.search(r"struct g6_stats \{(.*?)\n\};", HEADER, re.S).group(1)
    fields = [(name, kinds[kind]) for kind, name in re.findall(r"^ +(size_t|double|int) (\w+);", body, re.M)]
    return type("Stats", (ctypes.Structure,), {"_fields_": fields})


_Stats = _stats_type()


def read_stats(number: int) -> dict[str, float]:
    """The counters of a cluster by their names in struct g6_stats."""
    stats = _Stats(size=ctypes.sizeof(_Stats))
    check(lib.g6_get_stats(number, ctypes.byref(stats)))
    return {name: getattr(stats, name) for name, _ in _Stats._fields_ if name != "size"}
