#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation test: random small changes of the sources, each of which some test must notice.

All happens in copies of the source tree below build/mutants.  `tree` has the flags of a usual build,
so that ccache may have its objects, and stays as it is.  One mutant (mutate.py) after the other is
built in `work`, the suites run until one fails, crashes or hangs, and all files that differ from
`tree`, objects too, are put back.
"""

import argparse
import collections
import filecmp
import fnmatch
import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import mutate

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TREE, WORK = (os.path.join(TOP, "build/mutants", name) for name in ("tree", "work"))
# What is copied: all that make and the scripts read.
PARTS = ["Makefile", "config.mk", "backends", "docs", "examples", "fortran", "include", "libg6gpu",
         "packaging", "python", "tests", "tools"]
CHANGED = ("libg6gpu", "backends/cpu", "fortran", "tools/g6run")
# Sources that only measure or save time.
QUIET = {"backends/cpu/fetch.h", "libg6gpu/base/timer.h"}
GTEST = "build/bin/{} --gtest_fail_fast --gtest_brief=1"
# Suites in their order: for which sources, the programs that they start, the command.
SUITES = [("", ["g6test"], GTEST.format("g6test")),
          (("libg6gpu/", "backends/cpu/"), ["g6test-fake"], GTEST.format("g6test-fake")),
          (("libg6gpu/", "backends/cpu/"), ["g6check", "g6fuzz"], "sh tests/contract.sh"),
          ("libg6gpu/trace/", ["g6bench", "g6check", "g6fuzz", "g6info", "g6run"], "sh tests/tools/trace.sh"),
          *(("tools/g6run/", ["g6run"], f"sh tests/tools/g6run_{name}.sh")
            for name in ("cli", "ends", "scales", "times"))]
NOTICED, SURVIVED, REFUSED = "noticed", "survived", "not compiled"
GOAL = 95  # per cent


# Makes `to` what the file or folder `source` is; copy2 keeps the times of its files, copy does not.
def mirror(source, to, copy=shutil.copy2):
    if os.path.isdir(source) and not os.path.islink(source):
        os.makedirs(to, exist_ok=True)
        names = set(os.listdir(source)) - {"__pycache__"}
        for path in (os.path.join(to, name) for name in set(os.listdir(to)) - names):
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        for name in names:
            mirror(os.path.join(source, name), os.path.join(to, name), copy)
    elif os.path.lexists(source) and not (os.path.isfile(to) and filecmp.cmp(source, to)):
        if os.path.lexists(to):
            os.unlink(to)
        copy(source, to, follow_symlinks=False)


# A mutant may ask for memory, or write, without end.
def bound():
    for limit, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, 16 << 30),
                        (resource.RLIMIT_FSIZE, 4 << 30)):
        resource.setrlimit(limit, (most, most))


# Exit status, output, seconds; the status is None when it ran longer than `limit`.
def run(command, folder, limit):
    env = {k: v for k, v in os.environ.items() if not re.match("G6_|MAKE|MFLAGS", k)}
    env.update(B="build", FAIL_FAST="1", TMPDIR=os.path.join(folder, "tmp"),
               XDG_CACHE_HOME=os.path.join(folder, "build/cache"))
    os.makedirs(env["TMPDIR"], exist_ok=True)
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=env, text=True, errors="replace",
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=bound)
    try:
        out, status = process.communicate(timeout=limit)[0], process.returncode
    except subprocess.TimeoutExpired:
        out, status = "", None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return status, out, time.monotonic() - begin


def build(folder, jobs, programs):
    return run(["make", f"-j{jobs}", "B=build", f"CXX={os.environ.get('CXX', 'g++')}", "NVCC=",
                "OPENCL=", "MPI=", *(f"build/bin/{name}" for name in programs)], folder, 7200)


# Makes `tree` and `work`; returns the suites that the unchanged sources pass, with their seconds.
def prepare(jobs):
    os.makedirs(TREE, exist_ok=True)
    for part in PARTS:
        mirror(os.path.join(TOP, part), os.path.join(TREE, part), shutil.copy)
    print(f"builds {TREE}", flush=True)
    status, out, _ = build(TREE, jobs, {name for suite in SUITES for name in suite[1]})
    if status != 0:
        sys.exit(f"the unchanged tree does not build:\n{out[-4000:]}")
    mirror(TREE, WORK)
    passed = []
    for suite in SUITES:
        status, _, seconds = run(suite[2].split(), WORK, 1800)
        print(f"{suite[2]}  {seconds:.0f} s"
              + ("" if status == 0 else "  left out: it fails on the unchanged tree"), flush=True)
        if status == 0:
            passed.append((*suite, seconds))
    return passed


# The first mutants that are not too dear to build.
def choose(o, texts):
    users, mutants = collections.Counter(), []
    for file in glob.glob(os.path.join(TREE, "build/obj/**/*.d"), recursive=True):
        with open(file, encoding="utf-8") as f:
            rule = f.read().split("\n\n")[0]
        users.update({os.path.normpath(name) for name in re.findall(r"[^\s\\:]+\.h\b", rule)})
    for m in mutate.shuffled(texts, o.seed):
        place = f"{m.file}:{mutate.line_of(texts[m.file], m.start)}"
        if users[m.file] <= o.most_files and fnmatch.fnmatchcase(place, o.files):
            mutants.append(m)
        if len(mutants) == o.count:
            break
    return mutants


# Outcome, and what noticed it.
def try_mutant(mutant, text, suites, jobs):
    with open(os.path.join(WORK, mutant.file), "w", encoding="utf-8") as f:
        f.write(mutate.apply(text, mutant))
    for sources, programs, command, seconds in suites:
        if not mutant.file.startswith(sources):
            continue
        status, out, _ = build(WORK, jobs, programs)
        if status != 0:
            return REFUSED, (re.findall(r"error: .*", out) or [out[-200:]])[0]
        status, out, _ = run(command.split(), WORK, 20 + 10 * seconds)
        if status != 0:
            failed = re.search(r"\[  FAILED  \] ([^\s,]+)", out)
            return NOTICED, ("hangs" if status is None else failed[1] if failed else
                             f"signal {-status}" if status < 0 else command)
    return SURVIVED, ""


def report(results, texts):
    for outcome in (REFUSED, SURVIVED):
        for mutant, (got, detail) in results.items():
            if got == outcome:
                print(f"{outcome}: {mutate.diff(texts[mutant.file], mutant)}\n  {detail}".rstrip())
    counts = collections.Counter(outcome for outcome, _ in results.values())
    compiled = counts[NOTICED] + counts[SURVIVED]
    share = 100 * counts[NOTICED] / compiled if compiled else 0
    print(f"{len(results)} mutants: "
          + ", ".join(f"{counts[kind]} {kind}" for kind in (NOTICED, SURVIVED, REFUSED))
          + f".  {share:.1f} % of the compiled ones are noticed; {GOAL} % must be")
    return 0 if share >= GOAL else 1


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("-n", type=int, default=300, dest="count", help="mutants [300]")
    p.add_argument("--seed", type=int, default=1, help="another seed gives other mutants [1]")
    p.add_argument("--files", default="*", help="places, as 'libg6gpu/tree/*' or '*/keys.cpp:37'")
    p.add_argument("--most-files", type=int, default=12, help="leave out headers that more files "
                   "include, since each mutant compiles them all [12]")
    p.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs", help="jobs of make")
    p.add_argument("--list", action="store_true", help="print the mutants, run none")
    return p.parse_args()


def main():
    o, texts, results = options(), {}, {}
    for part in CHANGED:
        for path in sorted(glob.glob(os.path.join(TOP, part, "**/*"), recursive=True)):
            file = os.path.relpath(path, TOP)
            if file.endswith((".h", ".cpp")) and file not in QUIET:
                with open(path, encoding="utf-8") as f:
                    texts[file] = f.read()
    suites = [] if o.list else prepare(o.jobs)
    mutants, begin = choose(o, texts), time.monotonic()
    if o.list:
        print("\n".join(mutate.diff(texts[m.file], m) for m in mutants))
        return 0
    try:
        for m in mutants:
            mirror(TREE, WORK)
            results[m] = try_mutant(m, texts[m.file], suites, o.jobs)
            left = (time.monotonic() - begin) / len(results) * (len(mutants) - len(results)) / 60
            print(f"{len(results)} of {len(mutants)}, {left:.0f} min left  {m.file}:"
                  f"{mutate.line_of(texts[m.file], m.start)}  {' '.join(results[m])}", flush=True)
            if results[m][0] == SURVIVED:
                print(mutate.diff(texts[m.file], m), flush=True)
    except KeyboardInterrupt:  # the next start puts the copy back
        print("stopped", flush=True)
    return report(results, texts)


if __name__ == "__main__":
    for end in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(end, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
