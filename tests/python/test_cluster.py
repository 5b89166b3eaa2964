# SPDX-License-Identifier: MIT
"""The object's life, its refusals, settings, log and threads."""
import contextlib
import gc
import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from refusals import refused
from sums import cluster_of_stars

import g6gpu

NAN = float("nan")


def test_a_closed_cluster_raises_at_every_call():
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(1.0, [[0, 0, 0]])
        assert len(cluster) == 1 and "1 particles" in repr(cluster)
    cluster.close()
    assert "closed" in repr(cluster)
    calls = [cluster.acceleration, cluster.neighbours, cluster.predict, cluster.settings, cluster.stats, lambda: cluster.backend,
             lambda: cluster.id, lambda: cluster.set(mode="auto"), lambda: cluster.set_particles(1.0, [[0, 0, 0]]),
             lambda: cluster.update([0], 1.0, [[0, 0, 0]])]  # fmt: skip
    for call in calls:
        assert refused(g6gpu.Error, "closed", call).status == g6gpu.G6_ERR_STATE


def test_ids_are_free_again():
    with g6gpu.Cluster() as first, g6gpu.Cluster() as second:
        assert (first.id, second.id) == (0, 1)
        refused(ValueError, "open already", g6gpu.Cluster, id=1)
        assert g6gpu.Cluster(id=-7).id == -7  # collected at once
    gc.collect()
    with g6gpu.Cluster(id=-7) as again:
        assert again.id == -7
    refused(g6gpu.Error, "", g6gpu.Cluster, mode="nonsense")
    with g6gpu.Cluster() as first:
        assert first.id == 0
    refused(ValueError, "32 bits", g6gpu.Cluster, id=2**31)


def test_settings_reach_the_library():
    with g6gpu.Cluster(mode="treewalk", theta=0.25, nn_none=False, precision="double", threads=2) as cluster:
        values = cluster.settings()
        assert values["mode"] == "treewalk" and float(values["theta"]) == 0.25
        assert values["nn_none"] == "0" and values["threads"] == "2"
        assert set(values) == set(g6gpu.settings())
        assert refused(g6gpu.Error, "allowed: auto, hermite", cluster.set, mode="direct").status == g6gpu.G6_ERR_OPTION
        refused(g6gpu.Error, "no_such_key", cluster.set, no_such_key=1)
        refused(g6gpu.Error, "G6_NPIPES", cluster.set, npipes=64)
        refused(g6gpu.Error, "no_such_backend", cluster.set, theta=0.5, devices=[9], backend="no_such_backend")
        assert cluster.settings() == values, "of several settings none is changed where one is refused"
        assert cluster.backend == "cpu"
        cluster.set_particles(1.0, [[0, 0, 0], [1, 0, 0]])
        blocks = cluster.stats()["blocks"]
        cluster.acceleration()
        assert cluster.stats()["blocks"] == blocks + 1
    assert "Barnes-Hut" in g6gpu.settings()["mode"].meaning
    assert g6gpu.settings()["precision"].values == "mixed, double, single"


@pytest.mark.parametrize("key", ["backend", "G6_BACKEND"])
def test_a_backend_that_is_asked_for_by_name_computes_or_is_an_error(key, caplog, monkeypatch):
    monkeypatch.setenv("G6_BACKEND_DIR", "/nonexistent")
    with caplog.at_level(logging.ERROR, "g6gpu"):
        text = "^backend cuda refused: no file g6_cuda.so in /nonexistent [^;]*; there are: auto, cpu$"
        assert refused(g6gpu.Error, text, g6gpu.Cluster, **{key: "cuda"}).status == g6gpu.G6_ERR_DEVICE
        with g6gpu.Cluster(precision="double") as cluster:
            assert cluster.id == 0, "the id of the refused cluster is free"
            cluster.set_particles(1.0, np.eye(3))
            force = cluster.acceleration(h2=4.0)
            refused(g6gpu.Error, "backend cuda refused", cluster.set, **{key: "cuda"})
            # The cluster is as it was, but the lists of its last block are gone.
            assert (cluster.backend, cluster.settings()["backend"], len(cluster)) == ("cpu", "cpu", 3)
            assert all((a == b).all() for a, b in zip(cluster.acceleration(), force))
            cluster.set(backend="auto")
            assert cluster.backend == "cpu", "auto takes what there is"
    assert caplog.text == "", "what is raised is not logged"


def test_devices_that_are_asked_for_compute_or_are_an_error():
    assert refused(g6gpu.Error, "there are: 0", g6gpu.Cluster, backend="cpu", devices="no such model").status == g6gpu.G6_ERR_DEVICE
    with g6gpu.Cluster(backend="cpu", devices=[0]) as cluster:
        refused(g6gpu.Error, "9", cluster.set, devices=[9])
        assert cluster.settings()["devices"] == "0"


def test_refused_particles_leave_no_wrong_force():
    mass, x, v = cluster_of_stars(10)
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(mass, x, v)
        x[4, 1] = NAN
        assert refused(g6gpu.Error, "j-particle", cluster.set_particles, mass, x, v).status == g6gpu.G6_ERR_ARGUMENT
        assert len(cluster) == 0
        for call in (cluster.acceleration, cluster.predict, lambda: cluster.update([4], 1.0, [[0, 0, 0]])):
            refused(g6gpu.Error, "call set_particles", call)
        cluster.set_particles(mass, 0 * v + np.arange(10)[:, None], v)
        before = cluster.acceleration()
        for wrong in (x, [[np.inf, 0, 0]]):
            refused(g6gpu.Error, "NaN or infinite", cluster.acceleration, wrong)
        refused(g6gpu.Error, "eps2", cluster.acceleration, eps2=NAN)
        for n in (1, 300):
            for h2 in (NAN, [0.1] * (n - 1) + [NAN]):
                refused(ValueError, "h2 has a NaN", cluster.acceleration, np.zeros((n, 3)), h2=h2)
        after = cluster.acceleration(h2=1.0)
        assert all((a == b).all() for a, b in zip(before, after))
        cluster.neighbours()
        refused(g6gpu.Error, "NaN or infinite", cluster.acceleration, [[np.inf, 0, 0]], h2=1.0)
        refused(g6gpu.Error, "no neighbour lists", cluster.neighbours)
        refused(g6gpu.Error, "j-particle", cluster.update, [1, 2], 1.0, [[5, 0, 0], [NAN, 0, 0]])
        refused(g6gpu.Error, "call set_particles", cluster.acceleration)


@pytest.mark.parametrize("arguments, error, text", [
    (dict(x=[1.0, 2.0, 3.0]), ValueError, r"x has shape \(3,\), not \(n, 3\)"),
    (dict(x=5.0), ValueError, r"x has shape \(\), not \(n, 3\)"),
    (dict(x=np.zeros((2, 4))), ValueError, r"x has shape \(2, 4\)"),
    (dict(x=np.zeros((2, 3)), v=np.zeros((3, 3))), ValueError, r"v has shape \(3, 3\), not \(2, 3\)"),
    (dict(x=np.zeros((2, 3)), index=[1]), ValueError, r"index has shape \(1,\)"),
    (dict(x=np.zeros((2, 3)), index=[0.5, 1]), TypeError, "index has type float64"),
    (dict(x=np.zeros((2, 3)), index=[2**31, 1]), ValueError, "fit 32 bits"),
    (dict(x=np.zeros((2, 3)), h2=[1, 2, 3]), ValueError, "h2 has shape"),
    (dict(x=np.zeros((2, 3)), aold=np.zeros((2, 2))), ValueError, "aold has shape"),
    (dict(x=np.zeros((2, 3), complex)), TypeError, "complex"),
    (dict(x=np.zeros((300, 3), complex)), TypeError, "complex"),
    (dict(v=np.zeros((2, 3))), ValueError, "go with x"),
    (dict(index=[0, 1]), ValueError, "go with x"),
    (dict(x=[["a", "b", "c"]]), TypeError, "x has type <U1"),
    (dict(eps2=np.ones(2)), TypeError, "eps2 must be one number"),
    (dict(eps2="1/64"), TypeError, "eps2 must be one number"),
    (dict(h2="a"), TypeError, "h2 must be one number"),
    (dict(h2=[1, 2, 3]), ValueError, "h2 has shape"),
    (dict(aold=np.zeros((3, 3))), ValueError, "aold has shape"),
    (dict(out=5), TypeError, "out must be a Force"),
    (dict(out=(1, 2)), TypeError, "out must be a Force"),
    (dict(out=(np.zeros((3, 3)),) * 4), ValueError, "out: acc"),
])  # fmt: skip
def test_refused_i_particles(arguments, error, text):
    """The time stays, too: the particles move by 2 in a unit of time."""
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(1.0, np.eye(3)[:2], np.full((2, 3), 2.0))
        refused(error, text, cluster.acceleration, **{"t": 1.0, **arguments})
        assert np.array_equal(cluster.predict()[0], np.eye(3)[:2])


def test_a_wrong_time_or_id_is_named():
    refused(TypeError, "the id must be an integer, not 'double'; settings need their names", g6gpu.Cluster, "double")
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(1.0, np.eye(3))
        for call in (cluster.acceleration, cluster.predict):
            refused(TypeError, "t must be one number", call, t="now")
        refused(TypeError, "mass must be one number", cluster.set_particles, "a", np.eye(3))


def test_refused_j_particles():
    with g6gpu.Cluster() as cluster:
        for arguments in ((1.0, [0, 0, 0]), ([1.0], np.zeros((2, 3))), (1.0, np.zeros((2, 3)), np.zeros((1, 3)))):
            refused(ValueError, "shape", cluster.set_particles, *arguments)
        for n in (2**31, 2**32 + 5):  # numbers that an int of C would cut
            many = np.broadcast_to(np.zeros(3), (n, 3))
            set_particles, update = (lambda x: cluster.set_particles(1.0, x)), (lambda x: cluster.update([], 1.0, x))
            for call in (set_particles, update, cluster.acceleration):
                refused(ValueError, f"x has {n} rows, but the library counts up to 2147483647", call, many)
        refused(ValueError, "no particle", cluster.set_particles, 1.0, np.zeros((2, 3)), index=[0, -(2**31)])


def lines_of(program, **environment):
    """What a program writes on stderr, which must be all that it writes."""
    ran = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    assert ran.stdout == ""
    return ran.stderr.splitlines()


def test_the_source_of_the_package_says_what_it_is():
    source = Path(__file__).resolve().parents[2] / "python"
    ran = subprocess.run([sys.executable, "-c", "import g6gpu"], env={**os.environ, "PYTHONPATH": str(source)},
                         capture_output=True, text=True)  # fmt: skip
    assert ran.returncode == 1
    assert "ImportError" in ran.stderr and "is the source of g6gpu: use the package of `make python`" in ran.stderr


def test_messages_go_to_logging():
    program = """
import logging, g6gpu
logging.basicConfig(level=logging.DEBUG, format="%(name)s %(levelname)s %(message)s")
with g6gpu.Cluster() as cluster:
    cluster.set_particles(1.0, [[0, 0, 0]])
    cluster.acceleration([[1.0, 0, 0]])
    try:
        cluster.acceleration([[float("nan"), 0, 0]])
    except g6gpu.Error:
        pass
"""
    lines = lines_of(program)
    assert any(line.startswith("g6gpu INFO computing on cpu") for line in lines)
    assert all(line.startswith("g6gpu ") for line in lines), "no line goes past logging"
    assert not any("NaN" in line for line in lines), "the exception has this message"
    for level in ("error", "ERROR", "none"):
        assert lines_of(program, G6_LOG=level) == []


def test_errors_that_raise_nothing_are_logged():
    """Calls without a status, and a backend of the environment that is not there.  Python shows them on stderr."""
    program = """
import g6gpu
g6gpu.g6_set_nip(0, -1)
g6gpu.Cluster()
"""
    lines = lines_of(program, G6_BACKEND="opencl", G6_BACKEND_DIR="/nonexistent")
    assert [line.split(":")[0] for line in lines] == ["backend opencl refused", "g6_set_nip"]
    assert "going on with the cpu" in lines[0]


@contextlib.contextmanager
def lines_to(function):
    """Each line of the log at level info and above goes to the function."""

    class Handler(logging.Handler):
        def emit(self, record):
            function(record.getMessage())

    handler, log = Handler(), logging.getLogger("g6gpu")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def test_a_handler_may_call_the_library():
    seen = []
    with lines_to(lambda line: seen.append(g6gpu.g6_npipes())), g6gpu.Cluster(threads=2) as cluster:
        g6gpu.g6_set_nip(cluster.id, -1)
    assert seen and set(seen) == {48}


def test_a_handler_may_use_the_object_whose_call_logs():
    """The devices are opened by the block after set(threads=), which logs a line; the block of the handler differs."""
    n = 16
    mass, x, v = cluster_of_stars(n)
    index = np.arange(n)
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(mass, x, v)
        plain = cluster.acceleration(x, v, index=index, eps2=0.5)
        shifted = cluster.acceleration(x + 1, v, eps2=0.5)
        inner = []
        with lines_to(lambda line: inner.append(cluster.acceleration(x + 1, v, eps2=0.5))):
            cluster.set(threads=3)
            found = cluster.acceleration(x, v, index=index, eps2=0.5)
        assert inner
        for one, expected in [(found, plain), *((force, shifted) for force in inner)]:
            assert all((a == b).all() for a, b in zip(one, expected))


def test_a_block_that_was_interrupted_is_nobody_s_result(monkeypatch):
    """Ctrl-C between the two halves of a block; the next block has as many i-particles, at other places."""
    x = np.array([[1.0, 0, 0], [2.0, 0, 0]])
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(1.0, np.zeros((1, 3)))
        assert cluster.acceleration(x).pot.tolist() == [-1, -0.5]

        def interrupted(*_):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("g6gpu._cluster._lasthalf2", interrupted)
            refused(KeyboardInterrupt, "", cluster.acceleration, 2 * x, aold=np.zeros((2, 3)))
        assert cluster.acceleration(4 * x).pot.tolist() == [-0.25, -0.125]


def test_other_threads_run_while_the_library_computes():
    """The GIL is free: a thread counts on during one long call."""
    mass, x, v = cluster_of_stars(8000)
    with g6gpu.Cluster(precision="double", threads=1) as cluster:
        cluster.set_particles(mass, x, v)
        worker = threading.Thread(target=cluster.acceleration)
        switches = 0
        worker.start()
        while worker.is_alive():
            switches += 1
            time.sleep(0.001)
        worker.join()
    assert switches > 3


def test_threads_share_one_object_and_have_their_own():
    mass, x, v = cluster_of_stars(100)
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(mass, x, v)
        expected = cluster.acceleration(eps2=0.1)
        wrong = []

        def use(number):
            own = g6gpu.Cluster()
            own.set_particles(mass, x, v)
            for k in range(20):
                for used in (cluster, own):
                    eps2 = 0.1 if (k + number) % 2 else 0.2
                    found = used.acceleration(eps2=eps2)
                    if eps2 == 0.1 and not all((a == b).all() for a, b in zip(found, expected)):
                        wrong.append((number, k))
            own.close()

        threads = [threading.Thread(target=use, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
