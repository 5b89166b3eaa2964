# SPDX-License-Identifier: MIT
"""The shared library: its file, the check of its version, its errors, and its log.

The process loads one libg6gpu.so when the package is imported.  ctypes releases the GIL while a call of the library
runs.
"""
from __future__ import annotations

import atexit
import ctypes
import logging
import os
import sys
import threading
from pathlib import Path
from typing import Optional

from ._header import status_codes, version

# The modules of an editable package are links.
PACKAGE = Path(__file__).absolute().parent
if not (PACKAGE / "g6lib.h").exists():
    raise ImportError(f"{PACKAGE} is the source of g6gpu: use the package of `make python` (PYTHONPATH=build/python) or of "
                      "`pip install .`, from another folder")
HEADER = (PACKAGE / "g6lib.h").read_text()
VERSION = version(HEADER)
SONAME = f"libg6gpu.so.{VERSION.split('.')[0]}"
STATUS = status_codes(HEADER)

logger = logging.getLogger("g6gpu")


class Error(RuntimeError):
    """A call of the library failed.  The text is that of g6_last_error(): the error, its place, and what to do.

    Attributes:
        status: the call's status, a value below 0 of enum g6_status in g6lib.h (g6gpu.G6_ERR_ARGUMENT ...)
    """

    def __init__(self, text: str, status: int):
        super().__init__(text)
        self.status = status

    def __reduce__(self) -> tuple:
        return Error, (str(self), self.status)


def _load() -> ctypes.CDLL:
    """Loads the library that G6GPU_LIBRARY names, else that of this package, else that of Python's environment (conda), else
    that of the system."""
    chosen = os.environ.get("G6GPU_LIBRARY")
    own = (PACKAGE / "lib" / SONAME, Path(sys.prefix) / "lib" / SONAME)
    name = chosen or next((str(file) for file in own if file.exists()), SONAME)
    try:
        library = ctypes.CDLL(name)
        library.g6_version.restype = library.g6_last_error.restype = ctypes.c_char_p
    except (OSError, AttributeError) as problem:
        where = "G6GPU_LIBRARY names it" if chosen else "set G6GPU_LIBRARY to its file, or install libg6gpu"
        raise ImportError(f"g6gpu cannot load {name}: {problem}; {where}") from None
    found = library.g6_version().decode()
    have, want = ([int(number) for number in text.split(".")] for text in (found, VERSION))
    if have[0] != want[0] or have < want:
        raise ImportError(f"g6gpu {VERSION} needs libg6gpu {VERSION} or a later {want[0]}.x, but {name} is {found}")
    return library


lib = _load()
lib.g6_backend_name.restype = ctypes.c_char_p
# The number of calls made through g6gpu.calls.  Cluster reads it to see whether one came between two of its own calls.
calls_by_name = [0]


# Error lines of the library, by thread.  A line waits until the status of its call is known: if an exception has its
# message, the line is dropped, else it goes to the log.
waiting: dict[int, list[str]] = {}


def take_waiting() -> list[str]:
    """Takes the waiting error lines of this thread out of the list."""
    return waiting.pop(threading.get_ident(), [])


def check(status: int) -> int:
    """Returns a status of 0 or above; raises Error for a status below 0.  Logs the errors that are not raised."""
    text = lib.g6_last_error().decode(errors="replace") if status < 0 else ""
    for line in take_waiting() if waiting else ():
        message = line.split(": ", 1)[-1]  # without the name of the call
        if _log_level >= _ERROR and (status >= 0 or message not in text):
            logger.error("%s", line)
    if status < 0:
        raise Error(text, status)
    return status


# ---- the log -------------------------------------------------------------------------------------------------
_ERROR = 1
_LEVELS = {2: logging.WARNING, 3: logging.INFO, 4: logging.DEBUG}
_NAMES = ("none", "error", "warn", "info", "debug")
_wanted = os.environ.get("G6_LOG", "info").lower()
_log_level = _NAMES.index(_wanted) if _wanted in _NAMES else 3


@ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
def _receive(level: int, line: bytes, _user: Optional[int]) -> None:
    text = line.decode(errors="replace")
    if level == _ERROR:
        waiting.setdefault(threading.get_ident(), []).append(text)
    else:
        logger.log(_LEVELS.get(level, logging.DEBUG), "%s", text)


def _start_log() -> None:
    """Sends the library's lines to the logger "g6gpu", up to the level G6_LOG, by default info."""
    lib.g6_set_log(_receive, max(_log_level, _ERROR), None)  # an exception may need the text of an error
    # A thread that is in a call of the library when Python ends must not call Python functions.
    atexit.register(lib.g6_set_log, None, 0, None)


_start_log()
