# SPDX-License-Identifier: MIT
"""A line on stderr, where it is a terminal, that says what g6plot does and how long it will take."""
import sys
import time

_shown = False
_begin = 0.0


def clock(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes}:{seconds:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


def now(text, done=0, total=1):
    """Replaces the line.  done: parts of the total that are ready; the first call of a series has 0."""
    global _shown, _begin
    if not (sys.stderr and sys.stderr.isatty()):
        return
    if done == 0:
        _begin = time.monotonic()
    if total > 1:
        text += f" {done + 1} of {total}"
    if done:
        text += f", {clock((time.monotonic() - _begin) * (total - done) / done)} left"
    print(f"\r\033[K{text} ...", end="", file=sys.stderr, flush=True)
    _shown = True


def erase():
    """To be called before anything else is printed."""
    global _shown
    if _shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    _shown = False
