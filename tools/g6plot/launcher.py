#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The program g6plot.  Its modules are in ../share/g6plot, seen from this file's folder, both in the build folder and
# after make install.  A machine may have several Pythons: when this one lacks numpy, h5py or matplotlib, the first of
# $PYTHON, python3 and /usr/bin/python3 that has these modules runs the program.
import importlib.util
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # else uninstall would leave .pyc files behind
here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(here, "..", "share", "g6plot"))

from g6plot.main import NEEDED, main


def has_modules(python):
    """Whether a script that this interpreter runs finds the modules.  sys.path.pop(0) removes the working folder."""
    code = ("import sys; sys.path.pop(0); from importlib.util import find_spec; "
            f"sys.exit(any(find_spec(name) is None for name in {NEEDED}))")
    return subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


if any(importlib.util.find_spec(name) is None for name in NEEDED):
    for candidate in (os.environ.get("PYTHON"), "python3", "/usr/bin/python3"):
        path = candidate and shutil.which(candidate)
        if path and has_modules(path):
            os.execv(path, [path] + sys.argv)

sys.exit(main(sys.argv[1:]))
