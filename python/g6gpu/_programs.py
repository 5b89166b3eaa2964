# SPDX-License-Identifier: MIT
"""The programs of the package: where they are, and the commands g6run, g6info and g6plot of an environment."""
from __future__ import annotations

import importlib
import os
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from ._library import PACKAGE


def program(name: str) -> str:
    """The file of a program: in this package, else in Python's environment (conda), else in PATH."""
    own = (PACKAGE / "bin" / name, Path(sys.prefix) / "bin" / name)
    found = next((str(file) for file in own if file.exists()), None) or shutil.which(name)
    if not found:
        raise FileNotFoundError(f"{name} is neither in this package nor in PATH: install libg6gpu, or build the package where "
                                "CLI11 and HDF5 are installed (Debian: libcli11-dev libhdf5-dev)")
    return found


def module(name: str, purpose: str) -> ModuleType:
    """Imports a module that forces do not need; the error tells the purpose and how to install the module."""
    try:
        return importlib.import_module(name)
    except ImportError as why:
        raise ImportError(f"{purpose} needs {name} ({why}): pip install {name}, or Debian's python3-{name}") from None


def g6run() -> NoReturn:
    os.execv(program("g6run"), ["g6run", *sys.argv[1:]])


def g6info() -> NoReturn:
    os.execv(program("g6info"), ["g6info", *sys.argv[1:]])


def g6plot() -> NoReturn:
    sys.exit(importlib.import_module(".g6plot.main", __package__).main(sys.argv[1:]))
