#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation test: random small changes of the sources, each of which some test must notice.

All happens in copies of the source tree below build/mutants.  `covered` is built with gcc's
counters of coverage.  There each suite of g6test and g6test-fake and each script runs once;
coverage.json keeps which of them execute which line, and how long they take without counters,
until a source or a test changes.  `tree` has the flags of a usual build, so that ccache may have
its objects, and stays as it is.  Then comes one mutant (mutate.py) after the other: it is built in
`work`, the suites that execute its statement run until one fails, crashes or hangs, the fastest
first, and all files that differ from `tree`, objects too, are put back.
"""

import argparse
import collections
import filecmp
import fnmatch
import hashlib
import json
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
TREE, WORK, COVERED, KEPT = (os.path.join(TOP, "build/mutants", name)
                             for name in ("tree", "work", "covered", "coverage.json"))
# What is copied: all that make and the scripts read.
PARTS = ["Makefile", "config.mk", "backends", "docs", "examples", "fortran", "include", "libg6gpu",
         "packaging", "python", "tests", "tools"]
CHANGED = ("libg6gpu/", "backends/cpu/", "fortran/", "tools/g6run/")
# Sources that only measure or save time.
QUIET = {"backends/cpu/fetch.h", "libg6gpu/base/timer.h"}
PROGRAMS = ["g6test", "g6test-fake"]
# Scripts: for which sources, because the others have faster tests, and what they start.
SCRIPTS = {f"tests/tools/g6run_{name}.sh": ("tools/g6run/", ["g6run"])
           for name in ("cli", "ends", "scales", "times")}
SCRIPTS["tests/contract.sh"] = (("libg6gpu/", "backends/cpu/"), ["g6check", "g6fuzz"])
SCRIPTS["tests/tools/trace.sh"] = (
    "libg6gpu/trace/", ["g6bench", "g6check", "g6fuzz", "g6info", "g6run"])
# Sources whose processes end by _exit(), which writes no counters; `covered` has this text before
# them.
EXITS = ["tests/fuzz/process.cpp", "tools/g6check/runner.cpp"]
COUNTED_EXIT = """\
#include <unistd.h>
extern "C" void __gcov_dump();
#define _exit(status) (__gcov_dump(), _exit(status))
"""
NOTICED, SURVIVED, REFUSED, BARE = "noticed", "survived", "not compiled", "not covered"
GOAL = 95  # per cent
BATCH = 3  # seconds of suites that one process runs


# Makes `to` what the file or folder `source` is, with the times of its files.
def mirror(source, to):
    if os.path.isdir(source) and not os.path.islink(source):
        os.makedirs(to, exist_ok=True)
        names = set(os.listdir(source)) - {"__pycache__"}
        for path in (os.path.join(to, name) for name in set(os.listdir(to)) - names):
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        for name in names:
            mirror(os.path.join(source, name), os.path.join(to, name))
    elif os.path.lexists(source) and not (os.path.isfile(to) and filecmp.cmp(source, to)):
        if os.path.lexists(to):
            os.unlink(to)
        shutil.copy2(source, to, follow_symlinks=False)


def files_below(folder, *endings):
    return sorted(os.path.join(where, name) for where, _, names in os.walk(folder)
                  for name in names if name.endswith(endings))


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


def build(folder, jobs, programs, *flags):
    return run(["make", f"-j{jobs}", "B=build", f"CXX={os.environ.get('CXX', 'g++')}", "NVCC=",
                "OPENCL=", "MPI=", *flags, *(f"build/bin/{name}" for name in programs)], folder,
               7200)


def copy_sources(folder):
    os.makedirs(folder, exist_ok=True)
    for part in PARTS:
        mirror(os.path.join(TOP, part), os.path.join(folder, part))


def build_unchanged(folder, jobs, *flags):
    print(f"builds {folder}", flush=True)
    status, out, seconds = build(folder, jobs, [*PROGRAMS, *programs_of(SCRIPTS)], *flags)
    if status != 0:
        sys.exit(f"the unchanged tree does not build:\n{out[-4000:]}")
    print(f"built in {seconds:.0f} s", flush=True)


def programs_of(suites):
    return {program for suite in suites for program in
            (SCRIPTS[suite][1] if suite in SCRIPTS else [suite.split()[0]])}


# Runs a script, or suites of one program: ["tests/.../NAME.sh"] or ["PROGRAM SUITE", ...].
def run_suites(suites, limit, folder=WORK):
    if suites[0] in SCRIPTS:
        return run(["sh", suites[0]], folder, limit)
    program, pattern = suites[0].split()[0], ":".join(s.split()[1] + ".*" for s in suites)
    return run([f"build/bin/{program}", f"--gtest_filter={pattern}", "--gtest_fail_fast",
                "--gtest_brief=1"], folder, limit)


def digest():
    total = hashlib.sha256()
    for part in ("backends/cpu", "fortran", "include", "libg6gpu", "tests", "tools"):
        for file in files_below(os.path.join(TREE, part), ".h", ".cpp", ".sh", ".mk"):
            with open(file, "rb") as f:
                total.update(file.encode() + f.read())
    return total.hexdigest()


# Of each changed source the lines that have code, and whether each was executed.
def lines_of(files):
    command = ["gcov", "-j", "-t", "-r", *files] if files else ["true"]
    gcov = subprocess.run(command, cwd=COVERED, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if gcov.returncode != 0 or files and not gcov.stdout:
        sys.exit(f"gcov cannot read the counters; it must be that of CXX:\n{gcov.stderr[-1000:]}")
    lines = collections.defaultdict(dict)
    for file in (file for text in gcov.stdout.splitlines() for file in json.loads(text)["files"]):
        name = os.path.normpath(file["file"])
        for line in file["lines"] if name.startswith(CHANGED) and name not in QUIET else []:
            number = str(line["line_number"])
            lines[name][number] = lines[name].get(number, False) or line["count"] != 0
    return lines


# What each suite takes in `work`, and which of them execute a line.
def measure(key, jobs):
    copy_sources(COVERED)
    for file in EXITS:
        with open(os.path.join(COVERED, file), "r+", encoding="utf-8") as f:
            text = f.read()
            f.seek(0)
            f.write(COUNTED_EXIT + text)
    build_unchanged(COVERED, jobs, "OPT=-O1", "SAN=--coverage")
    objects, suites, kept = os.path.join(COVERED, "build/obj"), list(SCRIPTS), {"digest": key}
    idle = {None: set()}  # counters of each program that runs no test, which gcov need not read

    # Files and their counters, without the head, which has the largest counter of the program.
    def counters():
        found = {}
        for file in files_below(objects, ".gcda"):
            with open(file, "rb") as f:
                found[file] = f.read()[32:]
        return set(found.items())

    for program in PROGRAMS:
        out = run([f"build/bin/{program}", "--gtest_list_tests"], COVERED, 60)[1]
        idle[program] = counters()
        suites += [f"{program} {name}" for name in re.findall(r"^(\S+)\.(?: |$)", out, re.M)]
    kept["lines"] = {file: {number: [] for number in lines}
                     for file, lines in lines_of(files_below(objects, ".gcno")).items()}
    kept["seconds"] = {}
    for n, suite in enumerate(suites, 1):
        for file in files_below(objects, ".gcda"):
            os.unlink(file)
        status, _, seconds = run_suites([suite], 1800)
        if status == 0:
            status = run_suites([suite], 1800, COVERED)[0]
        print(f"coverage {n} of {len(suites)}  {suite}  {seconds:.1f} s"
              + ("" if status == 0 else "  left out: it fails on the unchanged tree"), flush=True)
        if status != 0:
            continue
        kept["seconds"][suite] = seconds
        ran = counters() - idle[None if suite in SCRIPTS else suite.split()[0]]
        for file, lines in lines_of(sorted(file for file, _ in ran)).items():
            sources = SCRIPTS[suite][0] if suite in SCRIPTS else ""
            for number in lines if file.startswith(sources) else []:
                if lines[number]:
                    kept["lines"][file][number].append(suite)
    with open(KEPT, "w", encoding="utf-8") as f:
        json.dump(kept, f)
    return kept


# The first mutants with code at their place that are not too dear to build, and the suites of each.
def choose(o, texts, coverage):
    users, mutants = collections.Counter(), {}
    for file in files_below(os.path.join(TREE, "build/obj"), ".d"):
        with open(file, encoding="utf-8") as f:
            rule = f.read().split("\n\n")[0]
        users.update({os.path.normpath(name) for name in re.findall(r"[^\s\\:]+\.h\b", rule)})
    codes = {file: mutate.bare(text) for file, text in texts.items()}
    for m in mutate.shuffled(texts, o.seed):
        last = mutate.line_of(texts[m.file], m.start)
        if users[m.file] > o.most_files or not fnmatch.fnmatchcase(f"{m.file}:{last}", o.files):
            continue
        for number in range(last, mutate.first_line(codes[m.file], m.start) - 1, -1):
            if str(number) in coverage["lines"][m.file]:
                mutants[m] = coverage["lines"][m.file][str(number)]
                break
        if len(mutants) == o.count:
            break
    return mutants


# Outcome, and what noticed it.
def try_mutant(mutant, text, suites, seconds, o):
    if not suites:
        return BARE, ""
    with open(os.path.join(WORK, mutant.file), "w", encoding="utf-8") as f:
        f.write(mutate.apply(text, mutant))
    # contract.sh takes long, and notices most.
    left = sorted(suites, key=lambda s: seconds[s] / (4 if s == "tests/contract.sh" else 1))
    end, built = time.monotonic() + o.most_seconds, set()
    while left and time.monotonic() < end:
        batch = [left.pop(0)]
        while left and batch[0] not in SCRIPTS and sum(map(seconds.get, batch)) < BATCH and \
                left[0].split()[0] == batch[0].split()[0]:
            batch.append(left.pop(0))
        if not programs_of(batch) <= built:
            built |= programs_of(batch)
            status, out, _ = build(WORK, o.jobs, programs_of(batch))
            if status != 0:
                return REFUSED, (re.findall(r"error: .*", out) or [out[-200:]])[0]
        status, out, _ = run_suites(batch, 20 + 10 * sum(map(seconds.get, batch)))
        if status != 0:
            failed = re.search(r"\[  FAILED  \] ([^\s,]+)", out)
            return NOTICED, ("hangs" if status is None else failed[1] if failed else
                             f"signal {-status}" if status < 0 else batch[0])
    return SURVIVED, ""


def report(results, texts):
    for outcome in (REFUSED, BARE, SURVIVED):
        for mutant, (got, detail) in results.items():
            if got == outcome:
                print(f"{outcome}: {mutate.diff(texts[mutant.file], mutant)}\n  {detail}".rstrip())
    counts = collections.Counter(outcome for outcome, _ in results.values())
    compiled = counts[NOTICED] + counts[SURVIVED]
    share = 100 * counts[NOTICED] / compiled if compiled else 0
    print(f"{len(results)} mutants: "
          + ", ".join(f"{counts[kind]} {kind}" for kind in (NOTICED, SURVIVED, REFUSED, BARE))
          + f".  {share:.1f} % of the compiled ones are noticed; {GOAL} % must be")
    return 0 if share >= GOAL else 1


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("-n", type=int, default=300, dest="count", help="mutants [300]")
    p.add_argument("--seed", type=int, default=1, help="another seed gives other mutants [1]")
    p.add_argument("--files", default="*", help="places, as 'libg6gpu/tree/*' or '*/keys.cpp:37'")
    p.add_argument("--most-files", type=int, default=12, help="leave out headers that more files "
                   "include, since each mutant compiles them all [12]")
    p.add_argument("--most-seconds", type=float, default=600, help="of suites for a mutant [600]")
    p.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs", help="jobs of make")
    p.add_argument("--list", action="store_true", help="print the mutants, run none")
    return p.parse_args()


def main():
    o = options()
    copy_sources(TREE)
    build_unchanged(TREE, o.jobs)
    mirror(TREE, WORK)
    coverage, key, texts, results = {}, digest(), {}, {}
    if os.path.exists(KEPT):
        with open(KEPT, encoding="utf-8") as f:
            coverage = json.load(f)
    if coverage.get("digest") != key:
        coverage = measure(key, o.jobs)
    for file in coverage["lines"]:
        with open(os.path.join(TREE, file), encoding="utf-8") as f:
            texts[file] = f.read()
    mutants, begin = choose(o, texts, coverage), time.monotonic()
    if o.list:
        print("\n".join(mutate.diff(texts[m.file], m) for m in mutants))
        return 0
    try:
        for m, suites in mutants.items():
            mirror(TREE, WORK)
            results[m] = try_mutant(m, texts[m.file], suites, coverage["seconds"], o)
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
