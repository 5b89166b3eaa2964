# SPDX-License-Identifier: MIT
"""Tables of g6run, whole and unfinished, and what the figure of a run takes from them."""
import unittest

import files
import numpy as np
from g6plot import run_figure, table
from g6plot.problem import Problem


class Tables(files.InFolder):
    def test_columns_have_the_names_of_the_head(self):
        files.write_table(self.folder, [files.row(0), files.row(0.125, error=1e-9, blocks=10, size=6.4)])
        t = table.read(self.folder, self.warn)
        self.assertEqual(list(t.columns), ["time", "energy", "dE/E", "T/|W|", "r 10%", "r 50%", "r 90%", "blocks",
                                           "mean n", "Ginter/s"])
        np.testing.assert_array_equal(t["time"], [0, 0.125])
        self.assertEqual(t["dE/E"][1], 1e-9)
        self.assertEqual(t.title, "g6run 1.0.0: 64 particles")
        self.assertFalse(self.warned or t.finished)

    def test_a_row_that_is_being_written_is_left_out(self):
        files.write_table(self.folder, [files.row(0), files.row(0.125)], after="      0.25 -2.4e-")
        self.assertEqual(len(table.read(self.folder, self.warn)), 2)
        self.assertEqual(self.warned, [])

    def test_a_damaged_row_is_named(self):
        files.write_table(self.folder, [files.row(0), "0.125 what\n", files.row(0.25)])
        self.assertEqual(len(table.read(self.folder, self.warn)), 2)
        self.assertIn("table.txt:4: not a row of 10 numbers", self.warned[0])

    def test_a_table_without_rows_has_names(self):
        files.write_table(self.folder, [])
        t = table.read(self.folder, self.warn)
        self.assertEqual((len(t), len(t.columns), self.warned), (0, 10, []))

    def test_a_table_without_a_whole_row_is_refused(self):
        files.write_table(self.folder, ["0.125 what\n", "0.25 1 2\n", "0.5\n"])
        self.refused("none of its 3 rows is whole", table.read, self.folder, self.warn)

    def test_names_do_not_depend_on_a_damaged_row(self):
        files.write_table(self.folder, ["0.125 what\n", "0 1\n", files.row(0.25), files.row(0.5)])
        t = table.read(self.folder, self.warn)
        self.assertEqual((list(t["time"]), len(t.columns)), ([0.25, 0.5], 10))

    def test_names_end_where_columns_end(self):
        head = "#  step          z          a   LI error interactions   seconds\n"
        rows = "      0  49.000000 0.02000000  0.000e+00 0.000000e+00    0.0000\n"
        self.write("table.txt", "# g6run 1.0.0: 64 particles, z = 49 to 0\n" + head + rows)
        t = table.read(self.folder, self.warn)
        self.assertEqual(list(t.columns), ["step", "z", "a", "LI error", "interactions", "seconds"])
        self.assertEqual((t["z"][0], t.reached(), self.warned), (49, "z = 49", []))

    def test_a_run_that_went_on_has_two_heads(self):
        parts = ["# g6run 1.0.0: 64 particles, t = 0 to 1, eps 0\n", "# t = 0 to 1 in 2 s of wall time\n# g6run 1.0.0: 64 particles, t = 1 to 4, eps 0\n"]
        files.write_table(self.folder, [files.row(0)], before=parts[0], after=parts[1] + files.HEAD + files.row(1))
        t = table.read(self.folder, self.warn)
        self.assertEqual((list(t["time"]), t.title, t.finished), ([0, 1], "g6run 1.0.0: 64 particles, t = 0 to 4, eps 0", False))

    def test_units_are_those_of_the_comment(self):
        files.write_table(self.folder, [files.row(0)], after="# t = 0 to 1 in 2 s of wall time\n",
                          before="# g6run\n# units: length 2pc, mass 1e4Msun, velocity 4.6373 km/s, time 0.421713 Myr\n")
        t = table.read(self.folder, self.warn)
        self.assertEqual(t.length_unit, (2, "pc"))
        self.assertEqual(t.time_unit, (0.421713, "Myr"))
        self.assertTrue(t.finished)

    def test_units_of_the_table_replace_those_of_the_run(self):
        run = "# units: length 2pc, mass 1e4Msun, velocity 4.6373 km/s, time 0.421713 Myr\n"
        for line, length, time in (("time kyr, length AU", (1, "AU"), (1, "kyr")),
                                   ("time 10Myr", (2, "pc"), (10, "Myr"))):
            files.write_table(self.folder, [files.row(0)], before=f"# g6run\n{run}# units of this table: {line}\n")
            t = table.read(self.folder, self.warn)
            self.assertEqual((t.length_unit, t.time_unit, t.energy_unit), (length, time, ""))

    def test_an_unfinished_run_tells_its_time_in_the_unit_of_the_page(self):
        run = "# g6run\n# units: length 2pc, mass 1e4Msun, velocity 4.6373 km/s, time 0.5 Myr\n"
        own = "# units of this table: time Myr\n"
        for before, words in (("# g6run\n", "t = 2.5625"), (run, "t = 1.28125 Myr"), (run + own, "t = 2.5625 Myr")):
            files.write_table(self.folder, [files.row(2.5625)], before=before)
            self.assertEqual(table.read(self.folder, self.warn).reached(), words)

    def test_a_table_that_is_not_published_is_read(self):
        import os

        os.rename(files.write_table(self.folder, [files.row(0)]), self.path("table.txt.tmp"))
        self.assertEqual(len(table.read(self.folder, self.warn)), 1)

    def test_other_files_are_refused(self):
        for text in ("", "1 2 3\n", "# only words\n", "\x89PNG\x00\n", "# time 0.5\n1 2 3 4 5 6 7\n"):
            self.write("table.txt", text)
            with self.assertRaises(Problem):
                table.read(self.folder, self.warn)
        self.refused("no table.txt", table.read, self.path("none"), self.warn)


class Figures(unittest.TestCase):
    def test_a_table_of_other_columns_is_refused(self):
        with self.assertRaisesRegex(Problem, "no column that is drawn"):
            run_figure.figure(table.Table("", {"time": [0.0, 1.0], "colour": [1.0, 2.0]}))

    def test_energies_follow_from_their_sum_and_ratio(self):
        # T = 0.3 and W = -0.6: E = -0.3, T/|W| = 0.5.
        kinetic, potential = run_figure.energies(np.array([-0.3, 0.1]), np.array([0.5, 1.5]))
        np.testing.assert_allclose(kinetic, [0.3, 0.3])
        np.testing.assert_allclose(potential, [-0.6, -0.2])

    def test_energies_are_left_out_where_the_digits_of_the_ratio_do_not_tell_them(self):
        # 1.004 is 1.0035 to 1.0045, and 0.999 is 0.99895 to 0.99905: q - 1 is known to 12 % and 5 %, that of 0.99 to 0.5 %.
        ratio = np.array([1.0, 1.004, 0.999, 0.99, 1.05])
        self.assertEqual(np.isnan(run_figure.energies((ratio - 1) / 10, ratio)[0]).tolist(), [True, True, True, False, False])

    def test_blocks_are_those_of_an_interval(self):
        # 100 blocks of 10 in the first unit of time, then 300 of 30 in half a unit: 400 blocks, 10000 steps.
        time, blocks = np.array([0, 1, 1.5]), np.array([0.0, 100, 400])
        ends, rate = run_figure.block_rates(time, blocks)
        np.testing.assert_array_equal(ends, [1, 1.5])
        np.testing.assert_array_equal(rate, [100, 600])
        ends, size = run_figure.block_sizes(time, blocks, np.array([0.0, 10, 25]))
        np.testing.assert_array_equal(ends, [1, 1.5])
        np.testing.assert_allclose(size, [10, 30])

    def test_sizes_of_blocks_survive_the_rounding_of_their_mean(self):
        # 100 blocks in each of 1000 rows, of 20 bodies at first and of 10 after half of them.
        time, sizes = np.arange(1001.0), np.where(np.arange(1001) <= 500, 20.0, 10)
        sizes[0] = 0
        blocks = 100 * time
        mean = np.cumsum(100 * sizes) / np.maximum(blocks, 1)
        ends, found = run_figure.block_sizes(time, blocks, np.round(mean, 1))
        self.assertGreater(len(ends), 20)
        inside = [(ends[k - 1] >= 500) == (ends[k] > 500) for k in range(1, len(ends))]
        np.testing.assert_allclose(found[1:][inside], np.where(ends > 500, 10, 20)[1:][inside], rtol=0.1)

    def test_rows_of_one_time_have_no_interval(self):
        time, blocks = np.array([0.0, 0]), np.array([0.0, 5])
        self.assertEqual(len(run_figure.block_rates(time, blocks)[0]), 0)
        self.assertEqual(len(run_figure.block_sizes(time, blocks, np.zeros(2))[0]), 0)
