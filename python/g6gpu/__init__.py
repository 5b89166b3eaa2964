# SPDX-License-Identifier: MIT
"""Gravity on GPUs and processors, behind the calls of the GRAPE-6 computer.

    import g6gpu
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(mass, x, v)                      # (n,), (n, 3), (n, 3)
        acc, jerk, pot, nearest = cluster.acceleration(eps2=1e-4)

G = 1; length, mass and time are the caller's own.  Cluster is the object for Python codes.  The calls of g6lib.h
have their C names, as g6gpu.g6_open(0); g6gpu.calls says what they take.  Messages of the library go to the logger
"g6gpu".  docs/python.md of the source has more.
"""
from . import calls
from ._cluster import Cluster, Force
from ._library import VERSION as __version__
from ._library import Error
from ._library import lib as _lib
from ._settings import Setting, settings
from .calls import *  # noqa: F403

library_path: str = _lib._name
"""The file, or the name, of the libg6gpu that computes."""

__all__ = ["Cluster", "Error", "Force", "Setting", "calls", "library_path", "settings", *calls.__all__]
