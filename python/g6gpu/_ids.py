# SPDX-License-Identifier: MIT
"""The ids of open clusters: which are taken, how they become free, and what a child of fork() does with them."""
from __future__ import annotations

import operator
import os
import threading
import weakref
from typing import Optional

from ._library import check, lib
from ._settings import option_value

_in_use: set[int] = set()
# The garbage collector may close a cluster while its thread takes an id for another.
_lock = threading.RLock()
_objects: weakref.WeakSet = weakref.WeakSet()


def take_id(wanted: Optional[int]) -> int:
    """The wanted id, or the lowest that is free; refuses one that is taken."""
    if wanted is not None and not hasattr(wanted, "__index__"):
        raise TypeError(f"the id must be an integer, not {wanted!r}; settings need their names, as precision='double'")
    with _lock:
        number = next(k for k in range(2**31) if k not in _in_use) if wanted is None else operator.index(wanted)
        if number in _in_use:
            raise ValueError(f"cluster {number} is open already; close it first, or leave out id")
        if not -(2**31) <= number < 2**31:
            raise ValueError(f"cluster id {number} does not fit 32 bits")
        _in_use.add(number)
        return number


def close_at_end(cluster: object, number: int, before: dict[str, str]) -> weakref.finalize:
    """A finalizer that closes the id when it is called, or when the object is gone."""
    finalizer = weakref.finalize(cluster, _close, number, before)
    # When Python ends, it does not wait for a daemon thread, which may be in a call on this cluster.
    finalizer.atexit = False
    _objects.add(cluster)
    return finalizer


def _close(number: int, before: dict[str, str]) -> None:
    """Closes the cluster and restores the earlier settings of its id, which the library keeps for an id."""
    for name, value in before.items():
        if option_value(number, name) != value:
            lib.g6_set_option(number, name.encode(), value.encode())
    lib.g6_close(number)
    check(0)
    with _lock:
        _in_use.discard(number)


def _after_fork_in_child() -> None:
    global _lock
    _lock = threading.RLock()  # a thread that this process does not have may hold the other one
    for cluster in _objects:
        cluster._after_fork_in_child()


os.register_at_fork(after_in_child=_after_fork_in_child)
