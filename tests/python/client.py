# SPDX-License-Identifier: MIT
"""A program with the package.  Its library must lie where the argument says, by default in the package.

Mass 4 at distance 2: acc 1.
"""
import os, sys
import g6gpu
with g6gpu.Cluster(backend="cpu") as cluster:
    cluster.set_particles([4.0], [[2.0, 0, 0]])
    acc = cluster.acceleration([[0.0, 0, 0]]).acc
    assert abs(acc - [[1, 0, 0]]).max() < 1e-6, acc
where = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(g6gpu.__file__)
assert g6gpu.library_path.startswith(where), (g6gpu.library_path, where)
