# SPDX-License-Identifier: MIT
"""Clusters in a process that ends while a thread computes, that forks, or that copies and pickles objects."""
import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from refusals import refused

import g6gpu

# A thread computes without end on `cluster`, from the event `started` on.
COMPUTING = """
import os, signal, sys, threading, time
import numpy as np
import g6gpu

x = np.random.default_rng(1).normal(size=(3000, 3))
cluster = g6gpu.Cluster(threads=1)
cluster.set_particles(1.0, x)
started, stopping = threading.Event(), threading.Event()

def compute(used):
    k = 0
    while not stopping.is_set():
        k += 1
        used.acceleration(eps2=1e-4 * k)
        started.set()

def start():
    started.clear()
    threading.Thread(target=compute, args=(cluster,), daemon=True).start()
    started.wait()
"""


def run(program, *arguments):
    return subprocess.run([sys.executable, "-c", COMPUTING + program, *arguments], capture_output=True, text=True,
                          timeout=60)  # fmt: skip


@pytest.mark.parametrize("wait", ["0", "0.01", "0.05"])
def test_python_ends_while_a_daemon_thread_computes(wait):
    """The cluster lives in the frame of the thread, or as a global of the program."""
    program = """
start()
other = g6gpu.Cluster()
def mine():
    own = g6gpu.Cluster()
    own.set_particles(1.0, x)
    compute(own)
threading.Thread(target=mine, daemon=True).start()
time.sleep(float(sys.argv[1]))
"""
    ran = run(program, wait)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


FORK = """
def child(part):
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        try:
            part()
            os._exit(0)
        except BaseException as problem:
            print(type(problem).__name__, problem, flush=True)
            os._exit(1)
    return os.waitpid(pid, 0)[1]

def whole(used):
    used.set_particles(1.0, [[2.0, 0, 0]])
    assert used.acceleration([[0.0, 0, 0]]).pot[0] == -0.5
"""


def test_a_child_of_fork_refuses_the_cluster_on_which_a_thread_of_the_parent_computed():
    program = FORK + """
idle = g6gpu.Cluster()
start()
time.sleep(0.02)
status = child(lambda: cluster.acceleration(x[:3]))
assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 1, status
assert child(lambda: [whole(idle), whole(g6gpu.Cluster()), cluster.close()]) == 0
stopping.set()
"""
    ran = run(program)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Error another thread computed on the cluster when fork() made this process")
    assert "make another g6gpu.Cluster() here" in ran.stdout


def test_a_child_of_fork_computes_on_the_clusters_of_its_parent():
    program = FORK + """
before = cluster.acceleration(eps2=0.5).acc
def same():
    assert np.allclose(cluster.acceleration(eps2=0.5).acc, before, rtol=1e-6, atol=0)
    whole(cluster)
assert child(same) == 0 and child(same) == 0
"""
    ran = run(program)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr


def test_a_cluster_is_neither_copied_nor_pickled():
    with g6gpu.Cluster() as cluster:
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            refused(TypeError, "Cluster cannot be copied or pickled; make another", way, cluster)


def test_errors_and_results_are_sent_to_other_processes():
    """A pool of processes pickles what a task returns or raises."""
    error = refused(g6gpu.Error, "", g6gpu.Cluster, mode="nonsense")
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is g6gpu.Error
        assert (str(other), other.status) == (str(error), g6gpu.G6_ERR_OPTION)
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(1.0, np.eye(3))
        force = cluster.acceleration()
        assert all((a == b).all() for a, b in zip(pickle.loads(pickle.dumps(force)), force))


def test_lines_of_a_child_that_ends_by_exit_come_once():
    """The log's function is removed at the end of Python in a child, too."""
    program = FORK + """
import logging
logging.basicConfig(stream=sys.stdout, format="%(message)s")
pid = os.fork()
if pid == 0:
    g6gpu.g6_set_nip(0, -1)
    sys.exit(3)
assert os.WEXITSTATUS(os.waitpid(pid, 0)[1]) == 3
"""
    ran = run(program)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    assert ran.stdout.count("g6_set_nip") == 1
