# SPDX-License-Identifier: MIT
"""Times of Python's calls beside those of C: the figures of docs/python.md.

usage: python3 python-overhead.py OVERHEAD.so     made of python-overhead.c, linked with the package's libg6gpu.so
"""
import ctypes
import sys
import time

import numpy as np

import g6gpu
from g6gpu._arrays import address


def by_name(number, nj, index, x, v):
    """The block by the g6 calls under their names."""
    n = len(x)
    acc, jerk, pot, nearest = np.empty((n, 3)), np.empty((n, 3)), np.empty(n), np.empty(n, np.int32)

    def block(eps2):
        g6gpu.g6calc_firsthalf(number, nj, n, index, x, v, None, None, None, eps2, None)
        g6gpu.g6calc_lasthalf2(number, nj, n, index, x, v, eps2, None, acc, jerk, pot, nearest)

    return block


def mean(function, repeats):
    begin = time.perf_counter()
    for k in range(repeats):
        function(1e-4 if k % 2 else 2e-4)
    return (time.perf_counter() - begin) / repeats


def blocks(c, n, nj=64, rounds=400, repeats=100):
    """The fastest of rounds that take C and Python in turns: C, Cluster.acceleration(), with out, the calls by name, in us."""
    rng = np.random.default_rng(n)
    x, v = rng.normal(size=(2, nj, 3))
    index = np.arange(n, dtype=np.int32)
    repeats = max(repeats * 16 // n, 2)
    with g6gpu.Cluster(backend="cpu") as cluster:
        cluster.set_particles(1 / nj, x, v)
        i, xi, vi = index % nj, x[index % nj].copy(), v[index % nj].copy()
        i = i.astype(np.int32)
        out = cluster.acceleration(xi, vi, index=i)
        plain = by_name(cluster.id, nj, i, xi, vi)
        rows = [
            (
                c.blocks(cluster.id, nj, n, repeats, address(i), address(xi), address(vi)),
                mean(lambda eps2: cluster.acceleration(xi, vi, eps2=eps2, index=i), repeats),
                mean(lambda eps2: cluster.acceleration(xi, vi, eps2=eps2, index=i, out=out), repeats),
                mean(plain, repeats),
            )
            for _ in range(rounds)
        ]
    return [1e6 * min(column) for column in zip(*rows)]


def particles(c, n=1000000, rounds=60):
    """The fastest of the bulk calls in C and of set_particles(), in ms."""
    rng = np.random.default_rng(1)
    mass, x, v = np.full(n, 1 / n), rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
    rows = []
    with g6gpu.Cluster(backend="cpu") as cluster:
        cluster.set_particles(mass, x, v)
        for _ in range(rounds):
            first = c.bulk(cluster.id, n, address(mass), address(x), address(v))
            rows.append((first, mean(lambda _: cluster.set_particles(mass, x, v), 1)))
    return [1e3 * min(column) for column in zip(*rows)]


def main():
    c = ctypes.CDLL(sys.argv[1])
    c.blocks.restype = c.bulk.restype = ctypes.c_double
    print("| n | C [us] | acceleration() [us] | with out [us] | calls by name [us] |\n|---:|---:|---:|---:|---:|")
    for n in (1, 16, 256):
        print(f"| {n} |" + "|".join(f" {t:.1f} " for t in blocks(c, n)) + "|")
    bulk, own = particles(c)
    print(f"\n1e6 particles: bulk call {bulk:.1f} ms, set_particles() {own:.1f} ms, {100 * (own / bulk - 1):.1f} % more")


main()
