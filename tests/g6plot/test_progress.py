# SPDX-License-Identifier: MIT
"""The line on a terminal that says what g6plot does."""
import io
import sys
import unittest
from unittest import mock

import files
from g6plot import choose, progress
from g6plot.problem import Notes

REPLACE = "\r\033[K"


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Progress(files.InFolder):
    def read_three(self, screen, seconds):
        """Reads three snapshots, of which the second is damaged; each takes some seconds."""
        for k in range(3):
            files.write_snapshot(self.path(f"snapshot_000{k}.hdf5"), [[1.0, 2, 3], [4, 5, 6]], [1.0, 1.0])
        notes = Notes()
        found = choose.headers(choose.paths_of([self.folder], notes), notes)
        found[1].path = self.path("lost.hdf5")
        screen.seek(0)
        screen.truncate()
        with mock.patch("time.monotonic", side_effect=seconds):
            self.assertEqual(len(list(choose.each_readable(found, notes))), 2)
        progress.erase()

    def test_a_terminal_shows_what_is_done_and_what_is_left(self):
        with mock.patch.object(sys, "stderr", Terminal()) as screen:
            self.read_three(screen, [100, 130, 170])
        lines = screen.getvalue().split(REPLACE)
        self.assertEqual(lines[1], "snapshot 1 of 3 ...")
        self.assertEqual(lines[2], "snapshot 2 of 3, 1:00 left ...")  # 30 s for one of three
        self.assertIn("g6plot: left out: ", lines[3])
        self.assertEqual(lines[4:], ["snapshot 3 of 3, 0:35 left ...", ""])  # 70 s for two

    def test_elsewhere_it_is_silent(self):
        with mock.patch.object(sys, "stderr", io.StringIO()) as log:
            self.read_three(log, AssertionError)
        self.assertNotIn("\r", log.getvalue())
        self.assertEqual(log.getvalue().count("\n"), 1)
