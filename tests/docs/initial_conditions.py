# SPDX-License-Identifier: MIT
"""Runs the pieces of docs/initial-conditions.md whose packages this Python has, and compares their bodies with theory.

usage: initial_conditions.py PAGE     prints a line for each piece
"""
import importlib.util
import re
import shutil
import struct
import subprocess
import sys

import numpy as np

import g6gpu

# sqrt(G 1e10 Msun / kpc) by G and GM of the Sun of CODATA 2018 and IAU 2015.
VELOCITY = (1.3271244e20 * 1e10 / 3.0856775814913673e19) ** 0.5 / 1e3  # km/s
NAMES = {"pynbody: Tipsy": "pynbody", "pynbody: the binary files of GADGET": "pynbody"}


def write_tipsy(path, bodies):
    """Big-endian, dark matter alone: a header of 32 bytes, then mass, x, v, softening and potential in float."""
    n = len(bodies)
    rows = np.hstack([bodies.mass[:, None], bodies.x, bodies.v, np.zeros((n, 2))])
    with open(path, "wb") as file:
        file.write(struct.pack(">d6i", 1.0, n, 3, 0, n, 0, 0) + rows.astype(">f4").tobytes())


def write_gadget(path, bodies):
    """SnapFormat 1: blocks of Fortran, a header of 256 bytes with the mass of the halo's bodies, positions, velocities, ids."""
    n = len(bodies)
    header = struct.pack("6i6d2d2i6i2i4d", 0, n, 0, 0, 0, 0, 0, bodies.mass[0], 0, 0, 0, 0, 1.0, 0.0, 0, 0,
                         0, n, 0, 0, 0, 0, 0, 1, 100.0, 0.0, 0.0, 1.0)  # fmt: skip
    blocks = (header.ljust(256, b"\0"), bodies.x.astype("f4").tobytes(), (bodies.v * VELOCITY).astype("f4").tobytes(),
              np.arange(n, dtype=np.uint32).tobytes())  # fmt: skip
    with open(path, "wb") as file:
        for block in blocks:
            file.write(struct.pack("i", len(block)) + block + struct.pack("i", len(block)))


def check(bodies, written):
    """T = 1/4, W = -1/2, which have a spread of some 1 % in a sample of 4096; floats of a file are within 1e-6."""
    if written is not None:
        for found, wanted in zip(bodies, written):
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    with g6gpu.Cluster(precision="double", backend="cpu") as cluster:
        cluster.set_particles(*bodies)
        potential = 0.5 * bodies.mass @ cluster.acceleration().pot
    kinetic = 0.5 * bodies.mass @ (bodies.v**2).sum(1)
    np.testing.assert_allclose([bodies.mass.sum(), kinetic, potential], [1, 0.25, -0.5], rtol=0.06)


def run_nemo(commands):
    """The lines of the shell, with a short run, where NEMO is in PATH."""
    if shutil.which("mkplummer") is None:
        print("NEMO: left out (no mkplummer)")
        return 0
    commands = commands.replace("--t-end 1 ", "--t-end 1/64 --output nemo ")
    subprocess.run(["sh", "-e", "-c", commands], check=True, stdout=subprocess.DEVNULL)
    check(g6gpu.read("cluster.txt"), None)
    print("NEMO: good")
    return 1


def main(page):
    with open(page) as file:
        head, *sections = re.split(r"^## ", file.read(), flags=re.M)
    begin, end = re.findall(r"^```python\n(.*?)^```", head, flags=re.M | re.S)
    plummer = g6gpu.models.plummer(4096)
    write_tipsy("cluster.tipsy", plummer)
    write_gadget("cluster.gadget", plummer)
    ran = 0
    for section in sections:
        title = section.split("\n")[0]
        if title == "NEMO":
            ran += run_nemo(re.search(r"^```sh\n(.*?)^```", section, flags=re.M | re.S)[1])
            continue
        piece = re.search(r"^```python\n(.*?)^```", section, flags=re.M | re.S)
        package = NAMES.get(title, title.lower())
        if importlib.util.find_spec(package) is None:
            print(f"{title}: left out (no {package})")
            continue
        names = {}
        exec(begin + piece[1], names)
        check(names["bodies"], plummer if package == "pynbody" else None)
        print(f"{title}: good")
        ran += 1
    exec(begin + end.replace("t_end=1", "t_end=1/64"), {"bodies": plummer})
    assert g6gpu.read("cluster.hdf5").x.shape == (4096, 3)
    return 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
