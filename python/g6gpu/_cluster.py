# SPDX-License-Identifier: MIT
"""Cluster: one set of particles with its devices and settings, as an object over the calls of g6lib.h.

Invariants: the library's cluster is open while the object is open; a lock lets one thread at a time use it; results
are of a block that was started with the arguments of the same call and with the settings in force.
"""
from __future__ import annotations

import ctypes
import threading
from typing import NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import (
    KEPT_BLOCK, MOST_ROWS, NO_PARTICLE, Block, Floats, Ints, address, each, floats, ints, number, rows,
)  # fmt: skip
from ._ids import close_at_end, take_id
from ._library import STATUS, Error, calls_by_name, check, lib, logger, take_waiting, waiting
from ._settings import option_text, option_value, read_stats, settings


class Force(NamedTuple):
    """The force on n i-particles, with G = 1 and the caller's units of length, mass and time."""

    acc: Floats
    """(n, 3) accelerations, length / time^2"""
    jerk: Floats
    """(n, 3) time derivatives of acc; zeros in mode treeonly"""
    pot: Floats
    """(n,) potentials, negative, length^2 / time^2"""
    nearest: Optional[Ints]
    """(n,) index of the nearest particle; -1 (setting nn_none) where there is none and in mode
    treeonly; None when nearest=False"""


_firsthalf, _lasthalf, _lasthalf2 = lib.g6calc_firsthalf, lib.g6calc_lasthalf, lib.g6calc_lasthalf2
_new = tuple.__new__  # half the time of Force(...)


class Cluster:
    """A set of particles, and the forces that they exert, by the library's devices.

        with g6gpu.Cluster(precision="double") as cluster:
            cluster.set_particles(mass, x, v)
            acc, jerk, pot, nearest = cluster.acceleration(eps2=1e-4)

    Args:
        id: the cluster's number for the g6 calls; if it is left out, the lowest number that no other Cluster has.
            Without the setting devices it is also the number of its GPU.
        settings: any row of g6gpu.settings(), as mode="treewalk", precision="double", backend="cpu", theta=0.5,
            devices=[0, 1].  nn_none is -1 unless it is given.  A backend or device that is named here and cannot
            compute is an Error; with backend="auto" the cpu computes where there is no GPU, whatever numbers devices has.

    One thread at a time computes on an object; other threads wait.  Objects are independent of each other, and the GIL
    is free while the library computes.  A closed object raises Error at every call.  The particles are in the
    library, so an object can neither be copied nor pickled.  In a child of fork() objects compute on the cpu; an
    object on which another thread computed at the fork is closed there.
    """

    def __init__(self, id: Optional[int] = None, **settings: object):
        self._lock = threading.RLock()
        self._n = 0  # -1: closed, or incomplete after a refused write
        self._why_closed = "the cluster is closed; make another g6gpu.Cluster()"
        self._index: Optional[Ints] = None
        self._blocks: dict[int, Block] = {}
        # The number of calls through g6gpu.calls at the last firsthalf.  A lasthalf without a firsthalf saves time, but
        # it might collect a block that such a call has started, or one that was computed with other settings.
        # -1 also while a call runs: an interrupted call may leave a block that was not collected.
        self._calls_seen = -1
        self._listed: Optional[int] = None  # size of the last block, when it has neighbour lists
        self._points_seen = False  # whether points without index have been compared with the own particles
        self._id = take_id(id)
        self._open = True
        self._before: dict[str, str] = {}  # the settings of the id when it was opened
        self._finalizer = close_at_end(self, self._id, self._before)
        try:
            check(lib.g6_open(self._id))
            self._before.update(self.settings())
            self.set(**{"nn_none": -1, **settings})
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Forgets the particles and frees the id.  Closing twice is allowed."""
        with self._lock:
            self._open, self._n = False, -1
            self._finalizer()

    def _after_fork_in_child(self) -> None:
        """Closes the object if a thread of the parent computed on it, since this leaves the library's cluster half changed."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
            return
        self._lock = threading.RLock()  # no thread of this process could release the old lock
        self._open, self._n = False, -1
        self._finalizer.detach()
        self._why_closed = (
            "another thread computed on the cluster when fork() made this process, and its state is that of the middle "
            "of a call; make another g6gpu.Cluster() here, or fork when no thread computes"
        )

    def __reduce_ex__(self, protocol: object) -> object:
        raise TypeError("a g6gpu.Cluster cannot be copied or pickled; make another and call its set_particles()")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of particles."""
        return max(self._n, 0)

    def __repr__(self) -> str:
        return f"<g6gpu.Cluster {self._id}: {f'{len(self)} particles' if self._open else 'closed'}>"

    @property
    def id(self) -> int:
        """The cluster's number for the g6 calls."""
        if self._open:
            return self._id
        raise Error(self._why_closed, STATUS["G6_ERR_STATE"])

    # ---- settings ------------------------------------------------------------------------------------------
    def set(self, **settings: object) -> None:
        """Changes settings from the next call on; True and False stand for 1 and 0, a list for words with commas.

        Raises Error, and changes no setting, when one of them is refused, or when a backend or device that they name
        cannot compute.
        """
        with self._lock:
            self._calls_seen = -1
            before: dict[str, str] = {}
            try:
                for name, value in settings.items():
                    earlier = option_value(self.id, name)
                    check(lib.g6_set_option(self.id, name.encode(), option_text(value).encode()))
                    before[name] = earlier
                if any(name.lower().removeprefix("g6_") in ("backend", "devices") for name in settings):
                    self._open_devices()
            except Error:
                for name, earlier in reversed(before.items()):
                    check(lib.g6_set_option(self.id, name.encode(), earlier.encode()))
                raise

    def settings(self) -> dict[str, str]:
        """The settings in force, by name."""
        with self._lock:
            return {name: option_value(self.id, name) for name in settings()}

    @property
    def backend(self) -> str:
        """The backend that computes, as "cuda", "opencl" or "cpu"."""
        with self._lock:
            name = lib.g6_backend_name(self.id).decode()
            check(0)
            return name

    def stats(self) -> dict[str, float]:
        """Counters since the cluster was first opened, as in struct g6_stats; times in seconds."""
        with self._lock:
            return read_stats(self.id)

    # ---- particles -----------------------------------------------------------------------------------------
    def set_particles(
        self,
        mass: ArrayLike,
        x: ArrayLike,
        v: Optional[ArrayLike] = None,
        *,
        t: Union[float, ArrayLike, None] = None,
        a2: Optional[ArrayLike] = None,
        j6: Optional[ArrayLike] = None,
        k18: Optional[ArrayLike] = None,
        index: Optional[ArrayLike] = None,
    ) -> None:
        """Makes these n particles the cluster's own, in place of all earlier ones.

        Float64 arrays in C order are read in place; others are copied first.  The library keeps its own copy, so the
        arrays may change after the call.

        Args:
            mass: (n,) or one number for all
            x: (n, 3) positions at time t
            v: (n, 3) velocities; None: 0
            t: (n,) or one number: the time of the data, from which particles are predicted; None: 0
            a2, j6, k18: (n, 3) acceleration / 2, its first derivative / 6 and its second derivative / 18: the terms
                of the predictor, as g6_set_j_particle() has them; None: 0
            index: (n,) integers: the particles' identities; None: 0 ... n-1.  -2**31 is not allowed.
        """
        n = rows(x)
        numbers = None if index is None else ints(index, n, "index").copy()
        if numbers is not None and n and numbers.min() == NO_PARTICLE:
            raise ValueError(f"index {NO_PARTICLE} stands for no particle")
        with self._lock:
            arrays = _terms(n, mass, x, v, t, a2, j6, k18)
            self._write(n, None, numbers, arrays)
            self._n, self._index = n, numbers

    def update(
        self,
        address: ArrayLike,
        mass: ArrayLike,
        x: ArrayLike,
        v: Optional[ArrayLike] = None,
        *,
        t: Union[float, ArrayLike, None] = None,
        a2: Optional[ArrayLike] = None,
        j6: Optional[ArrayLike] = None,
        k18: Optional[ArrayLike] = None,
    ) -> None:
        """Writes n of the particles again, as those that a block step has moved.

        Args:
            address: (n,) their rows in the arrays of set_particles()
            mass, x, v, t, a2, j6, k18: as in set_particles(), for these n.  A particle keeps its index.
        """
        n = rows(x)
        places = ints(address, n, "address")
        with self._lock:
            count = self._count()
            if n and not (0 <= int(places.min()) and int(places.max()) < count):
                raise ValueError(f"address must be 0 ... {count - 1}: set_particles() gave {count} particles")
            numbers = places if self._index is None else self._index[places]
            self._write(n, places, numbers, _terms(n, mass, x, v, t, a2, j6, k18))
            self._n = count

    def set_softening(self, eps2: ArrayLike) -> None:
        """Gives each own particle a softening: a pair has the eps2 of acceleration() plus that of the own particle.

        A value belongs to a row of the arrays of set_particles() until the next set_softening(), whatever particle is
        in the row; it is 0 at first.  Equal values cost nothing; else there is a sum for each different value.

        Args:
            eps2: (n,) or one number for all: softening squared, length^2; at most 16 different values besides 0
        """
        with self._lock:
            n = self._count()
            values = each(eps2, n, "eps2")
            self._calls_seen = -1
            check(lib.g6_set_j_softening(self.id, n, None, address(values)))

    def predict(self, t: Optional[float] = None) -> tuple[Floats, Floats]:
        """The own particles' positions and velocities at time t, (n, 3) each; None: the time of the last call."""
        with self._lock:
            if t is not None:
                check(lib.g6_set_ti(self.id, number(t, "t")))
            n = self._count()
            x, v = np.empty((n, 3)), np.empty((n, 3))
            check(lib.g6_predict(self.id, n, address(x), address(v)))
            return x, v

    # ---- forces --------------------------------------------------------------------------------------------
    def acceleration(
        self,
        x: Optional[ArrayLike] = None,
        v: Optional[ArrayLike] = None,
        *,
        t: Optional[float] = None,
        eps2: float = 0.0,
        h2: Union[float, ArrayLike, None] = None,
        index: Optional[ArrayLike] = None,
        aold: Optional[ArrayLike] = None,
        nearest: bool = True,
        out: Optional[Force] = None,
    ) -> Force:
        """The force of all own particles on n i-particles, any number of them, at time t.

        Args:
            x: (n, 3) positions; None: the own particles, predicted to time t, each with its index
            v: (n, 3) velocities; None: 0.  The jerk depends on them.
            t: the time to which the own particles are predicted; None: the time of the last call, at first 0
            eps2: softening squared, length^2
            h2: (n,) or one number: radii squared, for neighbours(); None: no neighbour lists
            index: (n,) the i-particles' identities: an own particle with the index of an i-particle exerts no force on
                it and is not its neighbour.  None: no point in x is an own particle.  For own particles index must be
                given, else pot has the term -m / eps of the particle itself, and nearest is the particle itself.  The
                first call with own particles but without index logs a warning.
            aold: (n, 3) accelerations of an earlier step, which only mac="acceleration" of mode treewalk reads
            nearest: False: do not look for nearest neighbours, which saves time
            out: a Force of an earlier call with n i-particles, whose arrays receive the results

        Returns:
            Force: acc (n, 3), jerk (n, 3), pot (n,), nearest (n,); new arrays, or out.
        """
        with self._lock:
            own, nj = self._id, self._n
            if nj < 0:
                self._count()
            # Wrong arguments are refused before the time changes.
            softening = number(eps2, "eps2")
            time = None if t is None else number(t, "t")
            themselves = x is None
            if themselves:
                if v is not None or index is not None:
                    raise ValueError("v and index go with x")
                x, v = np.empty((nj, 3)), np.empty((nj, 3))  # predicted below
                index = np.arange(nj, dtype=np.int32) if self._index is None else self._index
            points = index is None
            n = rows(x)
            kept = n <= KEPT_BLOCK
            if kept:
                # The dictionary lacks the block while it is in use, since a handler of the log may call this object.
                block = self._blocks.pop(n, None) or Block.kept(n)
                block.fill(x, v, index, h2)
            else:
                block = Block.of(x, v, index, h2)
            ids, xi, vi = block.inputs
            acc, jerk, pot, near = block.outputs if out is None else block.addresses_of(out, nearest)
            radii = None if h2 is None else block.radii
            old = None if aold is None else floats(aold, (n, 3), "aold")
            if time is not None:
                check(lib.g6_set_ti(own, time))
            if themselves:
                check(lib.g6_predict(own, n, xi, vi))
            if points and not self._points_seen:
                self._tell_of_own(block.x)
            # Before the block, because a handler of the log may change the mode while the block is computed.
            listed = None if h2 is None or option_value(own, "mode") == "treeonly" else n
            self._listed = None
            calls, seen, self._calls_seen = calls_by_name[0], self._calls_seen, -1
            if old is not None or seen != calls:
                before = None if old is None else address(old)
                _firsthalf(own, nj, n, ids, xi, vi, before, None, None, softening, radii)
            if nearest:
                status = _lasthalf2(own, nj, n, ids, xi, vi, softening, radii, acc, jerk, pot, near)
            else:
                status = _lasthalf(own, nj, n, ids, xi, vi, softening, radii, acc, jerk, pot)
            if status:
                check(status)
            self._calls_seen = calls
            self._listed = listed
            if waiting:
                check(0)
            if kept:
                self._blocks[n] = block
            if out is not None:
                return out
            if not kept:
                return Force(*block.results[:3], block.results[3] if nearest else None)
            acc, jerk, pot, near = block.copies
            return _new(Force, (acc(), jerk(), pot(), near() if nearest else None))

    def neighbours(self) -> tuple[NDArray[np.int64], Ints]:
        """The neighbour lists of the last acceleration(), which must have had h2, in a mode other than treeonly.

        Returns:
            offsets (n + 1,) and index: the list of i-particle k is index[offsets[k]:offsets[k + 1]], in ascending order.
            numpy.split(index, offsets[1:-1]) makes a list of arrays.  The list holds the particles with
            r^2 + eps2 < h2 (settings neighbour_softened, neighbour_self).
        """
        with self._lock:
            number = self.id
            if self._listed is None:
                text = "no neighbour lists: an acceleration() with h2 that succeeds makes them, but not in mode treeonly"
                raise Error(text, STATUS["G6_ERR_STATE"])
            n = self._listed
            if n:
                check(lib.g6_read_neighbour_list(number))
            offsets = np.zeros(n + 1, np.int64)
            entries = np.empty(64 * n + 64, np.int32)
            length = ctypes.c_int()
            for k in range(n):
                begin = int(offsets[k])
                while check(self._copy_list(number, k, entries, begin, length)):
                    entries = np.concatenate([entries, np.empty_like(entries)])
                offsets[k + 1] = begin + length.value
            return offsets, entries[: offsets[n]].copy()

    @staticmethod
    def _copy_list(number: int, k: int, entries: Ints, begin: int, length: ctypes.c_int) -> int:
        place = ctypes.c_void_p(entries.ctypes.data + 4 * begin)
        room = min(len(entries) - begin, MOST_ROWS)
        return lib.g6_get_neighbour_list(number, k, room, ctypes.byref(length), place)

    # ---- inside --------------------------------------------------------------------------------------------
    def _open_devices(self) -> None:
        """Opens the devices that the settings name; raises Error if others would replace them."""
        self._listed = None
        none = [None] * 6
        _firsthalf(self._id, 0, 0, *none, number(0.0, "eps2"), None)  # the empty block
        status = _lasthalf(self._id, 0, 0, *none[:3], number(0.0, "eps2"), *none[:4])
        refusals = take_waiting()
        if not refusals:
            check(status)
            return
        # A line of the log ends with the devices that replace them.
        texts = [line.partition("; going on")[0] for line in refusals]
        raise Error("; ".join(texts), STATUS["G6_ERR_DEVICE"])

    def _tell_of_own(self, x: Floats) -> None:
        """Warns, at the first call with points without index, if some of them are at the position of an own particle."""
        own = self.predict()[0]
        self._points_seen = len(own) > 0 and len(x) > 0
        for k in np.flatnonzero(np.isin(x[:, 0], own[:, 0]))[:100]:
            same = (own == x[k]).all(axis=1)
            if same.any():
                logger.warning(
                    "acceleration(): x[%d] is the place of particle %d, which it feels; for own particles pass their "
                    "index, or leave x out", k, same.argmax(),
                )  # fmt: skip
                return

    def _count(self) -> int:
        """The number of particles; raises Error when the cluster is closed, or when some of them are missing."""
        self.id
        if self._n < 0:
            text = "some particles were refused, so that others are old or missing; call set_particles() again"
            raise Error(text, STATUS["G6_ERR_STATE"])
        return self._n

    def _write(self, n: int, places: Optional[Ints], numbers: Optional[Ints], terms: list[Optional[Floats]]) -> None:
        arrays = [None if a is None else address(a) for a in (places, numbers, *terms)]
        number, self._n = self.id, -1
        check(lib.g6_set_j_particles(number, n, *arrays))


def _terms(n, mass, x, v, t, a2, j6, k18) -> list[Optional[Floats]]:
    """The arrays t, mass, k18, j6, a2, v, x in the order of the arguments of g6_set_j_particles()."""
    arrays = [None if t is None else each(t, n, "t"), each(mass, n, "mass")]
    for name, values in (("k18", k18), ("j6", j6), ("a2", a2), ("v", v), ("x", x)):
        arrays.append(None if values is None else floats(values, (n, 3), name))
    return arrays
