#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# g6plot, the program: its modules are in share/g6plot beside the folder of this file, in the build folder as
# where make install puts them.  A machine may have several Pythons: when this one lacks numpy, h5py or matplotlib,
# the first of $PYTHON, python3 and /usr/bin/python3 that has them runs the program.
import importlib.util
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # uninstall finds no files that install did not put there
here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(here, "..", "share", "g6plot"))

from g6plot.main import NEEDED, main


def has_modules(python):
    """Whether a script that this interpreter runs finds the modules; -c puts the working folder ahead of its path."""
    code = ("import sys; sys.path.pop(0); from importlib.util import find_spec; "
            f"sys.exit(any(find_spec(name) is None for name in {NEEDED}))")
    return subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


if any(importlib.util.find_spec(name) is None for name in NEEDED):
    for candidate in (os.environ.get("PYTHON"), "python3", "/usr/bin/python3"):
        path = candidate and shutil.which(candidate)
        if path and has_modules(path):
            os.execv(path, [path] + sys.argv)

sys.exit(main(sys.argv[1:]))
