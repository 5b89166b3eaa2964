# SPDX-License-Identifier: MIT
"""g6run from Python: a run with a progress bar, and its table and snapshots as NumPy arrays.

g6run shows its progress only if stderr is a terminal, so it gets a pseudo-terminal here.  A line of progress ends with the
sequence that erases it, a message with a newline.
"""
from __future__ import annotations

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._library import logger
from ._programs import program
from ._snapshots import Bodies, PathLike, read, write

ENDS = re.compile(r"(\r\033\[K|\r\n)")
DONE = "done"
REACHED = re.compile(r"(?:t =|step) (\S+) of (\S+)")


class RunError(RuntimeError):
    """g6run failed.  The text is its message.

    Attributes:
        status: its exit status: 1 a failure, 2 a wrong option, 3 the particles, a force or the energy cannot be right
    """

    def __init__(self, text: str, status: int):
        super().__init__(text)
        self.status = status

    def __reduce__(self) -> tuple:
        return RunError, (str(self), self.status)


class Snapshots(Sequence):
    """The snapshots of a run in the order of time.  Each is read when it is indexed: ``run.snapshots[-1]``."""

    def __init__(self, paths: list[str]):
        self.paths = paths

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, k: Any) -> Any:
        return Snapshots(self.paths[k]) if isinstance(k, slice) else read(self.paths[k])

    def __repr__(self) -> str:
        return f"<{len(self)} snapshots: {', '.join(self.paths[:1] + self.paths[1:][-1:])}>"


class Run:
    """A folder of g6run; the run may still be computing.

    Attributes:
        folder: the path
        table: the columns of table.txt by their names: time, energy, dE/E, T/|W|, "r 50%" ...; {} if the run ended at its
            start
        snapshots: the snapshots as Bodies
    """

    folder: Path
    table: dict[str, NDArray[np.float64]]
    snapshots: Snapshots

    def __init__(self, folder: PathLike = "run-out"):
        from .g6plot import snapshot, table
        from .g6plot.problem import Problem

        self.folder = Path(folder)
        try:
            self.snapshots = Snapshots(snapshot.in_folder(str(folder)))
            has_table = any((self.folder / name).is_file() for name in ("table.txt", "table.txt.tmp"))
            is_start = len(self.snapshots) == 1 and not has_table
            rows = None if is_start else table.read(str(folder), logger.warning)
        except Problem as why:
            raise ValueError(str(why)) from None
        self.table = {} if rows is None else {name: rows[name] for name in rows.columns}

    def __repr__(self) -> str:
        return f"<g6gpu.Run {self.folder}: {len(self.snapshots)} snapshots>"


def run(bodies: Union[Bodies, tuple, PathLike, None] = None, /, *, output: Optional[PathLike] = None,
        progress: Optional[bool] = None, **options: Any) -> Run:
    """Integrates bodies with g6run, and returns its table and snapshots.

        cluster = g6gpu.models.plummer(4096, seed=1)
        run = g6gpu.run(cluster, t_end=1, eps=1/256, snapshot=0.25, overwrite=True)
        run.table["time"], run.table["dE/E"], run.snapshots[-1].x

    Args:
        bodies: Bodies, (mass, x, v), or a snapshot's path.  Without bodies the options tell where to take them from:
            model="nfw", bodies=N, or restart=PATH, which continues an earlier run.
        output: the folder of the run, by default run-out; with restart by default the folder of the earlier run
        progress: whether to show a progress bar; by default in notebooks and on a terminal.  If tqdm is installed, the bar
            is that of tqdm.
        options: any option of g6run, with _ in place of -: t_end=1, eps="1/256", method="treewalk", overwrite=True.
            g6run --help lists them.

    Raises:
        RunError: g6run refuses its options, or fails.
        KeyboardInterrupt: g6run is stopped, and leaves interrupted.hdf5, from which run(restart=...) continues.
    """
    if options.get("help") or options.get("version"):
        raise TypeError("run() takes no help and no version: call g6run --help or g6run --version")
    with contextlib.ExitStack() as stack:
        if bodies is not None:
            if "input" in options:
                raise TypeError("run() takes bodies or input=, not both")
            options["input"] = bodies
            if not isinstance(bodies, (str, os.PathLike)):
                folder = stack.enter_context(tempfile.TemporaryDirectory())
                options["input"] = os.path.join(folder, "bodies.hdf5")
                write(options["input"], bodies)
        restart = options.get("restart")
        if output is None and restart is not None:
            output = restart if os.path.isdir(restart) else os.path.dirname(restart) or "."
        elif output is None:
            output = "run-out"
        execute({**options, "output": os.fspath(output)}, progress)
    return Run(output)


def words(options: dict[str, Any]) -> Iterator[str]:
    """Options as words of a command line."""
    for name, value in options.items():
        if value is None or value is False:
            continue
        text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        yield "--" + name.replace("_", "-") + ("" if value is True else f"={text}")


def execute(options: dict[str, Any], progress: Optional[bool] = False) -> None:
    """Runs g6run to its end."""
    terminal, stderr = pty.openpty()
    # In a session of its own g6run gets Ctrl-C from Python only.  A second one, from the terminal, would kill g6run.
    process = subprocess.Popen([program("g6run"), *words(options)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=stderr, start_new_session=True)  # fmt: skip
    os.close(stderr)
    messages: list[str] = []
    with os.fdopen(terminal, "rb", buffering=0) as file, process:
        try:
            with bar(progress) as show:
                follow(file, messages, show)
                if process.wait() == 0:
                    show(DONE)
        except BaseException:
            process.send_signal(signal.SIGINT)
            follow(file, messages, lambda text: None)
            logger.warning("%s", "\n".join(messages))
            raise
    text = "\n".join(message.removeprefix("g6run: ") for message in messages)
    if process.returncode:
        raise RunError(text or f"g6run ended with status {process.returncode}", process.returncode)
    if text:
        logger.warning("%s", text)


def follow(file: Any, messages: list[str], show: Any) -> None:
    """Reads the output of g6run until it ends: calls show() with lines of progress, and keeps messages."""
    text = ""
    while True:
        try:
            data = file.read(4096)
        except OSError:  # EIO: g6run has closed its end
            data = b""
        if not data:
            return
        *pairs, text = ENDS.split(text + data.decode(errors="replace"))
        for line, end in zip(pairs[::2], pairs[1::2]):
            if line and end == "\r\n":
                messages.append(line)
            elif line:
                show(line)


@contextlib.contextmanager
def bar(progress: Optional[bool]) -> Iterator[Any]:
    """A function that shows g6run's lines of progress: on the bar of tqdm, else as they are."""
    if progress is None:
        progress = sys.stderr.isatty() or "ipykernel" in sys.modules
    if not progress:
        yield lambda line: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield lambda line: print("\r\033[K" + line, end="", file=sys.stderr, flush=True)
        print("\r\033[K", end="", file=sys.stderr)
        return
    begin: list[float] = []
    with tqdm(total=1.0, bar_format="{percentage:3.0f}%|{bar}| {desc}") as shown:

        def show(line: str) -> None:
            reached = REACHED.search(line)
            if reached:
                now, end = map(float, reached.groups())
                begin.append(now)
                shown.n = (now - begin[0]) / (end - begin[0]) if end > begin[0] else 1.0
            elif line == DONE:
                shown.n = 1.0
            shown.set_description_str(line)

        yield show
