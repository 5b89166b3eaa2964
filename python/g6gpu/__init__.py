# SPDX-License-Identifier: MIT
"""Gravity on GPUs and processors, behind the calls of the GRAPE-6 computer.

    import g6gpu
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(mass, x, v)                      # (n,), (n, 3), (n, 3)
        acc, jerk, pot, nearest = cluster.acceleration(eps2=1e-4)

    run = g6gpu.run(g6gpu.models.plummer(4096), t_end=1, eps=1/256)
    run.table["dE/E"], run.snapshots[-1].x

G = 1; length, mass and time are in the caller's units.  Cluster is the object for Python codes; run() integrates with
g6run.  The calls of g6lib.h have their C names, as g6gpu.g6_open(0); g6gpu.calls describes their arguments.  Messages of
the library go to the logger "g6gpu".  docs/python.md of the source has more.
"""
from . import calls, models
from ._cluster import Cluster, Force
from ._library import VERSION as __version__
from ._library import Error
from ._library import lib as _lib
from ._run import Run, RunError, run
from ._settings import Setting, settings
from ._snapshots import Bodies, read, write
from .calls import *  # noqa: F403

library_path: str = _lib._name
"""The file, or the name, of the libg6gpu that was loaded."""

__all__ = ["Bodies", "Cluster", "Error", "Force", "Run", "RunError", "Setting", "calls", "library_path", "models", "read", "run",
           "settings", "write", *calls.__all__]  # fmt: skip
