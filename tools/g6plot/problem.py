# SPDX-License-Identifier: MIT
"""Errors: Problem ends the program with one line; Notes collects warnings about what is left out."""
import sys

from . import progress

EXIT_DONE, EXIT_FAILURE, EXIT_USAGE, EXIT_INCOMPLETE = 0, 1, 2, 3


class Problem(Exception):
    """A line for the user.  status: that of the program, when nobody catches it."""

    def __init__(self, text, status=EXIT_FAILURE):
        super().__init__(text)
        self.status = status


class Notes:
    """Warnings on stderr.  A picture that lacks something ends the program with EXIT_INCOMPLETE."""

    def __init__(self):
        self.skipped = 0

    def warn(self, text):
        progress.erase()
        print(f"g6plot: {text}", file=sys.stderr)

    def skip(self, text):
        self.skipped += 1
        self.warn(f"left out: {text}")

    def status(self):
        return EXIT_INCOMPLETE if self.skipped else EXIT_DONE
