# SPDX-License-Identifier: MIT
"""The calls of g6lib.h by their names, as g6_open(0), with NumPy arrays where C has arrays.

This module reads the calls from the header, a copy of which is in this package.  Left out are the names in Fortran
style and the calls with structures or function pointers, in whose place are g6gpu.Cluster and logging.

Arguments are positional, in the order of C.  An array is a C-contiguous NumPy array of exactly the type of C
(float64, int32, float32) with at least as many rows as the call reads or writes: the library works on its memory.
An array that the call writes must be writable.  None stands for NULL.  A call whose status is below 0 raises
g6gpu.Error; other values are returned, and errors of calls without a status are logged.  As in C,
g6_get_force() needs arrays of as many rows as g6_set_nip() told, which is not checked.
"""
from __future__ import annotations

import ctypes
import inspect
import operator
import re
from typing import Callable

import numpy as np

from ._arrays import address, number
from ._header import Parameter, prototypes
from ._library import HEADER, STATUS, calls_by_name, check, lib

_TYPES = {"double": np.dtype(np.float64), "int": np.dtype(np.int32), "float": np.dtype(np.float32)}
# The arrays that calls read.  All other arrays are written, except by _READERS.
_READ = {"index", "xi", "vi", "eps2", "h2"}
_READERS = ("g6_set_", "g6_preset_", "g6calc_firsthalf", "g6_open_special", "g6_dump")  # calls that write no array
# The argument that tells the number of rows of a call's arrays; if a call has several, the first in this order.
_COUNTS = ("ni", "maxlength", "n", "nj", "ngpu")


def _int(value: object) -> int:
    """An int of C.  ctypes itself would cut a larger one to 32 bits."""
    number = operator.index(value)
    if not -(2**31) <= number < 2**31:
        raise OverflowError(f"{number} does not fit an int of C")
    return number


_SCALARS = {"int": _int, "double": lambda value: number(value, "the argument"), "text": str.encode}


def _pointer(array: object, dtype: np.dtype, least: int, what: str, is_written: bool) -> object:
    """The address of an array for ctypes; refuses an array of another type or layout, or of fewer than `least` numbers."""
    if array is None:
        return None
    if type(array) is not np.ndarray or array.dtype != dtype:
        found = array.dtype if type(array) is np.ndarray else type(array).__name__
        raise TypeError(f"{what} must be a NumPy array of {dtype}, not {found}")
    if array.size < least:
        raise ValueError(f"{what} has {array.size} numbers, but the call uses {least}")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise ValueError(f"{what} must be C-contiguous and aligned (numpy.require)")
    if is_written and not array.flags.writeable:
        raise ValueError(f"{what} is written by the call, but the array is read-only")
    return address(array)


def _wrap(name: str, result: str, parameters: list[Parameter], doc: str) -> Callable[..., object]:
    function = getattr(lib, name)
    function.restype = {"int": ctypes.c_int, "void": None}.get(result, ctypes.c_char_p)
    names = [p.name for p in parameters]
    count = next((names.index(c) for c in _COUNTS if c in names), None)
    reads_all = name.startswith(_READERS)
    arrays = [
        (k, p, _TYPES[p.type], f"{name}(): {p.name}", not reads_all and p.name not in _READ)
        for k, p in enumerate(parameters)
        if p.is_array
    ]
    scalars = [(k, _SCALARS[p.type]) for k, p in enumerate(parameters) if not p.is_array]
    # An int below 0 is a status, unless g6lib.h documents another result.
    is_firsthalf = name.startswith("g6calc_firsthalf")
    is_status = result == "int" and not re.search(r"@return (?!0\b)", doc) or "< 0: a status" in doc

    def call(*args):
        calls_by_name[0] += 1
        if len(args) != len(names):
            plural = "" if len(names) == 1 else "s"
            raise TypeError(f"{name}() takes {len(names)} argument{plural} ({', '.join(names)}), not {len(args)}")
        values = list(args)
        for k, scalar in scalars:
            try:
                values[k] = scalar(args[k])
            except TypeError:
                kind = parameters[k].type
                raise TypeError(f"{name}(): {names[k]} must be one {kind}, not {type(args[k]).__name__}") from None
        rows = max(values[count], 0) if count is not None else 0
        for k, p, dtype, what, is_written in arrays:
            # When bit 0 of mode is set, g6calc_firsthalf0() and similar calls read only eps2[0].
            all_rows = p.rows == 0 or p.name == "eps2" and not values[-1] & 1
            values[k] = _pointer(args[k], dtype, (rows if all_rows else 1) * p.width, what, is_written)
        if is_status:
            return check(function(*values))
        value = function(*values)
        # The error of a firsthalf is returned by the lasthalf that follows.
        if not is_firsthalf:
            check(0)
        return value.decode(errors="replace") if isinstance(value, bytes) else value

    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    call.__signature__ = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in names])
    return call


# The status codes, as G6_ERR_ARGUMENT, and the calls.
globals().update(STATUS)
__all__ = [*STATUS]
for _name, _result, _parameters, _doc in prototypes(HEADER):
    globals()[_name] = _wrap(_name, _result, _parameters, _doc)
    __all__.append(_name)
