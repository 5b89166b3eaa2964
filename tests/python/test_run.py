# SPDX-License-Identifier: MIT
"""g6run from Python, and its models."""
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

import g6gpu
from g6gpu._programs import program

pytest.importorskip("h5py")
try:
    G6RUN = program("g6run")
except FileNotFoundError as why:
    pytest.skip(str(why), allow_module_level=True)

# Two bodies on a circle: distance 1, total mass 1, so that they turn by t.
PAIR = g6gpu.Bodies(0.5, [[0.5, 0, 0], [-0.5, 0, 0]], [[0, 0.5, 0], [0, -0.5, 0]])


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_run_gives_its_table_and_its_snapshots():
    run = g6gpu.run(PAIR, t_end=1, snapshot=0.25, eta=0.001, precision="double")
    assert run.table["time"].tolist() == np.arange(0, 1.125, 0.125).tolist()
    # E = -1/8 in G = 1 with masses of 1/2 at the distance 1; the fourth order has errors of some 1e-9 at this eta.
    np.testing.assert_allclose(run.table["energy"], -0.125, rtol=1e-8)
    assert run.folder.name == "run-out" and len(run.snapshots) == 5
    for bodies, t in zip(run.snapshots, np.arange(0, 1.25, 0.25)):
        assert bodies.time == t
        np.testing.assert_allclose(bodies.x[0], [0.5 * np.cos(t), 0.5 * np.sin(t), 0], atol=1e-7)
    assert len(run.snapshots[1:]) == 4 and run.snapshots[-1].time == 1


def test_a_run_goes_on_with_a_restart():
    first = g6gpu.run(PAIR, t_end=0.5, output="a")
    on = g6gpu.run(restart=first.snapshots.paths[-1], t_end=1)
    assert on.folder == first.folder and on.table["time"][-1] == 1
    whole = g6gpu.run(PAIR, t_end=1, output="b")
    np.testing.assert_array_equal(on.snapshots[-1].x, whole.snapshots[-1].x)


def test_bodies_of_a_file_an_option_or_arrays():
    g6gpu.write("pair.txt", PAIR)
    runs = [g6gpu.run("pair.txt", output="a"), g6gpu.run(tuple(PAIR), output="b"), g6gpu.run(input="pair.txt", output="c")]
    for run in runs:
        np.testing.assert_array_equal(run.snapshots[-1].x, runs[0].snapshots[-1].x)
    refused(TypeError, "not both", g6gpu.run, PAIR, input="pair.txt")
    refused(TypeError, "takes no help", g6gpu.run, PAIR, help=True)


@pytest.mark.parametrize("head", ["# m[Msun] x[pc] y[pc] z[pc] vx[km/s] vy[km/s] vz[km/s]\n", "m,x (pc),y,z,vx,vy,vz\n",
                                  "#m,x,y,z,vx,vy,vz\n#Msun,pc,pc,pc,km/s,km/s,km/s\n", "m_msun,x_pc,y_pc,z_pc,vx_kms,vy_kms,vz_kms\n",
                                  "# Units: mass [Msun], length [pc], velocity [km/s]\n", "# Masses in MSUN, positions in parsec\n",
                                  "m x y z vx vy vz\n# Msun pc pc pc km/s km/s km/s\n", "# G = 0.0043\n"])
def test_bodies_of_a_table_with_units_need_them(head):
    Path("stars.txt").write_text(head + "1,1,0,0,0,0.03,0\n1,-1,0,0,0,-0.03,0\n")
    stars = g6gpu.read("stars.txt")
    refused(g6gpu.RunError, "give --input-units", g6gpu.run, stars)
    run = g6gpu.run(stars, input_units="pc,Msun,km/s")
    assert abs(run.table["T/|W|"][0] / (0.03**2 / (0.0043009 / 2)) - 1) < 1e-4  # T = v^2, W = -G / 2


def test_bodies_of_a_table_keep_the_unit_of_its_time():
    Path("stars.txt").write_text("# t = 3.5 Myr\n1 1 0 0 0 0.3 0\n1 -1 0 0 0 -0.3 0\n")
    stars = g6gpu.read("stars.txt")[:2]
    assert (stars.time, stars.time_unit, repr(stars)) == (3.5, "Myr", "<g6gpu.Bodies: 2 bodies at t = 3.5 Myr>")
    for to_file in (lambda: g6gpu.write("stars.hdf5", stars), lambda: g6gpu.run(stars)):
        refused(ValueError, "time is 3.5 Myr: give it in the unit", to_file)
    Path("zero.txt").write_text("# t = 0 Myr\n1 1 0 0 0 0.3 0\n1 -1 0 0 0 -0.3 0\n")
    assert g6gpu.run(g6gpu.read("zero.txt"), output="zero").table["time"][0] == 0
    g6gpu.write("again.txt", stars)
    run = g6gpu.run("again.txt", units="1pc,1Msun", t_end="4Myr")
    assert abs(run.table["time"][0] / (3.5 / 14.9096) - 1) < 1e-5  # the unit of time is 14.9096 Myr


def test_what_g6run_refuses_is_raised():
    error = refused(g6gpu.RunError, "--etta", g6gpu.run, PAIR, etta=1)
    assert error.status == 2 and "g6run: " not in str(error)
    assert pickle.loads(pickle.dumps(error)).status == 2
    g6gpu.run(PAIR)
    assert refused(g6gpu.RunError, "not empty", g6gpu.run, PAIR).status == 1
    assert len(g6gpu.run(PAIR, overwrite=True).snapshots) == 2
    os.remove("run-out/table.txt")
    refused(ValueError, "no table.txt", g6gpu.Run)


def test_what_g6run_says_of_a_good_run_is_logged(caplog):
    g6gpu.run(PAIR, theta=0.5)
    assert "--theta has no effect" in caplog.text


def test_interrupting_python_leaves_a_snapshot_to_go_on_from():
    def interrupt():
        while not os.path.exists("run-out/snapshot_0000.hdf5"):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    refused(KeyboardInterrupt, "", g6gpu.run, PAIR, t_end=2**20)
    thread.join()
    stopped = g6gpu.read("run-out/interrupted.hdf5")
    assert g6gpu.run(restart="run-out/interrupted.hdf5", t_end=np.floor(stopped.time) + 1).table["time"][-1] > stopped.time


def test_the_bar_reaches_its_end(capsys, monkeypatch):
    """With tqdm as without: a stand-in has what the package uses of it."""

    class Bar:
        def __init__(self, total, bar_format):
            self.n, Bar.seen = 0.0, self

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def set_description_str(self, text):
            assert 0 <= self.n <= 1, text

    module = type(sys)("tqdm.auto")
    module.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    monkeypatch.setitem(sys.modules, "tqdm", type(sys)("tqdm"))
    g6gpu.run(PAIR, t_end=1, progress=True, output="a")
    assert Bar.seen.n == 1
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    g6gpu.run(PAIR, t_end=1, progress=True, output="b")
    assert "first forces of 2 particles" in capsys.readouterr().err
    g6gpu.run(PAIR, t_end=1, output="c")  # stderr is no terminal
    assert capsys.readouterr().err == ""


# ---- models ----------------------------------------------------------------------------------------------------
def test_each_model_of_g6run_has_a_function():
    told = subprocess.run([G6RUN, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.search(r"--model ([a-z0-9|]+)", told).group(1).split("|")
    assert sorted([*names, "make"]) == g6gpu.models.__all__


def test_a_seed_gives_the_bodies_of_g6run():
    one, same, other = (g6gpu.models.galaxy(300, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.x, same.x)
    assert (one.x != other.x).any()
    made = g6gpu.run(model="galaxy", bodies=300, t_end=0)
    assert made.table == {}
    np.testing.assert_array_equal(made.snapshots[0].x, one.x)


def test_parameters_go_to_the_model():
    """Lengths go with the scale, velocities with the root of mass over scale, for the same random numbers."""
    one, other = g6gpu.models.king(500, W0=7), g6gpu.models.king(500, W0=7, scale=4, mass=9)
    np.testing.assert_allclose(other.x, 4 * one.x, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(other.v, 1.5 * one.v, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(other.mass, 9 * one.mass, rtol=1e-12)
    assert len(g6gpu.models.two(300, d=5).mass) == 300


def test_an_unknown_model_is_refused():
    refused(g6gpu.RunError, "--model", g6gpu.models.make, "kng", 100)
