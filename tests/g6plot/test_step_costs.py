# SPDX-License-Identifier: MIT
"""The record of the steps of a run on its page."""
import unittest

import files
import numpy as np
from g6plot import run_figure, step_costs, table

HEAD = ("# g6run 1.0.0: a line for each step\n"
        "#                 time          n     interactions      seconds      sending   prediction      waiting   correction\n")


class Records(files.InFolder):
    def record(self, sizes, after="", head=HEAD):
        """Seconds of a step: n, of which waiting is a half, sending a quarter, the others an eighth."""
        with open(self.path(step_costs.NAME), "w") as file:
            file.write(head)
            for k, n in enumerate(sizes):
                file.write(f"{0.125 * (k + 1)} {n} {n * n} {n} {n / 4} {n / 8} {n / 2} {n / 8}\n")
            file.write(after)
        return step_costs.read(self.folder, self.warn)

    def panel(self, record):
        files.write_table(self.folder, [files.row(0.5 * k, blocks=k, size=10, rate=1) for k in range(3)])
        page = run_figure.figure(table.read(self.folder, self.warn), record=record)
        return next(axes for axes in page.axes if axes.get_title().startswith("seconds of a step"))

    def line(self, axes, name):
        return next(line for line in axes.lines if line.get_label() == name)

    def test_steps_of_different_sizes_stand_against_their_size(self):
        axes = self.panel(self.record([1, 4, 4, 64]))
        np.testing.assert_array_equal(self.line(axes, "whole step").get_data(), ([1, 4, 4, 64], [1, 4, 4, 64]))
        for name, part in (("waiting", 0.5), ("sending", 0.25), ("prediction", 0.125), ("correction", 0.125)):
            x, y = self.line(axes, name).get_data()
            np.testing.assert_allclose(x, [1, 4, 64])
            np.testing.assert_allclose(y, part * np.array([1, 4, 64]))
        self.assertEqual(self.warned, [])

    def test_equal_steps_stand_against_time(self):
        axes = self.panel(self.record([10, 10, 10]))
        np.testing.assert_array_equal(self.line(axes, "waiting").get_data(), ([0.125, 0.25, 0.375], [5, 5, 5]))
        self.assertEqual(axes.get_xscale(), "linear")

    def test_a_record_of_another_run_is_left_out(self):
        """Rows at 0, 0.5 and 1 with steps of 0.125 between them, of which some were taken before the record began."""
        self.record([10] * 8)
        for counts, size, good in (([0, 4, 8], 10, True), ([2, 7, 11], 10, True), ([0, 4, 9], 10, False), ([0, 3, 7], 10, False),
                                   ([0, 4, 8], 11, False), ([0, 4], 10, False)):
            files.write_table(self.folder, [files.row(0.5 * k, blocks=n, size=size, rate=1) for k, n in enumerate(counts)],
                              after="# t = 0 to its end in 1 s of wall time\n")
            self.assertEqual(step_costs.read(self.folder, self.warn, table.read(self.folder, self.warn)) is not None, good)
        self.assertEqual(self.warned, [f"{self.path(step_costs.NAME)}: its steps are not those of table.txt; left out"] * 4)

    def test_a_folder_without_steps_has_no_panel(self):
        self.assertIsNone(step_costs.read(self.folder, self.warn))
        self.assertIsNone(self.record([]))
        self.assertEqual(len(self.record([1, 2], after="0.375 4 1")), 2)  # the last line is being written
        self.assertEqual(self.warned, [])

    def test_another_file_of_that_name_is_left_out(self):
        self.assertIsNone(self.record([], head="eat\nsleep\n"))
        self.assertIsNone(self.record([1], head=HEAD.replace("waiting", "walking")))
        self.assertIn("no column waiting", self.warned[-1])
        self.assertEqual(len(self.warned), 2)
