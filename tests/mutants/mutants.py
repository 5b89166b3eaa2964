#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation test: each small change of behaviour in the lists tests/mutants/*.txt must be noticed.

The tree is copied into a scratch folder and built there once.  For each mutant one file of a second
copy is changed, what depends on it is built, and the named tests run until one fails, crashes or
hangs: the mutant is killed.  Then every file that differs from the first copy is put back, built
files too, so that nothing is compiled twice.  A test counts only when it passes on the unchanged
tree, and its time there, times ten, bounds its time on a mutant.

A list has blocks of lines, each a word and its text; # starts a line of comment:
    mutant  its name
    file    what is changed
    old     text that the file has exactly once; any white space equals any other; several lines
            of `old` are one text
    new     what stands there instead (none: the text is taken out)
    test    BINARY FILTER: a GoogleTest program of build/bin and what it runs; the fastest first

--check looks at the lists alone: that every old text is there once, and that every filter names a
test, where the programs are built and have a device for it.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
# What is copied: all that make reads.
PARTS = ["Makefile", "config.mk", "backends", "docs", "examples", "fortran", "include", "libg6gpu",
         "tests", "tools"]
KILLED, SURVIVED, REFUSED, STALE, UNTESTED = \
    "killed", "survived", "does not compile", "stale", "untested"
GOAL = 95  # per cent
# Words of tests' names for what a machine may lack, and what it then lacks.
LACKING = {"/cuda_": "no cuda device answers", "/opencl_": "no opencl device answers"}


class Mutant:
    def __init__(self, name, where):
        self.name, self.where = name, where
        self.file, self.old, self.new, self.tests = "", [], [], []

    def digest(self):
        text = "\0".join([self.file, *self.old, "", *self.new, "", *self.tests])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    # The changed text of the file; ValueError when the old text is not there exactly once.
    def changed(self, text):
        pattern = r"\s+".join(re.escape(word) for word in "\n".join(self.old).split())
        found = list(re.finditer(pattern, text))
        if len(found) != 1:
            raise ValueError(f"{self.name}: the old text is {len(found)} times in {self.file}")
        at = found[0]
        return text[:at.start()] + "\n".join(self.new) + text[at.end():]


def read_lists():
    mutants = []
    for name in sorted(os.listdir(HERE)):
        if not name.endswith(".txt"):
            continue
        with open(os.path.join(HERE, name), encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                where = f"tests/mutants/{name}:{number}"
                word, _, rest = line.rstrip("\n").partition(" ")
                rest = rest.strip()
                if not word or word.startswith("#"):
                    continue
                if word == "mutant":
                    mutants.append(Mutant(rest, where))
                elif not mutants:
                    sys.exit(f"{where}: no mutant begins here")
                elif word == "file":
                    mutants[-1].file = rest
                elif word in ("old", "new"):
                    getattr(mutants[-1], word).append(rest)
                elif word == "test":
                    mutants[-1].tests.append(rest)
                else:
                    sys.exit(f"{where}: {word} is no word of a list")
    return mutants


# ---- the check of the lists -------------------------------------------------------------------

def list_tests(program):
    names, suite = [], ""
    out = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True,
                         timeout=60, check=True).stdout
    for line in out.splitlines():
        line = line.split("#")[0].rstrip()
        if line.startswith(" "):
            names.append(suite + line.strip())
        else:
            suite = line
    return names


# Whether a GoogleTest filter, of ? and * and alternatives, names one of the tests.
def names_a_test(pattern, names):
    ways = [way.replace("[", "[[]") for way in pattern.split("-")[0].split(":")]
    return any(fnmatch.fnmatchcase(name, way) for way in ways for name in names)


# What this machine lacks, when all tests of a filter need it and the program has no such test.  "" for
# any other filter.
def lacking(pattern, names):
    for word, reason in LACKING.items():
        if all(word in way for way in pattern.split("-")[0].split(":")):
            return "" if any(word in name for name in names) else reason
    return ""


# The tests of all sources, also of those that this machine lacks a library for.
def tests_of_sources():
    names = []
    for folder, _, files in os.walk(os.path.join(TOP, "tests")):
        for name in files:
            if name.endswith(".cpp"):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    names += re.findall(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", f.read())
    return [f"{suite}.{test}" for suite, test in names]


# Whether the sources have tests of such a name, and the program was built without their suites.
def was_left_out(pattern, names, sources):
    ways = [way.split("/")[0] for way in pattern.split("-")[0].split(":")]
    suites = [way.split(".")[0] + ".*" for way in ways]
    return names_a_test(":".join(ways), sources) and not names_a_test(":".join(suites), names)


def check(mutants, bins):
    problems, seen, known, absent = [], set(), {}, collections.Counter()
    sources = tests_of_sources()
    for m in mutants:
        if m.name in seen:
            problems.append(f"{m.where}: {m.name} is there twice")
        seen.add(m.name)
        if not (m.file and m.old and m.tests):
            problems.append(f"{m.where}: {m.name} lacks file, old or test")
            continue
        try:
            with open(os.path.join(TOP, m.file), encoding="utf-8") as f:
                text = f.read()
            if m.changed(text) == text:
                problems.append(f"{m.where}: {m.name} changes nothing")
        except (OSError, ValueError) as e:
            problems.append(f"{m.where}: {e}")
        for test in m.tests:
            program, _, pattern = test.partition(" ")
            path = os.path.join(bins, program)
            if os.path.exists(path) and program not in known:
                known[program] = list_tests(path)
            if program not in known or names_a_test(pattern, known[program]):
                continue
            reason = lacking(pattern, known[program])
            if reason:
                absent[reason] += 1
            elif was_left_out(pattern, known[program], sources):
                absent["their tests were not built"] += 1
            else:
                problems.append(f"{m.where}: {m.name}: {program} has no test {pattern}")
    for problem in problems:
        print(problem)
    for reason, filters in absent.items():
        print(f"{filters} filters not looked at: {reason}")
    print(f"{len(mutants)} mutants, {len(problems)} problems")
    return 1 if problems else 0


# ---- copies of the tree -----------------------------------------------------------------------

def same_file(a, b):
    try:
        s, t = os.stat(a), os.stat(b)
    except FileNotFoundError:
        return False
    return s.st_size == t.st_size and s.st_mtime_ns == t.st_mtime_ns


# Makes the folder `to` what `source` is; files that only `to` has go, unless they are built ones.
def mirror(source, to, built=False):
    os.makedirs(to, exist_ok=True)
    present = {e.name: e for e in os.scandir(source)}
    for entry in os.scandir(to):
        if entry.name not in present and not built:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
    for name, entry in present.items():
        target = os.path.join(to, name)
        if name == "__pycache__":
            continue
        if entry.is_symlink():
            if not os.path.lexists(target):
                os.symlink(os.readlink(entry.path), target)
        elif entry.is_dir():
            mirror(entry.path, target, built or name == "build")
        elif not same_file(entry.path, target):
            if os.path.exists(target):
                os.unlink(target)
            shutil.copy2(entry.path, target)


def copy_sources(to):
    os.makedirs(to, exist_ok=True)
    for part in PARTS:
        source, target = os.path.join(TOP, part), os.path.join(to, part)
        if os.path.isdir(source):
            mirror(source, target)
        elif os.path.exists(source) and not same_file(source, target):
            shutil.copy2(source, target)


# ---- commands ---------------------------------------------------------------------------------

def environment():
    env = {k: v for k, v in os.environ.items()
           if not k.startswith("G6_") and k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return env


def bound():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A mutant may ask for memory without end.
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))


# Exit status, output, seconds; the status is None when it ran longer than `limit`.
def run(command, folder, limit, bounded=False):
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=environment(), text=True, errors="replace",
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, start_new_session=True,
                               preexec_fn=bound if bounded else None)
    try:
        out = process.communicate(timeout=limit)[0]
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, status = process.communicate()[0], None
    return status, out, time.monotonic() - begin


def build(folder, programs, jobs):
    targets = ["backends"] + [f"build/bin/{p}" for p in sorted(programs)]
    if "g6test" in programs:
        targets.append("build/bin/g6test-probe")  # tests of processes start it
    return run(["make", f"-j{jobs}", "B=build", "OPT=-O1", "NVCC=", *targets], folder,
               3600)


def run_test(folder, test, limit):
    program, _, pattern = test.partition(" ")
    return run([f"build/bin/{program}", f"--gtest_filter={pattern}", "--gtest_fail_fast",
                "--gtest_brief=1"], folder, limit, bounded=True)


# ---- one mutant after the other ---------------------------------------------------------------

class Session:
    def __init__(self, scratch, jobs):
        self.scratch, self.jobs = scratch, jobs
        self.pristine = os.path.join(scratch, "tree")
        self.baseline, self.lock = {}, threading.Lock()

    # The unchanged tree, built.
    def prepare(self, programs):
        copy_sources(self.pristine)
        status, out, seconds = build(self.pristine, programs, os.cpu_count() or 1)
        if status != 0:
            sys.exit(f"the unchanged tree does not build:\n{out[-4000:]}")
        print(f"built in {seconds:.0f} s", flush=True)

    # Seconds that the test takes on the unchanged tree; None when it does not pass there.
    def time_of(self, test):
        with self.lock:
            if test not in self.baseline:
                status, out, seconds = run_test(self.pristine, test, 1800)
                passed = re.search(r"\[  PASSED  \] (\d+) test", out)
                good = status == 0 and passed and int(passed[1]) > 0
                self.baseline[test] = seconds if good else None
            return self.baseline[test]

    # Outcome, and what tells more about it.
    def try_mutant(self, m, folder):
        path = os.path.join(folder, m.file)
        try:
            with open(path, encoding="utf-8") as f:
                text = m.changed(f.read())
        except (OSError, ValueError) as e:
            return STALE, str(e)
        times = {test: self.time_of(test) for test in m.tests}
        if None in times.values():
            bad = [t for t, seconds in times.items() if seconds is None]
            return UNTESTED, f"does not pass, or tests nothing, on the unchanged tree: {bad[0]}"
        try:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            status, out, _ = build(folder, {t.split()[0] for t in m.tests}, self.jobs)
            if status != 0:
                error = re.search(r".*error.*", out)
                return REFUSED, error[0] if error else out[-200:]
            for test in m.tests:
                status, out, _ = run_test(folder, test, 20 + 10 * times[test])
                if status != 0:
                    failed = re.search(r"\[  FAILED  \] ([^\s,]+)", out)
                    how = ("hangs" if status is None else failed[1] if failed
                           else f"signal {-status}" if status < 0 else f"status {status}")
                    return KILLED, how
            return SURVIVED, ""
        finally:
            mirror(self.pristine, folder)


def read_results(path):
    try:
        with open(path, encoding="utf-8") as f:
            return json.load(f)
    except (OSError, ValueError):
        return {}


def print_table(mutants, results):
    rows = {}
    for m in mutants:
        r = results.get(m.name)
        outcome = r["outcome"] if r and r["digest"] == m.digest() else "not run"
        area = os.path.basename(m.where).split(".")[0]
        rows.setdefault(area, {}).setdefault(outcome, []).append(m)
    kinds = [KILLED, SURVIVED, REFUSED, STALE, UNTESTED, "not run"]
    print("".join(f"{word:>18}" for word in ["area", *kinds]))
    for area in [*sorted(rows), None]:
        counts = [sum(len(of.get(kind, [])) for a, of in rows.items() if area in (a, None))
                  for kind in kinds]
        print("".join(f"{word:>18}" for word in [area or "all", *counts]))
    for kind in kinds[1:-1]:
        for of in rows.values():
            for m in of.get(kind, []):
                print(f"{kind}: {m.name} ({m.where}) {results[m.name]['detail']}")
    killed, ran = [sum(len(of.get(k, [])) for of in rows.values() for k in some)
                   for some in ([KILLED], kinds[:-1])]
    share = 100 * killed / ran if ran else 0
    print(f"{killed} of {ran} mutants killed: {share:.1f} %")
    return 0 if share >= GOAL else 1


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("names", nargs="*", help="mutants, or patterns of their names; none: all")
    p.add_argument("--check", action="store_true", help="look at the lists, run nothing")
    p.add_argument("--bins", default=os.path.join(TOP, "build/bin"), help="programs for --check")
    p.add_argument("--scratch", default=os.path.join(TOP, "build/mutants"))
    p.add_argument("-j", type=int, default=1, dest="workers", help="mutants at a time")
    p.add_argument("--stop", action="store_true", help="end at the first that is not killed")
    p.add_argument("--rest", action="store_true",
                   help="leave out those that an earlier run killed")
    p.add_argument("--table", action="store_true", help="print what earlier runs gave, run nothing")
    o = p.parse_args()
    mutants = read_lists()
    if o.check:
        return check(mutants, o.bins)
    file = os.path.join(o.scratch, "results.json")
    results = read_results(file)
    if o.table:
        return print_table(mutants, results)
    chosen = [m for m in mutants
              if not o.names or any(fnmatch.fnmatchcase(m.name, n) for n in o.names)]
    if o.rest:
        chosen = [m for m in chosen if results.get(m.name, {}).get("digest") != m.digest()
                  or results[m.name]["outcome"] != KILLED]
    if not chosen:
        sys.exit("no mutant has such a name" if o.names else "nothing is left to do")
    session = Session(o.scratch, max(1, (os.cpu_count() or 1) // o.workers))
    session.prepare({t.split()[0] for m in chosen for t in m.tests})
    folders = queue.Queue()
    for k in range(o.workers):
        folder = os.path.join(o.scratch, f"mutant-{k}")
        mirror(session.pristine, folder)
        folders.put(folder)
    stop, done = threading.Event(), 0

    def work(m):
        if stop.is_set():
            return m, None, "", 0
        folder, begin = folders.get(), time.monotonic()
        outcome, detail = session.try_mutant(m, folder)
        folders.put(folder)
        return m, outcome, detail, time.monotonic() - begin

    with concurrent.futures.ThreadPoolExecutor(o.workers) as pool:
        for future in concurrent.futures.as_completed([pool.submit(work, m) for m in chosen]):
            m, outcome, detail, seconds = future.result()
            if outcome is None:
                continue
            done += 1
            print(f"{done} of {len(chosen)}  {m.name}: {outcome}  {detail}  {seconds:.0f} s",
                  flush=True)
            results[m.name] = {"digest": m.digest(), "outcome": outcome, "detail": detail,
                               "seconds": round(seconds, 1)}
            with open(file + ".new", "w", encoding="utf-8") as f:
                json.dump(results, f, indent=1)
            os.replace(file + ".new", file)
            if o.stop and outcome != KILLED:
                stop.set()
    return print_table(chosen, results)


if __name__ == "__main__":
    sys.exit(main())
