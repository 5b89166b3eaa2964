# SPDX-License-Identifier: MIT
"""NumPy arrays for C, which are passed as they are, copied or refused; and the arrays of a block."""
from __future__ import annotations

import ctypes
from typing import Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
FLOAT = np.dtype(np.float64)
INT = np.dtype(np.int32)
MOST_ROWS = 2**31 - 1
# Types whose values have neither units nor masks.
PLAIN = frozenset((float, int, bool, np.float64, np.float32, np.int64, np.int32, np.ndarray))
# Units of plain numbers, as packages write them.
NO_UNIT = ("", "1", "dimensionless", "none", "NoUnit()")
# The index of i-particles that are not among the cluster's own particles; set_particles() refuses it.
NO_PARTICLE = -(2**31)
# Blocks of up to this many i-particles go through arrays that the object keeps: copying a few hundred numbers takes
# less time than getting an address from NumPy.
KEPT_BLOCK = 256


def address(array: np.ndarray) -> object:
    """The address of a contiguous array, for ctypes.  from_buffer takes a third of the time of array.ctypes.data."""
    if array.flags.writeable and array.size:
        return ctypes.byref(ctypes.c_char.from_buffer(array))
    return ctypes.c_void_p(array.ctypes.data)


def rows(x: ArrayLike) -> int:
    """The n of an array (n, 3); it must fit an int of C."""
    shape = x.shape if type(x) is np.ndarray else np.shape(x)
    if len(shape) != 2 or shape[1] != 3:
        raise ValueError(f"x has shape {shape}, not (n, 3)")
    if shape[0] > MOST_ROWS:
        raise ValueError(f"x has {shape[0]} rows, but the library counts up to {MOST_ROWS}; use several calls")
    return shape[0]


def refuse_lost_meaning(values: object, name: str) -> None:
    """Refuses values with units (astropy, unyt, pint, AMUSE, xarray) or masks, also in lists, since NumPy would drop these."""
    if isinstance(values, (list, tuple)):
        for value in values:
            if type(value) not in PLAIN:
                refuse_lost_meaning(value, name)
        return
    for attribute in ("unit", "units"):
        unit = getattr(values, attribute, None)
        if unit is not None and str(unit) not in NO_UNIT:
            raise TypeError(
                f"{name} has the unit {unit}, which the library does not know: pass plain numbers in units with G = 1"
            )
    if np.ma.is_masked(values):
        raise TypeError(f"{name} has masked values, which the library would sum: pass the others alone")


def plain(values: ArrayLike, name: str) -> np.ndarray:
    """The values as a NumPy array; refuses values with units or masks."""
    if type(values) is not np.ndarray:
        refuse_lost_meaning(values, name)
    return np.asarray(values)


def floats(values: ArrayLike, shape: tuple, name: str) -> Floats:
    """A C-contiguous float64 array of this shape: values itself, or a copy if its type or order is another."""
    array = plain(values, name)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, not {shape}")
    if array.dtype is not FLOAT:
        if not np.can_cast(array.dtype, FLOAT, "same_kind"):
            raise TypeError(f"{name} has type {array.dtype}, not numbers of float64")
        array = array.astype(FLOAT, copy=False)
    return array if array.flags.c_contiguous and array.flags.aligned else np.require(array, requirements="CA")


def ints(values: ArrayLike, n: int, name: str) -> Ints:
    """A C-contiguous int32 array of n numbers; other integers are copied if they fit."""
    array = plain(values, name)
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}, not ({n},)")
    if array.dtype is INT and array.flags.c_contiguous and array.flags.aligned:
        return array
    if n and array.dtype.kind not in "iu":  # an empty list has no type
        raise TypeError(f"{name} has type {array.dtype}, not integers")
    if n and not (-(2**31) <= int(array.min()) and int(array.max()) < 2**31):
        raise ValueError(f"{name} has values that do not fit 32 bits")
    return np.require(array, INT, "CA")


def number(value: object, name: str) -> ctypes.c_double:
    """One number, for ctypes."""
    if type(value) not in PLAIN:
        refuse_lost_meaning(value, name)
    try:
        return ctypes.c_double(value)
    except TypeError:
        raise TypeError(f"{name} must be one number") from None


def each(value: ArrayLike, n: int, name: str) -> Floats:
    """n floats; a single number stands for n equal ones."""
    return np.full(n, number(value, name).value) if np.ndim(value) == 0 else floats(value, (n,), name)


def radii(h2: Union[float, ArrayLike], n: int) -> Floats:
    """The squares of n neighbour radii.  NaN is refused, since the library would take it for no radius and give empty lists."""
    values = each(h2, n, "h2")
    if np.isnan(values).any():
        raise ValueError("h2 has a NaN; for no neighbour lists leave it out")
    return values


def outputs(force: tuple, n: int) -> list[object]:
    """The addresses of a caller's arrays acc, jerk, pot, nearest, into which results are to be written."""
    shapes = (("acc", (n, 3), FLOAT), ("jerk", (n, 3), FLOAT), ("pot", (n,), FLOAT), ("nearest", (n,), INT))
    if not isinstance(force, tuple) or len(force) != len(shapes):
        raise TypeError("out must be a Force, which an earlier call returned")
    for array, (name, shape, dtype) in zip(force, shapes):
        if array is None and name == "nearest":
            continue
        if type(array) is not np.ndarray or array.dtype != dtype or array.shape != shape or not array.flags.carray:
            raise ValueError(f"out: {name} must be a writable C-contiguous array {shape} of {dtype}")
    given = [array for array in force if array is not None]
    if any(np.may_share_memory(a, b) for k, a in enumerate(given) for b in given[:k]):
        raise ValueError("out: each of its arrays must have memory of its own")
    return [None if array is None else address(array) for array in force]


class Block:
    """The arrays of n i-particles, and their addresses as ctypes passes them; h2 may be None.

    results are the arrays into which the library writes at the addresses in outputs.
    """

    def __init__(self, n: int, x: Floats, v: Floats, index: Ints, h2: Optional[Floats]):
        self.n, self.shape, self.length = n, (n, 3), (n,)
        self.x, self.v, self.index, self.h2 = x, v, index, h2
        self.inputs = [address(index), address(x), address(v)]
        self.radii = None if h2 is None else address(h2)
        self.results = np.empty((n, 3)), np.empty((n, 3)), np.empty(n), np.empty(n, INT)
        self.outputs = [address(a) for a in self.results]
        # Four copies take less time than one allocation with four views.
        self.copies = [a.copy for a in self.results]
        # A caller's arrays of the last call, and their addresses.
        self.given: Optional[tuple] = None
        self.given_outputs: list[object] = []

    @classmethod
    def kept(cls, n: int) -> Block:
        """A block with arrays of its own, for fill()."""
        return cls(n, np.zeros((n, 3)), np.zeros((n, 3)), np.full(n, NO_PARTICLE, INT), np.zeros(n))

    @classmethod
    def of(cls, x: ArrayLike, v: Optional[ArrayLike], index: Optional[ArrayLike],
           h2: Union[float, ArrayLike, None]) -> Block:
        """A block in the memory of the caller's arrays; arrays of another type or order are copied."""
        n = rows(x)
        return cls(
            n,
            floats(x, (n, 3), "x"),
            np.zeros((n, 3)) if v is None else floats(v, (n, 3), "v"),
            np.full(n, NO_PARTICLE, INT) if index is None else ints(index, n, "index"),
            None if h2 is None else radii(h2, n),
        )

    def fill(self, x: ArrayLike, v: Optional[ArrayLike], index: Optional[ArrayLike],
             h2: Union[float, ArrayLike, None]) -> None:
        """Copies a caller's values into the block's own arrays.  For the usual types it calls no function here."""
        shape = self.shape
        self.x[...] = x if type(x) is np.ndarray and x.dtype is FLOAT and x.shape == shape else floats(x, shape, "x")
        if type(v) is np.ndarray and v.dtype is FLOAT and v.shape == shape:
            self.v[...] = v
        else:
            self.v[...] = 0 if v is None else floats(v, shape, "v")
        if type(index) is np.ndarray and index.dtype is INT and index.shape == self.length:
            self.index[...] = index
        else:
            self.index[...] = NO_PARTICLE if index is None else ints(index, self.n, "index")
        if h2 is not None:
            self.h2[...] = radii(h2, self.n)

    def addresses_of(self, out: tuple, nearest: bool) -> list[object]:
        """The addresses of a caller's arrays for results; they are looked up only if the tuple is not that of the last call."""
        if out is not self.given:
            self.given_outputs = outputs(out, self.n)
            self.given = out
        if nearest and self.given_outputs[3] is None:
            raise ValueError("out has no array nearest: pass nearest=False")
        return self.given_outputs
