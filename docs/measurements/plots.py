# SPDX-License-Identifier: MIT
"""The plots of the pages in this folder; figures.py draws them.

A plot of lines has "lines": each with a file, the column of x, the column or sum of columns of y ("a + b"),
a label, and "where", which chooses rows.  "colour" and "style" are given where lines belong in pairs.
"each" names a column, of which each value has a line and a colour.  A plot of bars has "csv", the columns
that name a row, and the columns that become bars.  "left" is where an axis of logarithms begins, "height" in inches.
"""


def lines(csv, x, named, **rest):
    """Lines of one file, {label: column of y}."""
    return [dict(csv=csv, x=x, y=y, label=label, **rest) for label, y in named.items()]


def pair(csv, x, column, key, values, names, colour, style="o-", **where):
    """Lines of one file and one column, a line for each value of the column key."""
    return [
        dict(csv=csv, x=x, y=column, label=name, colour=c, style=style, where={key: value, **where})
        for value, name, c in zip(values, names, colour)
    ]


STEP = "time of a block step [us]"
N = "bodies N"
BLOCK = "i-particles of a block, n"

PLOTS = [
    dict(
        file="steps.svg",
        title="One step of all N bodies: direct sums and tree",
        xlabel=N,
        ylabel="time of a step [ms]",
        lines=[
            dict(csv="tree-size-cpu.csv", x="N", y="direct sum [s]", scale=1e3, label="direct sum, one core", colour=1, style="o--"),
            dict(csv="tree-size-cpu.csv", x="N", y="refresh [s] + walk [s]", scale=1e3, label="tree, one core", colour=1),
            dict(csv="tree-shared-steps.csv", x="N", y="CUDA, direct [ms]", label="direct sum, H200", colour=0, style="o--"),
            dict(csv="tree-shared-steps.csv", x="N", y="CUDA, tree [ms]", label="tree, H200", colour=0),
        ],
    ),
    dict(
        file="direct-cuda.svg",
        title="Direct sums on one NVIDIA H200, end to end",
        xlabel=BLOCK,
        ylabel=STEP,
        lines=[
            dict(csv="direct-cuda.csv", x="n", y="median [us]", each="N", where={"precision": p}, label=p, style=style)
            for p, style in [("mixed", "o-"), ("double", "s--")]
        ],
    ),
    dict(
        file="small-blocks.svg",
        title="Blocks of few particles on one NVIDIA H200",
        xlabel=BLOCK,
        ylabel=STEP,
        lines=[
            dict(csv="small-blocks.csv", x="n", y=f"{name} [us]", where={"N": n}, colour=c, style=style, label=f"{name}, N = {n}")
            for c, n in enumerate(["1024", "16384", "131072"])
            for name, style in [("launches", "s--"), ("kernel that stays", "o-")]
        ],
    ),
    dict(
        file="direct-tensor.svg",
        title="Direct sums in mixed on one NVIDIA H200: times as fast with tensor cores",
        xlabel="time without over time with tensor cores",
        csv="direct-tensor.csv",
        names=["what", "N", "n"],
        columns=["times as fast"],
    ),
    dict(
        file="direct-lists.svg",
        title="Neighbour lists on one NVIDIA H200",
        xlabel=BLOCK,
        ylabel=STEP,
        lines=[
            dict(csv="direct-lists.csv", x="n", y=f"{name} [us]", where={"N": n}, colour=c, style=style, label=f"{name}, N = {n}")
            for c, n in enumerate(["16384", "131072", "1048576"])
            for name, style in [("without", "s--"), ("with lists", "o-")]
        ],
    ),
    dict(
        file="direct-sapporo.svg",
        title="libg6gpu and sapporo 2 on one NVIDIA H200",
        xlabel=BLOCK,
        ylabel=STEP,
        lines=[
            dict(csv="direct-sapporo.csv", x="n", y=f"{name} [us]", where={"N": n}, colour=c, style=style, label=f"{name}, N = {n}")
            for c, n in enumerate(["16384", "131072", "1048576"])
            for name, style in [("sapporo 2", "s--"), ("libg6gpu", "o-")]
        ],
    ),
    dict(
        file="direct-cpu.svg",
        title="Direct sums on one core (Zen 5), blocks of 1024 of 16384",
        xlabel="1e9 interactions a second",
        csv="direct-cpu.csv",
        names=["library or precision", "instructions"],
        columns=["Ginter/s"],
    ),
    dict(
        file="direct-opencl.svg",
        title="OpenCL beside CUDA on one NVIDIA H100 or H200, N = n = 262144",
        xlabel="1e9 interactions a second",
        csv="direct-opencl.csv",
        names=["force"],
        columns=["CUDA [Ginter/s]", "OpenCL [Ginter/s]"],
    ),
    dict(
        file="host-path.svg",
        title="Parts of a step on one NVIDIA H200",
        xlabel="time [us]",
        csv="host-path.csv",
        names=["N", "n", "j-particles sent"],
        columns=["set_j [us]", "firsthalf [us]", "lasthalf [us]"],
        xscale="log",
    ),
    dict(
        file="pipes.svg",
        title="A step through 48, 2048 or 16384 pipes, H200, N = 16384",
        xlabel=BLOCK,
        ylabel=STEP,
        lines=lines("pipes.csv", "n", {"48 pipes": "48 pipes [us]", "2048 pipes": "2048 pipes [us]", "16384 pipes": "16384 pipes [us]", "sapporo 2": "sapporo 2 [us]"}, where={"N": "16384"}),
    ),
    dict(
        file="devices.svg",
        title="Four NVIDIA H200 over one, direct sums",
        xlabel=BLOCK,
        ylabel="speed-up",
        yscale="linear",
        lines=[
            dict(csv="devices.csv", x="n", y="speed-up of 4", where={"N": n}, label=f"N = {n}", colour=c)
            for c, n in enumerate(["16384", "131072", "1048576"])
        ],
    ),
    dict(
        file="workers.svg",
        title="Two NVIDIA H200 over one, direct sums, N = 1048576",
        xlabel=BLOCK,
        ylabel="speed-up",
        yscale="linear",
        lines=[
            dict(csv="workers.csv", x="n", y=f"speed-up {y}", where={"N": "1048576"}, label=label, colour=c)
            for c, (y, label) in enumerate([("in the process", "both GPUs in the client"), ("with the worker", "one of them a worker's")])
        ],
    ),
    dict(
        file="grape5.svg",
        title="GRAPE-5 calls on one core, lists around the origin",
        xlabel="i-particles times j-particles of a call",
        ylabel="1e9 interactions a second",
        yscale="linear",
        lines=[
            dict(csv="grape5.csv", x="pairs", y=f"{name}, {isa}", where={"origin": "0"}, label=f"{name}, {isa}", colour=c, style=style)
            for c, isa in enumerate(["AVX-512", "AVX2"])
            for name, style in [("Phantom-GRAPE", "s--"), ("libg6gpu", "o-")]
        ],
    ),
    dict(
        file="kira-gpu.svg",
        title="kira to t = 1/4 on one NVIDIA H200, without softening",
        xlabel="stars N",
        ylabel="time of the run [s]",
        lines=[dict(csv="kira-gpu.csv", x="N", y="time [s]", each="a", where={"eps": "0"}, label="kira")],
    ),
    dict(
        file="kira.svg",
        title="kira's energy error to t = 0.25, no softening",
        xlabel=N,
        ylabel="|dE/E|",
        lines=[
            dict(csv="kira.csv", x="N", y=y, where={"eps": "0", "a": a}, label=f"{y}, a = {a}", colour=c, style=style)
            for c, a in enumerate(["0.3", "0.2", "0.1"])
            for y, style in [("kira's own force", "s--"), ("mixed, cpu", "o-")]
        ],
    ),
    dict(
        file="client-runs.svg",
        title="Runs of real codes: before, and with the library and no setting",
        xlabel="time of the run [s]",
        csv="client-runs.csv",
        names=["code", "run"],
        columns=["time before [s]", "time, cpu [s]", "time, H200 [s]"],
        xscale="log",
        left=0.005,
        height=6,
    ),
    dict(
        file="energy.svg",
        title="Energy error of 1024 bodies to t = 0.25, mean over five spheres",
        xlabel="accuracy parameter eta",
        ylabel="largest |dE/E|",
        lines=[
            dict(csv="energy.csv", x="eta", y=f"{p}, mean of 5", where={"eps": eps}, label=f"{p}, eps = {eps}", colour=c, style=style)
            for c, p in enumerate(["mixed", "double"])
            for eps, style in [("0", "o-"), ("1/256", "s--")]
        ],
    ),
    dict(
        file="tree-kernels.svg",
        title="Tree on one NVIDIA H200: walk and build, theta 0.6, quadrupole",
        xlabel=N,
        ylabel="time [ms]",
        lines=pair("tree-kernels.csv", "N", "walk [ms]", "model", ["plummer", "cube"], ["walk, Plummer sphere", "walk, cube"], [0, 1])
        + [dict(csv="tree-kernels.csv", x="N", y="Ryoanji's walk [ms]", label="walk, cube, Ryoanji", colour=1, style="s--")]
        + pair("tree-kernels.csv", "N", "build [ms]", "model", ["cube"], ["build, cube"], [2])
        + pair("tree-kernels.csv", "N", "refresh [ms]", "model", ["cube"], ["refresh, cube"], [3]),
    ),
    dict(
        file="tree-calls.svg",
        title="Tree through the g6 calls, uniform cube, theta 0.6, quadrupole, H200",
        xlabel=N,
        ylabel="time [ms]",
        lines=[
            dict(csv="tree-calls.csv", x="N", y=f"{what} [ms]", where={"backend": b}, label=f"{what}, {b}", colour=c, style=style)
            for c, what in enumerate(["build", "refresh"])
            for b, style in [("CUDA", "o-"), ("OpenCL", "s--")]
        ],
    ),
    dict(
        file="tree-accuracy-gpu.svg",
        title="What accuracy costs: Plummer sphere of 1048576, H200",
        xlabel="median error of the acceleration",
        ylabel="walk [ms]",
        lines=[
            dict(csv="tree-accuracy-gpu.csv", x="median error", y=f"{b}, N = 1048576 [ms]", where={"cells act by": m}, label=f"{b}, {m}", colour=c, style=style)
            for c, m in enumerate(["monopole", "quadrupole"])
            for b, style in [("CUDA", "o-"), ("OpenCL", "s--")]
        ],
    ),
    dict(
        file="tree-accuracy-cpu.svg",
        title="What accuracy costs: Plummer sphere of 100000, two cores",
        xlabel="median error of the acceleration",
        ylabel="walk [ms]",
        lines=[
            dict(csv="tree-accuracy-cpu.csv", x="cpu: median error", y="cpu [ms]", where={"cells act by": m}, label=m, colour=c)
            for c, m in enumerate(["monopole", "quadrupole"])
        ],
    ),
    dict(
        file="tree-errors-cpu.svg",
        title="Mean error of the acceleration in a galaxy model, criterion bh",
        xlabel="opening angle theta",
        ylabel="mean |da| / |a|",
        xscale="linear",
        lines=lines(
            "tree-errors-cpu.csv",
            "theta",
            {
                "Nakasato (2011), 100K": "acc: Nakasato, 100K",
                "monopole, 500K": "acc: 500K",
                "monopole, 100K": "acc: 100K",
                "monopole, 10K": "acc: 10K",
                "quadrupole, 100K": "acc: 100K, quadrupole",
            },
        ),
    ),
    dict(
        file="tree-errors-coarse.svg",
        title="Coarse walks: error against interactions, M31 model of 131072",
        xlabel="interactions a body",
        ylabel="median error of the acceleration",
        lines=[
            dict(csv="tree-errors-coarse.csv", x=f"{mac}: interactions a body", y=f"{mac}: median error", label=mac, colour=c)
            for c, mac in enumerate(["acceleration", "multipole", "bh", "bmax"])
        ],
    ),
    dict(
        file="tree-gothic.svg",
        title="A walk of all 1048576 bodies, one NVIDIA H200",
        xlabel="mean error of the acceleration",
        ylabel="firsthalf and lasthalf [ms]",
        lines=[
            dict(csv="tree-gothic.csv", x="mean error", y="walk [ms]", where={"model": m, "criterion": mac}, label=f"{m}, {mac}", colour=c, style=style)
            for m, style in [("m31", "o-"), ("nfw", "s--")]
            for c, mac in enumerate(["acceleration", "multipole", "bh"])
        ],
    ),
    dict(
        file="tree-gothic-steps.svg",
        title="Block steps of 8388608 bodies of M31, one NVIDIA H200",
        xlabel="time t of the run",
        ylabel="time of a step [ms], bodies [100 000]",
        xscale="linear",
        lines=[
            dict(csv="tree-gothic-steps.csv", x="t", y="step [ms]", label="step [ms]"),
            dict(csv="tree-gothic-steps.csv", x="t", y="bodies", scale=1e-5, label="bodies [100 000]", style="s--"),
        ],
    ),
    dict(
        file="treecode.svg",
        title="A step of g6run's treecode, one NVIDIA H200",
        xlabel="bodies of a group",
        ylabel="time of a step [ms]",
        lines=lines("treecode.csv", "bodies of a group", {"262144 bodies": "262144: a step [ms]", "1048576 bodies": "1048576: a step [ms]"}),
    ),
    dict(
        file="tree-criteria.svg",
        title="Opening criteria: time against error, Plummer sphere of 100000, one core",
        xlabel="99 % error of the acceleration",
        ylabel="walk [s]",
        lines=[
            dict(csv="tree-criteria.csv", x="99 % error", y="walk [s]", where={"G6_MAC": mac, "cells act by": m}, label=f"{mac}, {m}", colour=c, style=style)
            for c, mac in enumerate(["bh", "bmax", "multipole", "acceleration", "combined"])
            for m, style in [("monopole", "o-"), ("quadrupole", "s--")]
        ],
    ),
    dict(
        file="tree-size-cpu.svg",
        title="Time against the number of bodies, Plummer sphere, one core",
        xlabel=N,
        ylabel="time [s]",
        lines=lines("tree-size-cpu.csv", "N", {"direct sum": "direct sum [s]", "walk": "walk [s]", "build": "build [s]", "refresh": "refresh [s]"}),
    ),
    dict(
        file="tree-shared-steps.svg",
        title="One step of all N bodies on one NVIDIA H200, with jerk and nearest neighbour",
        xlabel=N,
        ylabel="time of a step [ms]",
        lines=[
            dict(csv="tree-shared-steps.csv", x="N", y=f"{b}, {m} [ms]", label=f"{m}, {b}", colour=c, style=style)
            for c, m in enumerate(["direct", "tree"])
            for b, style in [("CUDA", "o-"), ("OpenCL", "s--")]
        ],
    ),
    dict(
        file="tree-block-steps-gpu.svg",
        title="Block steps in mode treewalk on one NVIDIA H200",
        xlabel=BLOCK,
        ylabel="time of a block step [ms]",
        lines=[
            dict(csv="tree-block-steps-gpu.csv", x="n", y=y, where={"N": n}, label=f"{label}, N = {n}", colour=c, style=style)
            for c, n in enumerate(["131072", "1048576", "8388608"])
            for y, label, style in [("library's choice [ms]", "choice", "o-"), ("every block a walk [ms]", "walks", "s--")]
        ],
    ),
    dict(
        file="tree-block-steps-cpu.svg",
        title="Block steps of a Plummer sphere of 1048576 on one core",
        xlabel=BLOCK,
        ylabel="time of a block step [ms]",
        lines=lines("tree-block-steps-cpu.csv", "n", {"direct sums": "direct sums [ms]", "mode treewalk": "mode treewalk [ms]"}),
    ),
    dict(
        file="tree-runs.svg",
        title="A unit of time of the M31 model: block steps and shared steps",
        xlabel="seconds a unit of time",
        csv="tree-runs.csv",
        names=["machine", "N", "steps"],
        columns=["seconds a unit of time"],
        xscale="log",
    ),
    dict(
        file="cosmology.svg",
        title="A sphere of the universe with 2874752 particles, quadrupoles, H200",
        xlabel="step, from redshift 49 (0) to today (3584)",
        ylabel="1e9 interactions of a step",
        xscale="linear",
        yscale="linear",
        lines=[
            dict(csv="cosmology-steps.csv", x="step", y="interactions [1e9]", label="bh, theta 0.6"),
            dict(
                csv="cosmology-steps.csv",
                x="step",
                y="acceleration: interactions [1e9]",
                label="acceleration, theta 1.0",
            ),
        ],
    ),
    dict(
        file="tree-methods.svg",
        title="One unit of time of a Plummer sphere, leapfrog of 64 steps, one core",
        xlabel=N,
        ylabel="time [s]",
        lines=lines("tree-methods.csv", "N", {"treewalk": "treewalk [s]", "treecode": "treecode [s]"}),
    ),
    dict(
        file="tree-memory.svg",
        title="Memory on the device in mode treewalk",
        xlabel="bytes a j-particle",
        csv="tree-memory.csv",
        names=["what"],
        columns=["at rest [bytes]", "moving [bytes]", "with a2by18 [bytes]"],
    ),
    dict(
        file="setup.svg",
        title="Set-up with two cores, of two machines",
        xlabel="seconds",
        csv="setup.csv",
        names=["two cores of", "system", "step"],
        columns=["wall [s]", "processor [s]"],
        xscale="log",
    ),
]
